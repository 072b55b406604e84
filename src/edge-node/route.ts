import { namesTwoHosts } from '../edge/routing/decide.ts'
import { hasValidHost } from '../http/request/host-field.ts'
import type { HostPurposes } from '../wiring/access/host-purposes.ts'
import { isBelow, isChallenge, isDelivered } from '../server/routes.ts'

/** Who answers a request at an edge. */
export type Route = 'asset' | 'api' | 'origin'

interface Options {
  /** Whether signatures can be checked here. */
  readonly hasSecret: boolean
  readonly hosts: HostPurposes
  /** Whether edges behind it follow this one rather than the origin. */
  readonly hasFollowers: boolean
}

const answeredHere = ['/api/transform', '/api/auto', '/api/health'] as const

export const routeAt =
  (options: Options) =>
  (request: Request): Route => {
    const { url } = request
    // What names no host, or two, can be taken apart by nobody but the edge, which says so.
    if (!hasValidHost(request) || namesTwoHosts(request)) return 'asset'
    if (isBelow(url, '/api'))
      return options.hosts.hasInterface(url) ? apiRoute(url, options) : 'asset'
    if (isDelivered(url)) return 'asset'
    if (isBelow(url, '/watch') || isChallenge(url)) return 'origin'
    // On a host name that is not ours a page of ours is a path like any other.
    return options.hosts.isOurHost(url) ? 'origin' : 'asset'
  }

function apiRoute(url: string, { hasSecret, hasFollowers }: Options): Route {
  if (answeredHere.some((path) => isBelow(url, path))) return 'api'
  const isHere =
    (hasFollowers && isBelow(url, '/api/edges')) ||
    (isBelow(url, '/api/signed') && hasSecret) ||
    (isBelow(url, '/api/stream') && (hasSecret || !isSigned(url)))
  return isHere ? 'api' : 'origin'
}

const isSigned = (url: string): boolean => {
  const { searchParams } = new URL(url)
  return searchParams.has('sig') || searchParams.has('expires')
}
