import { isIP } from 'node:net'

import { createPublicAddressCheck } from '../../lib/net/public-address.ts'

/** All addresses of a host name. Rejects where it has none. */
export type ResolveName = (hostname: string) => Promise<readonly string[]>

/** Where to connect, checked. */
export interface OutboundTarget {
  readonly url: URL
  /** IP addresses, one at least. Only these may be connected to: the name could mean others by now. */
  readonly addresses: readonly string[]
}

/** Why nothing is sent, as the end of a sentence that begins with `url`. */
export class TargetRefusedError extends Error {
  override readonly name = 'TargetRefusedError'
}

export interface TargetRules {
  readonly resolve: ResolveName
  /** For tests: every address, and http. */
  readonly allowPrivate: boolean
}

export type FindTarget = (url: string) => Promise<OutboundTarget>

/** Names that mean this machine or this network wherever they are looked up. */
const closedNames =
  /(?:^|\.)(?:localhost|local|localdomain|internal|intranet|private|lan|home|corp|home\.arpa)$/u

/** Ports that belong to other protocols; below 1024 all but 443 do. */
const closedPorts =
  /^(?:1719|1720|1723|2049|2375|2379|3306|3389|3659|4045|4190|5060|5061|5432|6000|6379|6566|666[5-9]|6679|6697|9200|10080|11211|27017)$/u

/**
 * Checks IP literals, in every spelling the WHATWG URL parser folds into one, and the addresses that a
 * name resolves to. Throws {@link TargetRefusedError}, or whatever `resolve` throws.
 */
export function createTargetFinder({ resolve, allowPrivate }: TargetRules): FindTarget {
  const isPublic = createPublicAddressCheck()
  return async (text) => {
    const url = parse(text)
    const hostname = url.hostname.replace(/^\[|\]$/gu, '').replace(/\.$/u, '')
    if (!allowPrivate) refuseClosed(url, hostname)
    const found = isIP(hostname) === 0 ? await resolve(hostname) : [hostname]
    const addresses = allowPrivate ? found : found.filter(isPublic)
    if (addresses.length === 0)
      throw new TargetRefusedError('must lead to a public address, and this one does not')
    return { url, addresses }
  }
}

function parse(text: string): URL {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/u.test(url.protocol))
    throw new TargetRefusedError('must be a URL that begins with https://')
  if (url.username !== '' || url.password !== '')
    throw new TargetRefusedError('must not carry a user name or password')
  return url
}

function refuseClosed(url: URL, hostname: string): void {
  if (url.protocol !== 'https:') throw new TargetRefusedError('must begin with https://')
  const port = url.port === '' ? '443' : url.port
  const isOpen = Number(port) >= 1024 ? !closedPorts.test(port) : port === '443'
  if (!isOpen)
    throw new TargetRefusedError('must use port 443, or one from 1024 on that is for HTTP')
  if (isIP(hostname) !== 0) return
  if (!hostname.includes('.') || closedNames.test(hostname))
    throw new TargetRefusedError('must have a public host name')
}
