import { z } from 'zod'

import { requireZone } from '../../domain/access/actor.ts'
import {
  type AssetBar,
  type AssetSeries,
  type AssetSeriesReports,
  firstKeptOfAsset,
} from '../../domain/insights/asset-series.ts'
import type { AssetName, AssetReport } from '../../domain/insights/reports.ts'
import { csvResponse, csvType, format, wantsCsv } from './csv-reports.ts'
import { readSeriesQuery, type SeriesPeriodName, seriesQuery } from './series-query.ts'
import { parseAssetPath } from '../../domain/content/asset-path.ts'
import type { FormerNames } from '../../domain/content/files/former-names.ts'
import { invalid } from '../../domain/errors.ts'
import { boundsOf, dateText } from '../../domain/insights/period.ts'
import type { SeriesPeriod } from '../../domain/insights/series-axis.ts'
import { operation } from '../../http/operation.ts'
import { actorOf } from '../caller.ts'
import {
  datedPeriod,
  datedPeriodOf,
  type DatedQuery,
  datedQuery,
  insightsAccess,
  type ReportDependencies,
  trafficPeriodOf,
  wholeDaysOf,
} from './report-query.ts'

export interface AssetReportDependencies extends ReportDependencies {
  readonly formerNames: FormerNames
  readonly assetSeries: AssetSeriesReports
}

const assetReport = z.object({
  HttpCode: z.literal(200),
  Message: z.string(),
  Path: z.string(),
  Names: z
    .array(
      z.object({
        Path: z.string(),
        Until: z.iso
          .datetime()
          .nullable()
          .describe('When it was moved away; `null` of the present name'),
      }),
    )
    .describe('The names that the figures are of, the present one first'),
  Period: datedPeriod.omit({ Zone: true }),
  TotalRequests: z.int(),
  TotalBandwidthBytes: z.int(),
  Errors: z.record(z.string(), z.int()).describe('Requests by status, 400 and above'),
  Daily: z.array(
    z.object({ Date: z.iso.date(), Requests: z.int(), Bytes: z.int(), Errors: z.int() }),
  ),
  Step: z.enum(['minute', 'hour', 'day']).nullable(),
  Points: z
    .array(
      z.object({
        From: z.iso.datetime(),
        Requests: z.int(),
        Bytes: z.int(),
        Errors: z.int().nullable().describe('Null by the minute, which does not tell them'),
      }),
    )
    .nullable()
    .describe('With `step` or `period`: every bar, oldest first; null without'),
  DateFetched: z.iso.datetime(),
})

/** `GET /api/insights/asset`. */
export const getAssetInsights = operation({
  id: 'getAssetInsights',
  plane: 'insights',
  method: 'get',
  path: '/api/insights/asset',
  summary: 'Requests for one asset',
  example: { query: { path: 'acme/v1/logos/logo.svg', days: 30 } },
  access: insightsAccess,
  envelope: 'standard',
  description:
    'By day; with `step` or `period` also by minute, hour or day, like the series of all traffic, for charts. Of an asset minutes are kept for 2 days, hours for 35, days for 400; of a minute the 500 most requested of a zone are told apart. `TotalRequests`, `TotalBandwidthBytes` and `Errors` are of the days. As `text/csv` it is the bars, or the days.',
  query: z.object({
    path: z.string().optional().describe('`<zone>/v1/…`'),
    ...datedQuery,
    period: seriesQuery.period.removeDefault().optional(),
    step: seriesQuery.step,
    timeZone: seriesQuery.timeZone,
    format,
  }),
  answeredBy: 'any node',
  responses: {
    200: {
      description: 'Day by day, oldest first',
      schema: assetReport,
      otherContentTypes: [csvType],
    },
  },
}).handledBy(
  (dependencies: AssetReportDependencies) =>
    async ({ query, request, caller, respond }) => {
      const { reports, flushTraffic, formerNames, now } = dependencies
      if (query.path === undefined || query.path === '') throw invalid('path', 'is required')
      const path = parseAssetPath(query.path)
      requireZone(caller, path.split('/')[0] ?? '')
      const at = now()
      const series = seriesPeriodOf(query, at)
      const dated = series === undefined ? query : datedBy(series)
      await flushTraffic()
      const names = [{ path }, ...(await formerNames.of(path, actorOf(caller)))]
      const report = await reports.asset(names, wholeDaysOf(trafficPeriodOf(dated, at)))
      const bars = series && (await dependencies.assetSeries(names, series))
      if (wantsCsv({ query, request })) return csvResponse(tableOf(report, bars))
      const { Zone: _, ...Period } = datedPeriodOf(dated, at)
      return respond(200, {
        HttpCode: 200,
        Message: `${report.requests} requests`,
        Path: path,
        Names: names.map(nameOf),
        Period,
        ...shownOf(report),
        ...barsOf(bars, series),
        DateFetched: at.toISOString(),
      })
    },
)

const barsOf = (found: AssetSeries | undefined, period: SeriesPeriod | undefined) => ({
  Step: period?.step ?? null,
  Points: found?.bars.map(pointOf) ?? null,
})

const nameOf = ({ path, until }: AssetName) => ({
  Path: path,
  Until: until?.toISOString() ?? null,
})

type AssetQuery = DatedQuery & Omit<Parameters<typeof readSeriesQuery>[0], 'from' | 'to' | 'period'>

/** `undefined` where bars are not asked for. */
function seriesPeriodOf(
  query: AssetQuery & { readonly period?: SeriesPeriodName | undefined },
  now: Date,
): SeriesPeriod | undefined {
  const { period, step, timeZone, from, to } = query
  if (period === undefined && step === undefined) return undefined
  const [first] = boundsOf(trafficPeriodOf(query, now))
  const begin = from?.moment ?? (period === undefined ? first : undefined)
  return readSeriesQuery(
    {
      period: period ?? '24h',
      step,
      timeZone,
      from: begin?.toISOString(),
      to: to?.moment.toISOString(),
    },
    now,
    firstKeptOfAsset,
  )
}

/** The days of bars. */
const datedBy = ({ from, to }: SeriesPeriod): DatedQuery => ({
  days: 1,
  from: { moment: from, isDate: false },
  to: { moment: to, isDate: false },
})

const shownOf = (report: AssetReport) => ({
  TotalRequests: report.requests,
  TotalBandwidthBytes: report.bytes,
  Errors: Object.fromEntries(report.errors),
  Daily: report.daily.map(({ day, requests, bytes, errors }) => ({
    Date: dateText(day),
    Requests: requests,
    Bytes: bytes,
    Errors: errors,
  })),
})

const pointOf = ({ from, requests, bytes, errors }: AssetBar) => ({
  From: from.toISOString(),
  Requests: requests,
  Bytes: bytes,
  Errors: errors ?? null,
})

function tableOf(report: AssetReport, series: AssetSeries | undefined) {
  const rest = ['Requests', 'Bytes', 'Errors']
  if (series === undefined)
    return {
      name: 'asset-by-day',
      columns: ['Date', ...rest],
      rows: shownOf(report).Daily.map((day) => [day.Date, day.Requests, day.Bytes, day.Errors]),
    }
  return {
    name: 'asset',
    columns: ['From', ...rest],
    rows: series.bars
      .map(pointOf)
      .map(({ From, Requests, Bytes, Errors }) => [From, Requests, Bytes, Errors]),
  }
}
