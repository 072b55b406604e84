import { z } from 'zod'

import type { LogListener } from '../../domain/logs/log-recorder.ts'
import type { EventStreams } from '../../http/response/event-streams.ts'
import { type Caller, operation } from '../../http/operation.ts'
import { booleanFlag, clampedInteger, moment, oneOf } from '../../http/request/query.ts'
import type { LogRecord, LogStore } from '../../ports/traffic/log-store.ts'
import { entrySchema, levelOf, requestEntryOf } from './request-entries.ts'
import {
  createShow,
  findRequests,
  readLogQuery,
  type RequestSearchDependencies,
} from './request-search.ts'

export interface LogsDependencies extends RequestSearchDependencies {
  readonly logs: LogStore
  /** Stores what has been logged until now. */
  readonly flushLogs: () => Promise<void>
  readonly watchLogs: (listener: LogListener) => Disposable
  readonly eventStreams: EventStreams
}

const dayMilliseconds = 86_400_000

const logs = z.object({
  HttpCode: z.literal(200),
  Message: z.string(),
  Period: z.object({ Days: z.int() }),
  Entries: z.array(entrySchema),
  logs: z.array(entrySchema),
  Count: z.int(),
  Limit: z.int().describe('The `limit` that was used'),
  Cursor: z.string().nullable().optional().describe('With `q`: where to go on; null at the end'),
  Looked: z
    .object({
      Lines: z.int().describe('At most 100,000 for one answer'),
      BackTo: z.iso.datetime().nullable(),
      IsComplete: z.boolean().describe('Whether nothing older is left to look at'),
    })
    .optional()
    .describe('With `q`: how far was looked'),
  NotKept: z
    .int()
    .optional()
    .describe('With `q`: requests of a flood, since the start, that were counted and have no line'),
  DateFetched: z.iso.datetime(),
})

/** `GET /api/logs`. */
export const listLogs = operation({
  id: 'listLogs',
  plane: 'operations',
  method: 'get',
  path: '/api/logs',
  summary: 'Warnings, errors and refused requests; with `q`, every request',
  example: { query: { q: 'status:>=400 -path:/favicon.ico', days: 1, limit: 20 } },
  description:
    'Without `q`: what the service noticed, kept for seven days, at most 20,000 of each level. With `q`, which may be empty: a line for each request to delivery and API that fits, as long as there is room (`REQUEST_LOG_MB`, `REQUEST_LOG_DAYS`); conditions such as `status:>=400 method:PUT zone:acme path:/acme/v1/* ms:>200 cache:miss token:ci country:DE code:NotFound id:… bytes:>1mb -status:304 "free text"` must all hold. One answer looks at no more than 100,000 lines: `Cursor` goes on from there. With `tail=true` an endless answer instead: Server-Sent Events called `log`, one for each from now on.',
  access: { keys: ['account'], scope: 'logs:read', session: true },
  envelope: 'standard',
  query: z.object({
    q: z
      .string()
      .max(500, 'must be at most 500 characters long')
      .optional()
      .describe('What requests to find'),
    days: clampedInteger({ min: 1, max: 7, default: 1 }),
    from: moment('With `q`: nothing older, in place of `days`').optional(),
    to: moment('With `q`: nothing newer').optional(),
    level: oneOf(['debug', 'info', 'warn', 'error'], 'Exactly this level').optional(),
    limit: clampedInteger({ min: 1, max: 500, default: 100 }),
    cursor: z
      .string()
      .max(200, 'must be at most 200 characters long')
      .optional()
      .describe('With `q`: the `Cursor` of an earlier answer'),
    tail: booleanFlag('Follow the log instead').optional(),
  }),
  responses: {
    200: {
      description: 'Newest first',
      schema: logs,
      otherContentTypes: ['text/event-stream'],
      events: { log: entrySchema },
    },
  },
}).handledBy((dependencies: LogsDependencies) => async ({ query, caller, request, respond }) => {
  const { q, days, limit, tail } = query
  if (tail === true) return await follow(dependencies, { ...query, caller, request })
  const found =
    q === undefined
      ? { entries: await recordedEntries(dependencies, query, caller) }
      : await requestEntries(dependencies, { ...query, q }, caller)
  const { entries, ...further } = found
  return respond(200, {
    HttpCode: 200,
    Message: `${entries.length} records`,
    Period: { Days: days },
    Entries: entries,
    logs: entries,
    Count: entries.length,
    Limit: limit,
    ...further,
    DateFetched: dependencies.now().toISOString(),
  })
})

interface Asked {
  readonly days: number
  readonly level?: LogRecord['level'] | 'debug' | undefined
  readonly limit: number
}

async function recordedEntries(
  { logs: store, flushLogs, now }: LogsDependencies,
  { days, level, limit }: Asked,
  { zones }: Caller,
) {
  await flushLogs()
  if (level === 'debug') return []
  const since = new Date(now().getTime() - days * dayMilliseconds)
  const query = { since, limit, ...(level && { level }), ...(zones && { zones }) }
  return (await store.query(query)).map(entryOf)
}

async function requestEntries(
  dependencies: LogsDependencies,
  asked: Parameters<typeof findRequests>[1],
  caller: Caller,
) {
  const { lines, ...found } = await findRequests(dependencies, asked, caller)
  const NotKept = dependencies.requests.notKept()
  return { entries: lines.map(requestEntryOf), ...found, NotKept }
}

interface Following {
  readonly q?: string | undefined
  readonly level?: string | undefined
  readonly caller: Caller
  readonly request: Request
}

const follow = async (dependencies: LogsDependencies, following: Following): Promise<Response> =>
  following.q === undefined
    ? followRecords(dependencies, following)
    : await followRequests(dependencies, { ...following, q: following.q })

const followRecords = (
  { eventStreams, watchLogs }: LogsDependencies,
  { level, caller: { zones }, request }: Following,
): Response =>
  eventStreams.open(request, (send) =>
    watchLogs((record) => {
      const isVisible = zones === undefined || zones.has(record.zone ?? '')
      if (isVisible && (level ?? record.level) === record.level) send('log', entryOf(record))
    }),
  )

async function followRequests(
  { eventStreams, requests, audit, published, now }: LogsDependencies,
  { q, level, caller, request }: Following & { readonly q: string },
): Promise<Response> {
  const query = readLogQuery(q)
  const show = await createShow(caller, { audit, published, since: now() })
  return eventStreams.open(request, (send) =>
    requests.watch((lines) => {
      for (const line of lines) {
        const shown = (level ?? levelOf(line)) === levelOf(line) ? show(line) : undefined
        if (shown !== undefined && query.matches(shown)) send('log', requestEntryOf(shown))
      }
    }),
  )
}

/** What the service says of a record goes last: no field may take its place. */
const entryOf = ({ at, level, code, message, requestId, zone, fields }: LogRecord) => ({
  ...fields,
  ...(zone === undefined ? {} : { zone }),
  timestamp: at.toISOString(),
  level,
  code: code ?? null,
  message,
  requestId: requestId ?? null,
})
