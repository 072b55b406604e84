import { z } from 'zod'

import type { LogListener } from '../../domain/logs/log-recorder.ts'
import type { EventStreams } from '../../http/response/event-streams.ts'
import { operation } from '../../http/operation.ts'
import { booleanFlag, clampedInteger, oneOf } from '../../http/request/query.ts'
import type { LogRecord, LogStore } from '../../ports/traffic/log-store.ts'

export interface LogsDependencies {
  readonly logs: LogStore
  /** Stores what has been logged until now. */
  readonly flushLogs: () => Promise<void>
  readonly watchLogs: (listener: LogListener) => Disposable
  readonly eventStreams: EventStreams
  readonly now: () => Date
}

const dayMilliseconds = 86_400_000

const entry = z.looseObject({
  timestamp: z.iso.datetime(),
  level: z.enum(['info', 'warn', 'error']),
  code: z.string().nullable(),
  message: z.string(),
  requestId: z.string().nullable(),
})

const logs = z.object({
  HttpCode: z.literal(200),
  Message: z.string(),
  Period: z.object({ Days: z.int() }),
  Entries: z.array(entry),
  logs: z.array(entry),
  Count: z.int(),
  Limit: z.int().describe('The `limit` that was used'),
  DateFetched: z.iso.datetime(),
})

/** `GET /api/logs`. */
export const listLogs = operation({
  id: 'listLogs',
  plane: 'operations',
  method: 'get',
  path: '/api/logs',
  summary: 'Warnings, errors and refused requests',
  example: { query: { days: 1, limit: 20 } },
  description:
    'Kept for seven days, at most 20,000 of each level. With `tail=true` an endless answer instead: Server-Sent Events called `log`, one for each record from now on.',
  access: { keys: ['account'], scope: 'logs:read', session: true },
  envelope: 'standard',
  query: z.object({
    days: clampedInteger({ min: 1, max: 7, default: 1 }),
    level: oneOf(['debug', 'info', 'warn', 'error'], 'Exactly this level').optional(),
    limit: clampedInteger({ min: 1, max: 500, default: 100 }),
    tail: booleanFlag('Follow the log instead').optional(),
  }),
  responses: {
    200: {
      description: 'Newest first',
      schema: logs,
      otherContentTypes: ['text/event-stream'],
      events: { log: entry },
    },
  },
}).handledBy(
  (dependencies: LogsDependencies) =>
    async ({ query: { days, level, limit, tail }, caller, request, respond }) => {
      const { zones } = caller
      if (tail === true) return followLogs(dependencies, { level, zones, request })
      await dependencies.flushLogs()
      const at = dependencies.now()
      const records =
        level === 'debug'
          ? []
          : await dependencies.logs.query({
              since: new Date(at.getTime() - days * dayMilliseconds),
              limit,
              ...(level && { level }),
              ...(zones && { zones }),
            })
      const entries = records.map(entryOf)
      return respond(200, {
        HttpCode: 200,
        Message: `${entries.length} records`,
        Period: { Days: days },
        Entries: entries,
        logs: entries,
        Count: entries.length,
        Limit: limit,
        DateFetched: at.toISOString(),
      })
    },
)

interface Following {
  readonly level: string | undefined
  readonly zones: ReadonlySet<string> | undefined
  readonly request: Request
}

const followLogs = (
  { eventStreams, watchLogs }: LogsDependencies,
  { level, zones, request }: Following,
): Response =>
  eventStreams.open(request, (send) =>
    watchLogs((record) => {
      const isVisible = zones === undefined || zones.has(record.zone ?? '')
      if (isVisible && (level ?? record.level) === record.level) send('log', entryOf(record))
    }),
  )

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
