import { z } from 'zod'

import type { NameKind } from '../../ports/traffic/traffic-store.ts'
import { operation } from '../../http/operation.ts'
import { counted } from '../../lib/text/visible-text.ts'
import { csvResponse, csvType, format, wantsCsv } from './csv-reports.ts'
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

const rows = z.array(z.object({ Name: z.string(), Requests: z.int(), Bytes: z.int() }))

const envelope = {
  HttpCode: z.literal(200),
  Message: z.string(),
  Period: datedPeriod,
  Limit: z.int().describe('The `limit` that was used'),
  DateFetched: z.iso.datetime(),
}

const others = z
  .object({ Requests: z.int(), Bytes: z.int() })
  .describe('All that is not listed. No listed name can lack more than this.')

const common = {
  plane: 'insights',
  method: 'get',
  access: insightsAccess,
  envelope: 'standard',
  query: z.object({ ...datedQuery, zone, limit, format }),
} as const

/** `GET /api/insights/referrers`. */
export const getReferrers = operation({
  ...common,
  id: 'getReferrers',
  path: '/api/insights/referrers',
  summary: 'Which sites requests come from',
  description:
    'The host names of referrers; what else a `Referer` says is never stored. `(none)` is of requests that name no page. For each day and zone the 200 with the most requests are told apart.',
  example: { query: { days: 7 } },
  answeredBy: 'any node',
  responses: {
    200: {
      description: 'Most requests first',
      schema: z.object({ ...envelope, Referrers: rows, Others: others }),
      otherContentTypes: [csvType],
    },
  },
}).handledBy((dependencies: ReportDependencies) => async ({ query, request, caller, respond }) => {
  const { names, ...found } = await report('referrer', dependencies, { query, caller })
  if (wantsCsv({ query, request })) return csvResponse(tableOf('referrers', names))
  const Message = counted(names.length, 'referrer')
  return respond(200, { HttpCode: 200, Message, ...found, Referrers: names })
})

/** `GET /api/insights/agents`. */
export const getAgents = operation({
  ...common,
  id: 'getAgents',
  path: '/api/insights/agents',
  summary: 'Which browsers, crawlers and programs ask',
  description:
    'Families without versions, some fifty of them; the `User-Agent` itself is never stored. `(none)` is of requests that send none, `Other` of all that is not known.',
  example: { query: { days: 7 } },
  answeredBy: 'any node',
  responses: {
    200: {
      description: 'Most requests first',
      schema: z.object({ ...envelope, Agents: rows, Others: others }),
      otherContentTypes: [csvType],
    },
  },
}).handledBy((dependencies: ReportDependencies) => async ({ query, request, caller, respond }) => {
  const { names, ...found } = await report('agent', dependencies, { query, caller })
  if (wantsCsv({ query, request })) return csvResponse(tableOf('agents', names))
  const Message = counted(names.length, 'agent')
  return respond(200, { HttpCode: 200, Message, ...found, Agents: names })
})

/** `GET /api/insights/statuses`. */
export const getStatuses = operation({
  ...common,
  id: 'getStatuses',
  path: '/api/insights/statuses',
  summary: 'What requests were answered with, by status',
  description:
    'Each status by its number, and beside them what is left out of all figures: requests of the dashboard itself, for the images that it shows.',
  example: { query: { days: 7 } },
  answeredBy: 'any node',
  responses: {
    200: {
      description: 'Most requests first',
      schema: z.object({
        ...envelope,
        Statuses: z.array(z.object({ StatusCode: z.int(), Requests: z.int(), Bytes: z.int() })),
        LeftOut: z
          .int()
          .describe('Requests that the dashboard made, which no figure of Insights counts'),
      }),
      otherContentTypes: [csvType],
    },
  },
}).handledBy((dependencies: ReportDependencies) => async ({ query, request, caller, respond }) => {
  const { names, Others: _, ...found } = await report('status', dependencies, { query, caller })
  const Statuses = names.map(({ Name, ...sums }) => ({ StatusCode: Number(Name), ...sums }))
  if (wantsCsv({ query, request }))
    return csvResponse({
      name: 'statuses',
      columns: ['StatusCode', 'Requests', 'Bytes'],
      rows: Statuses.map(({ StatusCode, Requests, Bytes }) => [StatusCode, Requests, Bytes]),
    })
  const scope = datedScopeOf(query, caller, dependencies.now())
  const own = await dependencies.reports.names('own', scope, 1)
  const LeftOut = own.names.reduce((sum, { requests }) => sum + requests, 0)
  const Message = counted(Statuses.length, 'status', 'statuses')
  return respond(200, { HttpCode: 200, Message, ...found, Statuses, LeftOut })
})

interface Asked {
  readonly query: z.output<(typeof common)['query']>
  readonly caller: Parameters<typeof datedScopeOf>[1]
}

async function report(
  kind: NameKind,
  { reports, flushTraffic, now }: ReportDependencies,
  { query, caller }: Asked,
) {
  const scope = datedScopeOf(query, caller, now())
  await flushTraffic()
  const { names, rest } = await reports.names(kind, scope, query.limit)
  return {
    Period: datedPeriodOf(query, now()),
    Limit: query.limit,
    names: names.map(({ name, requests, bytes }) => ({
      Name: name,
      Requests: requests,
      Bytes: bytes,
    })),
    Others: { Requests: rest.requests, Bytes: rest.bytes },
    DateFetched: now().toISOString(),
  }
}

const tableOf = (name: string, names: z.infer<typeof rows>) => ({
  name,
  columns: ['Name', 'Requests', 'Bytes'],
  rows: names.map(({ Name, Requests, Bytes }) => [Name, Requests, Bytes]),
})
