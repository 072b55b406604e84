import { z } from 'zod'

import { humanSize } from '../../domain/catalog/human-size.ts'
import { dateText } from '../../domain/insights/period.ts'
import { operation } from '../../http/operation.ts'
import {
  days,
  hitRateText,
  period,
  periodOf,
  type ReportDependencies,
  scopeOf,
  zone,
} from '../insights/report-query.ts'

export type StatisticsDependencies = ReportDependencies

const maxTopAssets = 50

const statistics = z.object({
  HttpCode: z.literal(200),
  Message: z.string(),
  Period: period,
  Summary: z.object({
    TotalRequests: z.int(),
    TotalBandwidth: z.int().describe('Bytes'),
    TotalBandwidthHuman: z.string(),
    CacheHitRate: z.string().describe('`93.4%`, or `N/A` without traffic'),
    UniqueCountries: z.int().describe('Requests of no known country are in none'),
  }),
  Daily: z
    .array(
      z.object({
        Date: z.iso.date(),
        TotalRequests: z.int(),
        Bandwidth: z.int().describe('Bytes'),
        BandwidthHuman: z.string(),
        CacheHit: z.int(),
        CacheMiss: z.int(),
      }),
    )
    .describe('Oldest first, every day'),
  TopAssets: z.array(z.object({ Path: z.string(), Requests: z.int(), Bytes: z.int() })),
  GeoDistribution: z.array(
    z.object({ CountryCode: z.string(), Requests: z.int(), Bytes: z.int() }),
  ),
  requests: z.int(),
  bytes: z.int(),
  DateFetched: z.iso.datetime(),
})

/** `GET /api/core/statistics`. */
export const getStatistics = operation({
  id: 'getStatistics',
  plane: 'core',
  method: 'get',
  path: '/api/core/statistics',
  summary: 'What was delivered: in sum, by day, by asset and by country',
  example: { query: { days: 7, zone: 'acme' } },
  access: { keys: ['account'], scope: 'insights:read', session: true },
  envelope: 'standard',
  query: z.object({ days, zone }),
  answeredBy: 'any node',
  responses: { 200: { description: 'The statistics', schema: statistics } },
}).handledBy(
  ({ reports, flushTraffic, now }: StatisticsDependencies) =>
    async ({ query, caller, respond }) => {
      await flushTraffic()
      const scope = scopeOf(query, caller)
      const overview = await reports.overview(scope)
      const topAssets = await reports.topAssets(scope, maxTopAssets)
      return respond(200, {
        HttpCode: 200,
        Message: `${overview.requests} requests`,
        Period: periodOf(query),
        Summary: {
          TotalRequests: overview.requests,
          TotalBandwidth: overview.bytes,
          TotalBandwidthHuman: humanSize(overview.bytes),
          CacheHitRate: hitRateText(overview),
          UniqueCountries: overview.uniqueCountries,
        },
        Daily: overview.daily.map(({ day, requests, bytes, hits }) => ({
          Date: dateText(day),
          TotalRequests: requests,
          Bandwidth: bytes,
          BandwidthHuman: humanSize(bytes),
          CacheHit: hits,
          CacheMiss: requests - hits,
        })),
        TopAssets: topAssets.map(({ path, requests, bytes }) => ({
          Path: path,
          Requests: requests,
          Bytes: bytes,
        })),
        GeoDistribution: overview.countries.map(({ country, requests, bytes }) => ({
          CountryCode: country,
          Requests: requests,
          Bytes: bytes,
        })),
        requests: overview.requests,
        bytes: overview.bytes,
        DateFetched: now().toISOString(),
      })
    },
)
