import type { ResponseDirectives } from './cache-control.ts'
import type { CachePolicy } from './cache-policy.ts'
import { explicitLifetimeMs, isHeuristicallyCacheable, type TimedResponse } from './freshness.ts'
import { varyNamesOf } from './vary.ts'

export interface StorabilityQuestion {
  readonly response: TimedResponse
  readonly directives: ResponseDirectives & { readonly isTargeted: boolean }
  readonly requestHasAuthorization: boolean
  readonly policy: CachePolicy
}

/** Statuses whose caching rules this cache knows (RFC 9111 §5.2.2.3). */
const understood: ReadonlySet<number> = new Set([
  200, 203, 204, 300, 301, 302, 303, 307, 308, 404, 405, 410, 414, 451, 501,
])

/** Error answers that are about the resource; all others may be about the one request that got them. */
const errorsOfResource: ReadonlySet<number> = new Set([404, 410])

/** One reason not to store a response to a GET, in the words of Cache-Status's `detail`. */
interface Obstacle {
  readonly detail: string
  readonly applies: (question: StorabilityQuestion) => boolean
}

/** RFC 9111 §3, then the precautions of the policy. */
const obstacles: readonly Obstacle[] = [
  { detail: 'partial', applies: ({ response }) => [206, 304].includes(response.status) },
  { detail: 'no-store', applies: isForbidden },
  { detail: 'private', applies: ({ directives }) => directives.private === true },
  { detail: 'authorization', applies: isPersonal },
  { detail: 'vary', applies: ({ response }) => varyNamesOf(response.headers) === undefined },
  { detail: 'not-declared', applies: (question) => !isDeclaredCacheable(question) },
  { detail: 'error', applies: isGuardedError },
  { detail: 'set-cookie', applies: isGuardedCookie },
]

/** Why the response may not be stored, or `undefined` where it may. */
export const obstacleToStoring = (question: StorabilityQuestion): string | undefined =>
  obstacles.find(({ applies }) => applies(question))?.detail

/** `must-understand` overrides `no-store` for a cache that knows the status, and forbids all others. */
function isForbidden({ directives, response }: StorabilityQuestion): boolean {
  if (directives.mustUnderstand) return !understood.has(response.status)
  return directives.noStore
}

function isPersonal({ directives, requestHasAuthorization }: StorabilityQuestion): boolean {
  const isShared =
    directives.public || directives.mustRevalidate || directives.sMaxAge !== undefined
  return requestHasAuthorization && !isShared
}

function isDeclaredCacheable({ response, directives }: StorabilityQuestion): boolean {
  return (
    directives.public ||
    isHeuristicallyCacheable(response.status) ||
    explicitLifetimeMs(response, directives) !== undefined
  )
}

function isGuardedError({ response: { status }, policy }: StorabilityQuestion): boolean {
  return policy.storing === 'guarded' && status >= 400 && !errorsOfResource.has(status)
}

function isGuardedCookie({ response, directives, policy }: StorabilityQuestion): boolean {
  const isDeclaredShared =
    directives.public || directives.sMaxAge !== undefined || directives.isTargeted
  return policy.storing === 'guarded' && !isDeclaredShared && response.headers.has('set-cookie')
}
