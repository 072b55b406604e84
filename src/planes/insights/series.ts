import { z } from 'zod'

import { durationAt } from '../../lib/collections/duration-histogram.ts'
import type { SeriesPart, SeriesReport, SeriesReports } from '../../domain/insights/series.ts'
import type { SeriesTotals } from '../../ports/traffic/traffic-store.ts'
import { operation } from '../../http/operation.ts'
import { counted } from '../../lib/text/visible-text.ts'
import { csvResponse, csvType, format, wantsCsv } from './csv-reports.ts'
import { insightsAccess, periodOf, scopeOf, zone } from './report-query.ts'
import { maxSteps, readSeriesQuery, seriesQuery } from './series-query.ts'

export interface SeriesDependencies {
  readonly series: SeriesReports
  readonly flushTraffic: () => Promise<void>
  readonly now: () => Date
}

const traffic = {
  Requests: z.int(),
  Bytes: z.int(),
  CacheHit: z.int(),
  CacheMiss: z.int(),
  Status: z
    .object({ '2xx': z.int(), '3xx': z.int(), '4xx': z.int(), '5xx': z.int() })
    .describe('Requests by the class of their status'),
  Transforms: z.int().describe('Images made of assets, from a cache or not'),
  TransformsMade: z.int().describe('Of these, those that no cache had'),
  Latency: z
    .object({ P50: z.number(), P95: z.number(), P99: z.number() })
    .nullable()
    .describe('Milliseconds until the head of the answer was there, within 4.5 %; null of nothing'),
}

const points = z.array(z.object({ From: z.iso.datetime(), ...traffic }))

const report = z.object({
  HttpCode: z.literal(200),
  Message: z.string(),
  Period: z.object({
    From: z.iso.datetime(),
    To: z.iso.datetime().describe('The end of the last bar, which may be to come'),
    Step: z.enum(['minute', 'hour', 'day']),
    TimeZone: z.string(),
    Zone: z.string().describe('`all` for all zones'),
  }),
  Totals: z.object(traffic),
  Points: points.describe(`Every bar, oldest first, at most ${maxSteps}`),
  Former: z
    .object({
      From: z.iso.datetime(),
      To: z.iso.datetime(),
      Totals: z.object(traffic),
      Points: points,
    })
    .nullable()
    .describe(
      'As many bars just before. Where the last bar of the period is not over yet, its counterpart counts to the same minute or hour. Null where so much is not kept.',
    ),
  DateFetched: z.iso.datetime(),
})

/** `GET /api/insights/series`. */
export const getTrafficSeries = operation({
  id: 'getTrafficSeries',
  plane: 'insights',
  method: 'get',
  path: '/api/insights/series',
  summary: 'What was delivered, by minute, hour or day, beside the period before',
  description:
    'The figures of charts, every one of them exact but the percentiles. Minutes are kept for 3 days, hours for 190, days for 400. Days begin at midnight of `timeZone`; where that is off UTC by part of an hour, at the first full hour. As `text/csv` it is the bars of the period.',
  example: { query: { period: '24h', zone: 'acme' } },
  access: insightsAccess,
  envelope: 'standard',
  query: z.object({ ...seriesQuery, zone, format }),
  answeredBy: 'any node',
  responses: {
    200: { description: 'The series', schema: report, otherContentTypes: [csvType] },
  },
}).handledBy(
  ({ series, flushTraffic, now }: SeriesDependencies) =>
    async ({ query, request, caller, respond }) => {
      const period = readSeriesQuery(query, now())
      await flushTraffic()
      const scope = scopeOf({ days: 1, zone: query.zone }, caller)
      const found = await series({ ...period, zones: zonesOf(scope) })
      if (wantsCsv({ query, request })) return csvResponse(tableOf(found))
      return respond(200, {
        HttpCode: 200,
        Message: counted(found.totals.requests, 'request'),
        Period: {
          From: found.from.toISOString(),
          To: found.to.toISOString(),
          Step: found.step,
          TimeZone: query.timeZone,
          Zone: periodOf({ days: 1, zone: query.zone }).Zone,
        },
        Totals: trafficOf(found.totals),
        Points: pointsOf(found),
        Former: found.former === undefined ? null : formerOf(found.former),
        DateFetched: now().toISOString(),
      })
    },
)

type Scope = ReturnType<typeof scopeOf>

/** A zone the reader may not see has no traffic, just as one that does not exist. */
const zonesOf = ({ zone: name, zones }: Scope): ReadonlySet<string> | undefined =>
  name === undefined ? zones : new Set(zones?.has(name) === false ? [] : [name])

const formerOf = (former: SeriesPart) => ({
  From: former.from.toISOString(),
  To: former.to.toISOString(),
  Totals: trafficOf(former.totals),
  Points: pointsOf(former),
})

const pointsOf = ({ bars }: SeriesPart) =>
  bars.map((bar) => ({ From: bar.from.toISOString(), ...trafficOf(bar) }))

const trafficOf = (sum: SeriesTotals) => ({
  Requests: sum.requests,
  Bytes: sum.bytes,
  CacheHit: sum.hits,
  CacheMiss: sum.requests - sum.hits,
  Status: {
    '2xx': sum.status2xx,
    '3xx': sum.status3xx,
    '4xx': sum.status4xx,
    '5xx': sum.status5xx,
  },
  Transforms: sum.transforms,
  TransformsMade: sum.transformsMade,
  Latency: latencyOf(sum),
})

function latencyOf({ latencies }: SeriesTotals) {
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => durationAt(latencies, share))
  if (p50 === undefined || p95 === undefined || p99 === undefined) return null
  return { P50: rounded(p50), P95: rounded(p95), P99: rounded(p99) }
}

/** Three digits say all that is known. */
const rounded = (milliseconds: number): number => Number(milliseconds.toPrecision(3))

const tableOf = ({ step, bars }: SeriesReport) => ({
  name: `traffic-by-${step}`,
  columns: [
    'From',
    'Requests',
    'Bytes',
    'CacheHit',
    'CacheMiss',
    'Status2xx',
    'Status3xx',
    'Status4xx',
    'Status5xx',
    'Transforms',
    'TransformsMade',
    'LatencyP50',
    'LatencyP95',
    'LatencyP99',
  ],
  rows: bars.map((bar) => {
    const { Status, Latency, ...sums } = trafficOf(bar)
    const { P50 = null, P95 = null, P99 = null } = Latency ?? {}
    const { Requests, Bytes, CacheHit, CacheMiss, Transforms, TransformsMade } = sums
    return [
      bar.from.toISOString(),
      Requests,
      Bytes,
      CacheHit,
      CacheMiss,
      ...Object.values(Status),
      Transforms,
      TransformsMade,
      P50,
      P95,
      P99,
    ]
  }),
})
