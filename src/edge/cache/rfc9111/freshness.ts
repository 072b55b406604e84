import { parseHttpDate } from '../../../http/request/http-date.ts'
import type { ResponseDirectives } from './cache-control.ts'
import type { CachePolicy } from './cache-policy.ts'

/** A response and when it was asked for and came, in milliseconds. */
export interface TimedResponse {
  readonly status: number
  readonly headers: Headers
  readonly requestedAt: number
  readonly receivedAt: number
}

/** RFC 9110 §15.1: may be given a lifetime that the origin did not state. */
const heuristicallyCacheable: ReadonlySet<number> = new Set([
  200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501,
])

export const isHeuristicallyCacheable = (status: number): boolean =>
  heuristicallyCacheable.has(status)

/** How long the response is fresh, counted from when the origin made it (RFC 9111 §4.2.1). */
export function freshnessLifetimeMs(
  response: TimedResponse,
  directives: ResponseDirectives & { readonly isTargeted: boolean },
  policy: CachePolicy,
): number {
  const explicit = explicitLifetimeMs(response, directives)
  const lifetime = explicit ?? heuristicLifetimeMs(response, directives, policy)
  return response.status >= 400 ? Math.min(lifetime, policy.maxNegativeSeconds * 1000) : lifetime
}

export function explicitLifetimeMs(
  response: TimedResponse,
  directives: ResponseDirectives & { readonly isTargeted: boolean },
): number | undefined {
  const seconds = directives.sMaxAge ?? directives.maxAge
  if (seconds !== undefined) return seconds * 1000
  const expires = directives.isTargeted ? null : response.headers.get('expires')
  if (expires === null) return undefined
  // A date that cannot be read, `0` above all, lies in the past (RFC 9111 §5.3).
  const expiresAt = parseHttpDate(expires, response.receivedAt)
  return expiresAt === undefined ? 0 : Math.max(0, expiresAt - dateOf(response))
}

function heuristicLifetimeMs(
  response: TimedResponse,
  directives: ResponseDirectives,
  policy: CachePolicy,
): number {
  const isAllowed = isHeuristicallyCacheable(response.status) || directives.public
  const lastModified = response.headers.get('last-modified')
  if (!isAllowed || lastModified === null) return 0
  const modifiedAt = parseHttpDate(lastModified, response.receivedAt)
  if (modifiedAt === undefined) return 0
  const unchangedMs = Math.max(0, dateOf(response) - modifiedAt)
  return Math.min(unchangedMs * policy.heuristicFraction, policy.maxHeuristicSeconds * 1000)
}

/** The age at the moment it came in (RFC 9111 §4.2.3, `corrected_initial_age`). */
export function initialAgeMs(response: TimedResponse): number {
  const apparent = Math.max(0, response.receivedAt - dateOf(response))
  const delay = response.receivedAt - response.requestedAt
  return Math.max(apparent, ageFieldMs(response.headers.get('age')) + delay)
}

/** When the origin says it made the response; when it came, where it does not say. */
export function dateOf({ headers, receivedAt }: TimedResponse): number {
  const date = headers.get('date')
  return (date === null ? undefined : parseHttpDate(date, receivedAt)) ?? receivedAt
}

/** Of several values the first counts; what is no number of seconds is ignored (RFC 9111 §5.1). */
function ageFieldMs(field: string | null): number {
  const first = field?.split(',')[0]?.trim() ?? ''
  return /^\d+$/u.test(first) ? Math.min(Number(first), 2 ** 31) * 1000 : 0
}
