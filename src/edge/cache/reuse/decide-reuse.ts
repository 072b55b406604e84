import type { RequestDirectives } from '../rfc9111/cache-control.ts'
import type { CachePolicy } from '../rfc9111/cache-policy.ts'
import type { PurgeState } from '../../purge/purge-generations.ts'
import { ageMs, freshForMs, type StoredResponse } from '../store/stored-response.ts'

export interface ReuseQuestion {
  readonly stored: StoredResponse
  /** `purged` ones are not asked about. */
  readonly purgeState: Exclude<PurgeState, 'purged'>
  readonly directives: RequestDirectives
  readonly now: number
}

export type ReuseDecision =
  | { readonly kind: 'fresh' }
  /** To be served although stale; with `refreshes`, while it is validated behind the client's back. */
  | { readonly kind: 'stale'; readonly refreshes: boolean }
  | { readonly kind: 'validate'; readonly reason: 'stale' | 'request' }

const fresh: ReuseDecision = { kind: 'fresh' }
const staleAndRefresh: ReuseDecision = { kind: 'stale', refreshes: true }
const staleAsAsked: ReuseDecision = { kind: 'stale', refreshes: false }
const validateAsStale: ReuseDecision = { kind: 'validate', reason: 'stale' }
const validateAsAsked: ReuseDecision = { kind: 'validate', reason: 'request' }

/** Whether a selected response may be used without asking the origin (RFC 9111 §4, §4.2.4, RFC 5861 §3). */
export function decideReuse(question: ReuseQuestion): ReuseDecision {
  const { stored, directives } = question
  if (stored.directives.noCache === true) return validateAsStale
  if (requiresNewer(question)) return validateAsAsked
  const freshFor = remainingMs(question)
  if (freshFor > 0) return fresh
  if (!mayBeServedStale(stored)) return validateAsStale
  if (-freshFor <= (directives.maxStale ?? -1) * 1000) return staleAsAsked
  const window = (stored.directives.staleWhileRevalidate ?? -1) * 1000
  return -freshFor <= window ? staleAndRefresh : validateAsStale
}

export interface ErrorQuestion extends ReuseQuestion {
  readonly policy: CachePolicy
  /** The origin's answer, or `undefined` where there was none. */
  readonly status: number | undefined
}

/** Whether a stale response may stand in for an error (RFC 9111 §4.2.4, RFC 5861 §4). */
export function mayStandInForError(question: ErrorQuestion): boolean {
  const { stored, directives, status, policy } = question
  const isError = status === undefined || [500, 502, 503, 504].includes(status)
  if (!isError || !mayBeServedStale(stored) || directives.noCache) return false
  const asked = stored.directives.staleIfError ?? directives.staleIfError ?? -1
  const window = status === undefined ? Math.max(asked, policy.staleOnDisconnectSeconds) : asked
  return -remainingMs(question) <= window * 1000
}

/** Milliseconds of freshness left; a soft purge ends them now. */
export function remainingMs({ stored, purgeState, now }: ReuseQuestion): number {
  const left = freshForMs(stored, now)
  return purgeState === 'stale' ? Math.min(0, left) : left
}

function requiresNewer(question: ReuseQuestion): boolean {
  const { stored, directives, now } = question
  if (directives.noCache || directives.noStore) return true
  const { maxAge, minFresh } = directives
  if (maxAge !== undefined && ageMs(stored, now) > maxAge * 1000) return true
  if (maxAge === 0) return true
  return minFresh !== undefined && remainingMs(question) < minFresh * 1000
}

function mayBeServedStale({ directives }: StoredResponse): boolean {
  const forbids =
    directives.mustRevalidate ||
    directives.proxyRevalidate ||
    directives.sMaxAge !== undefined ||
    directives.noCache === true
  return !forbids
}
