import { z } from 'zod'

import { operation } from '../../http/operation.ts'
import {
  days,
  insightsAccess,
  limit,
  period,
  periodOf,
  type ReportDependencies,
  scopeOf,
  zone,
} from './report-query.ts'
import { counted } from '../../lib/text/visible-text.ts'

const topAssets = z.object({
  HttpCode: z.literal(200),
  Message: z.string(),
  Period: period,
  Limit: z.int().describe('The `limit` that was used'),
  Assets: z.array(z.object({ Path: z.string(), Requests: z.int(), Bytes: z.int() })),
  assets: z.array(z.object({ path: z.string(), requests: z.int(), bytes: z.int() })),
  DateFetched: z.iso.datetime(),
})

/** `GET /api/insights/top-assets`. */
export const getTopAssets = operation({
  id: 'getTopAssets',
  plane: 'insights',
  method: 'get',
  path: '/api/insights/top-assets',
  summary: 'The assets with the most requests',
  example: { query: { days: 7, limit: 10 } },
  access: insightsAccess,
  envelope: 'standard',
  query: z.object({ days, limit, zone }),
  responses: { 200: { description: 'Most requests first', schema: topAssets } },
}).handledBy(
  ({ reports, flushTraffic, now }: ReportDependencies) =>
    async ({ query, caller, respond }) => {
      await flushTraffic()
      const assets = await reports.topAssets(scopeOf(query, caller), query.limit)
      return respond(200, {
        HttpCode: 200,
        Message: counted(assets.length, 'asset'),
        Period: periodOf(query),
        Limit: query.limit,
        Assets: assets.map(({ path, requests, bytes }) => ({
          Path: path,
          Requests: requests,
          Bytes: bytes,
        })),
        assets: assets.map(({ path, requests, bytes }) => ({ path, requests, bytes })),
        DateFetched: now().toISOString(),
      })
    },
)
