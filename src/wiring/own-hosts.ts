import { readTarget } from '../edge/request-target.ts'
import { loopbackHosts } from '../edge/site.ts'
import { isBelow } from './routes.ts'

interface Options {
  /** Where clients find the service; without one every host that is no zone's is the service's own. */
  readonly baseUrl: string | undefined
  /** Where other nodes of the cluster reach this one. */
  readonly clusterAddress?: string | undefined
  readonly zoneOfHost: (hostname: string) => string | undefined
}

export interface OwnHosts {
  /** Whether the address is at a host of the service's own, where its pages are. */
  isOurHost(url: string): boolean
  /**
   * Whether the interface answers there: under a name that somebody else leads here, a browser would take
   * its answers for those of that site.
   */
  hasInterface(url: string): boolean
}

/** Asked by programs that know the service by an address within their network: probes, edges, fronts. */
const answeredAnywhere = ['/api/health', '/api/edges', '/api/core/domains/allowed'] as const

export function createOwnHosts({ baseUrl, clusterAddress, zoneOfHost }: Options): OwnHosts {
  const addresses = [baseUrl, clusterAddress].flatMap((address) => address ?? [])
  const own: ReadonlySet<string> = new Set([
    ...loopbackHosts,
    ...addresses.map((address) => new URL(address).hostname),
  ])
  const isOwn = (hostname: string): boolean =>
    own.has(hostname) || (baseUrl === undefined && zoneOfHost(hostname) === undefined)
  return {
    isOurHost: (url) => isOwn(hostnameOf(url)),
    hasInterface(url) {
      const hostname = hostnameOf(url)
      const isServed = isOwn(hostname) || zoneOfHost(hostname) !== undefined
      return isServed || answeredAnywhere.some((path) => isBelow(url, path))
    },
  }
}

/** `''`, which no host is called, where the address has no valid one. */
const hostnameOf = (url: string): string => readTarget(url)?.hostname ?? ''
