import { z } from 'zod'

import { requireZone } from '../../domain/access/actor.ts'
import { parseAssetPath } from '../../domain/content/asset-path.ts'
import type { FormerNames } from '../../domain/content/files/former-names.ts'
import { invalid } from '../../domain/errors.ts'
import { dateText } from '../../domain/insights/period.ts'
import { operation } from '../../http/operation.ts'
import { actorOf } from '../caller.ts'
import {
  datedPeriod,
  datedPeriodOf,
  datedQuery,
  insightsAccess,
  type ReportDependencies,
  trafficPeriodOf,
} from './report-query.ts'

export interface AssetReportDependencies extends ReportDependencies {
  readonly formerNames: FormerNames
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
  query: z.object({ path: z.string().optional().describe('`<zone>/v1/…`'), ...datedQuery }),
  responses: { 200: { description: 'Day by day, oldest first', schema: assetReport } },
}).handledBy(
  ({ reports, flushTraffic, formerNames, now }: AssetReportDependencies) =>
    async ({ query, caller, respond }) => {
      if (query.path === undefined || query.path === '') throw invalid('path', 'is required')
      const path = parseAssetPath(query.path)
      requireZone(caller, path.split('/')[0] ?? '')
      await flushTraffic()
      const { Days, From, To } = datedPeriodOf(query, now())
      const names = await formerNames.of(path, actorOf(caller))
      const report = await reports.asset([{ path }, ...names], trafficPeriodOf(query, now()))
      return respond(200, {
        HttpCode: 200,
        Message: `${report.requests} requests`,
        Path: path,
        Names: [
          { Path: path, Until: null },
          ...names.map(({ path: name, until }) => ({ Path: name, Until: until.toISOString() })),
        ],
        Period: { Days, From, To },
        TotalRequests: report.requests,
        TotalBandwidthBytes: report.bytes,
        Errors: Object.fromEntries(report.errors),
        Daily: report.daily.map(({ day, requests, bytes, errors }) => ({
          Date: dateText(day),
          Requests: requests,
          Bytes: bytes,
          Errors: errors,
        })),
        DateFetched: now().toISOString(),
      })
    },
)
