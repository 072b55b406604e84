import { z } from 'zod'

import { operation } from '../../http/operation.ts'
import {
  days,
  insightsAccess,
  period,
  periodOf,
  type ReportDependencies,
  scopeOf,
  zone,
} from './report-query.ts'
import { counted } from '../../lib/text/visible-text.ts'

const errors = z.object({
  HttpCode: z.literal(200),
  Message: z.string(),
  Period: period,
  Errors: z.array(
    z.object({
      StatusCode: z.int(),
      Count: z.int(),
      TopPaths: z
        .array(z.object({ Path: z.string(), Count: z.int() }))
        .describe('At most ten; `Count` above includes paths that are not told apart'),
    }),
  ),
  DateFetched: z.iso.datetime(),
})

/** `GET /api/insights/errors`. */
export const getErrors = operation({
  id: 'getErrors',
  plane: 'insights',
  method: 'get',
  path: '/api/insights/errors',
  summary: 'What was refused or failed, by status and path',
  example: { query: { days: 7 } },
  access: insightsAccess,
  envelope: 'standard',
  query: z.object({ days, zone }),
  responses: { 200: { description: 'Most frequent first', schema: errors } },
}).handledBy(
  ({ reports, flushTraffic, now }: ReportDependencies) =>
    async ({ query, caller, respond }) => {
      await flushTraffic()
      const groups = await reports.errors(scopeOf(query, caller))
      return respond(200, {
        HttpCode: 200,
        Message: counted(groups.length, 'kind of error', 'kinds of errors'),
        Period: periodOf(query),
        Errors: groups.map(({ status, requests, paths }) => ({
          StatusCode: status,
          Count: requests,
          TopPaths: paths.map((each) => ({ Path: each.path, Count: each.requests })),
        })),
        DateFetched: now().toISOString(),
      })
    },
)
