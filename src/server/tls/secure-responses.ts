import { ServiceError } from '../../domain/errors.ts'
import { errorResponse } from '../../http/response/envelopes.ts'
import type { AddressList } from '../../lib/net/address-list.ts'
import type { Certificate } from './certificates.ts'
import type { Respond } from '../full-server.ts'

interface Options {
  readonly respond: Respond
  /** Whether a host name is a custom domain. */
  readonly isDomain: (hostname: string) => boolean
  /** They may well speak to this service by a name of its own, whatever they were asked for. */
  readonly trustedProxies: AddressList
  readonly hstsMaxAgeSeconds: number | undefined
}

/** What is different about a response because it goes over TLS that this service does itself. */
export interface SecureResponses {
  readonly respond: Respond
  /** To be told of every change of what clients are shown. */
  useCertificates(certificates: readonly Certificate[]): void
}

/**
 * A custom domain for which no certificate was there to show is refused with 421 (RFC 9110 §15.5.20):
 * whoever made the connection cannot have known that it leads there. Bun does not tell which name a
 * client asked for in the handshake, so one that has verified another domain's certificate cannot be
 * told from one that has verified this one's; what it gets depends on Host alone.
 */
export function createSecureResponses(options: Options): SecureResponses {
  const { respond, isDomain, trustedProxies, hstsMaxAgeSeconds } = options
  const hsts = hstsMaxAgeSeconds === undefined ? undefined : `max-age=${hstsMaxAgeSeconds}`
  let names: ReadonlySet<string> = new Set()

  const isMisdirected = (hostname: string, peerAddress: string): boolean =>
    !isCovered(hostname, names) && isDomain(hostname) && !trustedProxies.includes(peerAddress)

  const respondCovered: Respond = (request, peerAddress, keepOpen) =>
    isMisdirected(hostnameOf(request.url), peerAddress)
      ? misdirected()
      : respond(request, peerAddress, keepOpen)

  return {
    useCertificates: (certificates) =>
      void (names = new Set(certificates.flatMap((certificate) => certificate.names))),
    respond: hsts === undefined ? respondCovered : withField(respondCovered, hsts),
  }
}

/** A rule of the tenant's own counts instead. */
function withField(respond: Respond, hsts: string): Respond {
  const add = (response: Response): Response => {
    const { headers } = response
    if (!headers.has(hstsField)) headers.set(hstsField, hsts)
    return response
  }
  return (request, peerAddress, keepOpen) => {
    const response = respond(request, peerAddress, keepOpen)
    return response instanceof Response ? add(response) : response.then(add)
  }
}

const hstsField = 'Strict-Transport-Security'

function isCovered(hostname: string, names: ReadonlySet<string>): boolean {
  const dot = hostname.indexOf('.')
  return names.has(hostname) || (dot > 0 && names.has(`*${hostname.slice(dot)}`))
}

/** Without taking the URL apart any further: every response passes here. */
export function hostnameOf(url: string): string {
  const start = url.indexOf('://') + 3
  const slash = url.indexOf('/', start)
  const host = url.slice(start, slash < 0 ? undefined : slash)
  const colon = host.lastIndexOf(':')
  return colon < 0 || host.endsWith(']') ? host : host.slice(0, colon)
}

const misdirected = (): Response =>
  errorResponse(
    new ServiceError('MisdirectedRequest', 'There is no certificate for this host name here'),
    { envelope: 'standard', requestId: crypto.randomUUID(), at: new Date(), headers: {} },
  )
