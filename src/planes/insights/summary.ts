import { z } from 'zod'

import { humanSize } from '../../domain/catalog/human-size.ts'
import { hourText } from '../../domain/insights/period.ts'
import { operation } from '../../http/operation.ts'
import {
  days,
  hitRateText,
  insightsAccess,
  period,
  periodOf,
  type ReportDependencies,
  scopeOf,
  zone,
} from './report-query.ts'

const summary = z.object({
  HttpCode: z.literal(200),
  Message: z.string(),
  Period: period,
  TotalRequests: z.int(),
  TotalBandwidth: z.string(),
  TotalBandwidthBytes: z.int(),
  CacheHitRate: z.string().describe('`93.4%`, or `N/A` without traffic'),
  UniqueCountries: z.int().describe('Requests of no known country are in none'),
  Hourly: z
    .array(
      z.object({ Hour: z.iso.datetime(), Requests: z.int(), Bytes: z.int(), CacheHit: z.int() }),
    )
    .describe('Hours with traffic, of the last three days'),
  DateFetched: z.iso.datetime(),
})

/** `GET /api/insights/summary`. */
export const getInsightsSummary = operation({
  id: 'getInsightsSummary',
  plane: 'insights',
  method: 'get',
  path: '/api/insights/summary',
  summary: 'What was delivered, in sum',
  example: { query: { days: 7, zone: 'acme' } },
  access: insightsAccess,
  envelope: 'standard',
  query: z.object({ days, zone }),
  answeredBy: 'any node',
  responses: { 200: { description: 'The summary', schema: summary } },
}).handledBy(
  ({ reports, flushTraffic, now }: ReportDependencies) =>
    async ({ query, caller, respond }) => {
      await flushTraffic()
      const scope = scopeOf(query, caller)
      const overview = await reports.overview(scope)
      const hourly = await reports.hourly(scope)
      return respond(200, {
        HttpCode: 200,
        Message: `${overview.requests} requests`,
        Period: periodOf(query),
        TotalRequests: overview.requests,
        TotalBandwidth: humanSize(overview.bytes),
        TotalBandwidthBytes: overview.bytes,
        CacheHitRate: hitRateText(overview),
        UniqueCountries: overview.uniqueCountries,
        Hourly: hourly.map(({ hour, requests, bytes, hits }) => ({
          Hour: hourText(hour),
          Requests: requests,
          Bytes: bytes,
          CacheHit: hits,
        })),
        DateFetched: now().toISOString(),
      })
    },
)
