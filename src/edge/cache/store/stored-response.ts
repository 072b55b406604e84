import type { Validators } from '../../../http/request/conditional.ts'
import { parseHttpDate } from '../../../http/request/http-date.ts'
import type { ByteSpan } from '../../../http/response/ranges.ts'
import { readResponseDirectives, type ResponseDirectives } from '../rfc9111/cache-control.ts'
import type { CachePolicy } from '../rfc9111/cache-policy.ts'
import {
  dateOf,
  freshnessLifetimeMs,
  initialAgeMs,
  type TimedResponse,
} from '../rfc9111/freshness.ts'
import { withoutHopByHop } from '../rfc9111/message-fields.ts'
import type { PurgeState } from '../../purge/purge-generations.ts'
import type { VaryValues } from '../rfc9111/vary.ts'

/** The bytes of a stored response, which may still be coming in. */
export interface StoredBody {
  /** `undefined` while it is not known. */
  readonly sizeBytes: number | undefined
  readonly isComplete: boolean
  /** All of them, where they are in memory in one piece. Nobody may write to it. */
  readonly held?: Uint8Array<ArrayBuffer> | undefined
  open(span?: ByteSpan): Blob | ReadableStream<Uint8Array>
}

/** What must be kept of a response so that it can be used again. */
export interface StoredRecord {
  readonly key: string
  readonly status: number
  /** End-to-end fields as the origin sent them. */
  readonly headers: Headers
  readonly varyValues: VaryValues
  /** Milliseconds since the epoch. */
  readonly requestedAt: number
  readonly receivedAt: number
  /** The newest purge generation when the fetch began. */
  readonly generation: number
  readonly counters: readonly string[]
}

/** What was found out about a stored response at its last use, so that the next one need not. */
export interface ResponseMemo {
  checkedAt: number
  purgeState: PurgeState
  /** The fields of a plain hit, good for one second: Age and the rest of the lifetime are in them. */
  hitHeaders: Headers | undefined
  hitSecond: number
}

/** A record with what follows from it. Never changed, but for the memo. */
export interface StoredResponse extends StoredRecord {
  readonly memo: ResponseMemo
  readonly body: StoredBody
  readonly validators: Validators
  /** The same for conditions: If-Modified-Since falls back on Date (RFC 9111 §4.3.2), If-Range must not. */
  readonly conditionValidators: Validators
  readonly directives: ResponseDirectives
  readonly lifetimeMs: number
  readonly initialAgeMs: number
}

export function storedResponseOf(
  record: StoredRecord,
  body: StoredBody,
  policy: CachePolicy,
): StoredResponse {
  const directives = readResponseDirectives(record.headers, policy.targetedFields)
  const validators = validatorsOf(record.headers)
  const { etag, lastModified = new Date(dateOf(record)) } = validators
  return {
    ...record,
    body,
    memo: { checkedAt: -1, purgeState: 'current', hitHeaders: undefined, hitSecond: -1 },
    validators,
    conditionValidators: { etag, lastModified },
    directives,
    lifetimeMs: freshnessLifetimeMs(record, directives, policy),
    initialAgeMs: initialAgeMs(record),
  }
}

export const ageMs = (stored: StoredResponse, now: number): number =>
  stored.initialAgeMs + Math.max(0, now - stored.receivedAt)

/** How long it is still fresh; negative once stale. */
export const freshForMs = (stored: StoredResponse, now: number): number =>
  stored.lifetimeMs - ageMs(stored, now)

/** Stored without these it could be of no use but while it is fresh. */
export const canBeValidated = ({ validators }: StoredResponse): boolean =>
  validators.etag !== undefined || validators.lastModified !== undefined

/**
 * The fields worth storing: end-to-end ones, without those that `private` or `no-cache` name, which
 * are for the first receiver or must not be used again unchecked (RFC 9111 §3.1, §5.2.2).
 */
export function storableHeaders(response: TimedResponse, directives: ResponseDirectives): Headers {
  const headers = withoutHopByHop(response.headers)
  for (const name of ['content-length', ...fieldsNamedBy(directives)])
    if (/^[\w-]+$/u.test(name)) headers.delete(name)
  if (!headers.has('date')) headers.set('date', new Date(response.receivedAt).toUTCString())
  return headers
}

function fieldsNamedBy(directives: ResponseDirectives): readonly string[] {
  return [directives.private, directives.noCache].flatMap((value) =>
    typeof value === 'boolean' ? [] : value,
  )
}

function validatorsOf(headers: Headers): Validators {
  const lastModified = headers.get('last-modified')
  const modifiedAt = lastModified === null ? undefined : parseHttpDate(lastModified)
  return {
    etag: headers.get('etag') ?? undefined,
    lastModified: modifiedAt === undefined ? undefined : new Date(modifiedAt),
  }
}
