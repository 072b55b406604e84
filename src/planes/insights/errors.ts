import { z } from 'zod'

import { operation } from '../../http/operation.ts'
import {
  datedPeriod,
  datedPeriodOf,
  datedQuery,
  datedScopeOf,
  insightsAccess,
  type ReportDependencies,
  zone,
} from './report-query.ts'
import { csvResponse, csvType, format, wantsCsv } from './csv-reports.ts'
import { counted } from '../../lib/text/visible-text.ts'

const errors = z.object({
  HttpCode: z.literal(200),
  Message: z.string(),
  Period: datedPeriod,
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
  query: z.object({ ...datedQuery, zone, format }),
  answeredBy: 'any node',
  responses: {
    200: { description: 'Most frequent first', schema: errors, otherContentTypes: [csvType] },
  },
}).handledBy(
  ({ reports, flushTraffic, now }: ReportDependencies) =>
    async ({ query, request, caller, respond }) => {
      const scope = datedScopeOf(query, caller, now())
      await flushTraffic()
      const groups = await reports.errors(scope)
      if (wantsCsv({ query, request }))
        return csvResponse({
          name: 'errors',
          columns: ['StatusCode', 'Path', 'Requests'],
          rows: groups.flatMap(({ status, paths }) =>
            paths.map((each) => [status, each.path, each.requests]),
          ),
        })
      return respond(200, {
        HttpCode: 200,
        Message: counted(groups.length, 'kind of error', 'kinds of errors'),
        Period: datedPeriodOf(query, now()),
        Errors: groups.map(({ status, requests, paths }) => ({
          StatusCode: status,
          Count: requests,
          TopPaths: paths.map((each) => ({ Path: each.path, Count: each.requests })),
        })),
        DateFetched: now().toISOString(),
      })
    },
)
