import type { Authenticate, GrantCredential } from './authorize.ts'
import type { Operation } from '../operation.ts'
import type { RateLimits } from './rate-limits.ts'

/** Where an upload grant stands in a URL. */
export const grantParameter = 'grant'

/** The row of the rate limits that is charged for each request with an upload grant, a wrong one too. */
export const grantRateLimit = 'upload-grant'

/** What is sent with an upload grant, besides itself. */
export interface GrantContext {
  /** The origin of the page that sends it, where a browser says so. */
  readonly origin: string | undefined
}

/** The credential that a grant is, where it is one that is still good. */
export type FindGrant = (
  grant: string,
  context: GrantContext,
) => Promise<GrantCredential | undefined>

/** The upload grant in the URL of a request for an operation that takes one; nothing is known of it yet. */
export function grantIn({ access }: Operation, url: string): string | undefined {
  if (access === 'public' || access.grant !== true) return undefined
  return URL.parse(url)?.searchParams.get(grantParameter) ?? undefined
}

/** A URL of ours with the upload grant that a request came with, so that who follows it needs no key either. */
export function withGrantOf(request: Pick<Request, 'url'>, url: string): string {
  const grant = URL.parse(request.url)?.searchParams.get(grantParameter)
  if (grant === null || grant === undefined) return url
  return `${url}${url.includes('?') ? '&' : '?'}${grantParameter}=${encodeURIComponent(grant)}`
}

interface GrantAuthentication {
  readonly operation: Operation
  readonly authenticate: Authenticate
  readonly findGrant: FindGrant
  readonly rateLimits: Pick<RateLimits, 'charge'>
}

/**
 * Recognises upload grants besides what `authenticate` does. A request with one is charged to its network
 * before anything is looked up. Its session, if it has any, does not count: responses may be read from
 * everywhere.
 */
export const authenticateGrants =
  ({ operation, authenticate, findGrant, rateLimits }: GrantAuthentication): Authenticate =>
  async (request, clientAddress) => {
    const grant = grantIn(operation, request.url)
    if (grant === undefined) return await authenticate(request, clientAddress)
    rateLimits.charge(grantRateLimit, clientAddress)
    const found = await findGrant(grant, { origin: request.headers.get('origin') ?? undefined })
    const others = await authenticate(request, clientAddress)
    const counting = others.filter(({ kind }) => kind !== 'session')
    return found === undefined ? counting : [found, ...counting]
  }
