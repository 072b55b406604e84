import { cacheLifetimes } from '../../http/response/cache-lifetimes.ts'
import { namesTwoHosts } from '../../http/request/host-field.ts'
import type { AddressList } from '../../lib/net/address-list.ts'
import { isBelow, isChallenge } from '../routes.ts'
import type { Respond } from '../full-server.ts'
import { hostnameOf } from './secure-responses.ts'

interface Options {
  readonly respond: Respond
  readonly domainOf: (hostname: string) => PlainDomain | undefined
  readonly trustedProxies: AddressList
  /** Where clients find the service by https; its port counts. */
  readonly baseUrl: string | undefined
}

/** What decides whether a custom domain is served plain. */
export interface PlainDomain {
  readonly redirectsToHttps: boolean
  /** `undefined` where it has no certificate. */
  readonly certificateExpiresAt: Date | undefined
}

/**
 * What is served in plain HTTP beside TLS: the challenges of an ACME server, and assets of domains
 * that do not redirect or have no certificate yet. Everything else, the API above all, is sent to https.
 */
export function createPlainResponses(options: Options): Respond {
  const { respond, domainOf, trustedProxies, baseUrl } = options
  const securePort = baseUrl?.startsWith('https:') === true ? new URL(baseUrl).port : ''

  return (request, peerAddress, keepOpen) => {
    const { url, headers } = request
    const hostname = hostnameOf(url)
    const cameByHttps =
      trustedProxies.includes(peerAddress) && headers.get('x-forwarded-proto') === 'https'
    const isServed =
      namesTwoHosts(request) ||
      isChallenge(url) ||
      cameByHttps ||
      isServedPlain(url, domainOf(hostname))
    return isServed ? respond(request, peerAddress, keepOpen) : redirect(url, hostname)
  }

  function redirect(url: string, hostname: string): Response {
    // Bun leaves the path alone where Host was malformed.
    if (hostname === '' || url.startsWith('/')) return new Response(null, { status: 400 })
    const rest = url.slice(url.indexOf('/', url.indexOf('://') + 3))
    const host = securePort === '' ? hostname : `${hostname}:${securePort}`
    return new Response(null, {
      status: 308,
      headers: {
        Location: `https://${host}${rest}`,
        'Cache-Control': cacheLifetimes.redirect,
      },
    })
  }
}

const isServedPlain = (url: string, domain: PlainDomain | undefined): boolean =>
  domain !== undefined &&
  !isBelow(url, '/api') &&
  (!domain.redirectsToHttps || domain.certificateExpiresAt === undefined)
