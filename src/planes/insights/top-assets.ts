import { z } from 'zod'

import { operation } from '../../http/operation.ts'
import {
  datedPeriod,
  datedPeriodOf,
  datedQuery,
  datedScopeOf,
  insightsAccess,
  limit,
  type ReportDependencies,
  zone,
} from './report-query.ts'
import { csvResponse, csvType, format, wantsCsv } from './csv-reports.ts'
import { counted } from '../../lib/text/visible-text.ts'

const topAssets = z.object({
  HttpCode: z.literal(200),
  Message: z.string(),
  Period: datedPeriod,
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
  query: z.object({ ...datedQuery, limit, zone, format }),
  answeredBy: 'any node',
  responses: {
    200: { description: 'Most requests first', schema: topAssets, otherContentTypes: [csvType] },
  },
}).handledBy(
  ({ reports, flushTraffic, now }: ReportDependencies) =>
    async ({ query, request, caller, respond }) => {
      const scope = datedScopeOf(query, caller, now())
      await flushTraffic()
      const assets = await reports.topAssets(scope, query.limit)
      if (wantsCsv({ query, request }))
        return csvResponse({
          name: 'assets',
          columns: ['Path', 'Requests', 'Bytes'],
          rows: assets.map(({ path, requests, bytes }) => [path, requests, bytes]),
        })
      return respond(200, {
        HttpCode: 200,
        Message: counted(assets.length, 'asset'),
        Period: datedPeriodOf(query, now()),
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
