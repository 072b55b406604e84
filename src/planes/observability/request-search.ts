import { type LogQuery, parseLogQuery } from '../../domain/logs/query/log-query.ts'
import { readCursor, writeCursor } from '../../domain/logs/requests/line-cursor.ts'
import type { RequestListener } from '../../domain/logs/requests/request-log.ts'
import { searchRequests } from '../../domain/logs/requests/search-requests.ts'
import { invalid, ServiceError } from '../../domain/errors.ts'
import type { Caller } from '../../http/operation.ts'
import type { AuditLog } from '../../ports/content/audit-log.ts'
import type { Manifest } from '../../ports/records/manifest.ts'
import type { RequestLine, RequestLogStore } from '../../ports/traffic/request-log-store.ts'
import { zoneBeginnings } from '../core/zone-beginnings.ts'
import { levelOf } from './request-entries.ts'

export interface RequestSearchDependencies {
  readonly requests: {
    readonly store: Pick<RequestLogStore, 'read'>
    /** Stores what was noted until now, in every process of this node. */
    readonly flush: () => Promise<void>
    readonly watch: (listener: RequestListener) => Disposable
    readonly notKept: () => number
  }
  readonly audit: Pick<AuditLog, 'query'>
  readonly published: Pick<Manifest, 'zone'>
  readonly now: () => Date
}

export interface RequestQuestion {
  readonly q: string
  readonly days: number
  readonly from?: Date | undefined
  readonly to?: Date | undefined
  readonly level?: string | undefined
  readonly limit: number
  readonly cursor?: string | undefined
}

/** One question looks at no more; whoever wants to know more goes on from where it ended. */
const maxLines = 100_000
const dayMilliseconds = 86_400_000

/** Throws `InvalidParameter`, with the position of what is wrong. */
export function readLogQuery(q: string): LogQuery {
  const parsed = parseLogQuery(q)
  if ('query' in parsed) return parsed.query
  const { position, message } = parsed.fault
  throw new ServiceError('InvalidParameter', `q ${message} (at character ${position + 1})`, {
    target: 'q',
    context: { Position: position },
  })
}

export async function findRequests(
  { requests, ...known }: RequestSearchDependencies,
  asked: RequestQuestion,
  caller: Caller,
) {
  const { days, level, limit } = asked
  const query = readLogQuery(asked.q)
  const cursor = asked.cursor === undefined ? {} : readCursor(asked.cursor)
  if (cursor === undefined) throw invalid('cursor', 'must be the `Cursor` of an earlier answer')
  const since = asked.from ?? new Date(known.now().getTime() - days * dayMilliseconds)
  const show = await createShow(caller, { ...known, since })
  await requests.flush()
  const found = await searchRequests(requests.store, {
    query,
    show: (line) => (level === undefined || levelOf(line) === level ? show(line) : undefined),
    from: since.getTime(),
    to: asked.to?.getTime() ?? Infinity,
    limit,
    cursor,
    maxLines,
  })
  return {
    lines: found.lines,
    Cursor: found.cursor === undefined ? null : writeCursor(found.cursor),
    Looked: {
      Lines: found.looked,
      BackTo: found.lookedBackTo === undefined ? null : new Date(found.lookedBackTo).toISOString(),
      IsComplete: found.cursor === undefined,
    },
  }
}

type Show = (line: RequestLine) => RequestLine | undefined

interface Known extends Pick<RequestSearchDependencies, 'audit' | 'published'> {
  readonly since: Date
}

/**
 * What a caller may see: a credential narrowed to some zones sees requests about those alone, since they
 * began, and does not learn what others call their credentials.
 */
export async function createShow(caller: Caller, known: Known): Promise<Show> {
  const { zones, credentialId } = caller
  if (zones === undefined) return (line) => line
  const beginnings = await zoneBeginnings(zones, known)
  return (line) => {
    if (!zones.has(line.zone) || line.at < (beginnings.get(line.zone) ?? Infinity)) return undefined
    const { by, ...rest } = line
    if (by === undefined || by.id === credentialId) return line
    return { ...rest, by: { kind: by.kind, id: by.kind } }
  }
}
