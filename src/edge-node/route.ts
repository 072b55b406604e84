import { createHostPurposes, type HostPurposes } from '../wiring/delivery/host-purposes.ts'
import type { PublishedState } from '../domain/edges/manifest/manifest-parts.ts'
import { isBelow } from '../server/routes.ts'
import { createRouteOf, type Route } from '../wiring/delivery/request-route.ts'
import type { EdgeNodeSettings } from './edge-node-settings.ts'

/** Who responds at an edge: the asset edge, the operations that are here, at a node reads, or the origin. */
export type Responding = 'asset' | 'api' | 'read' | 'origin'

interface Options {
  /** Whether signatures can be checked here. */
  readonly hasSecret: boolean
  readonly hosts: HostPurposes
  /** Whether edges behind it follow this one rather than the origin. */
  readonly hasFollowers: boolean
  /** Whether it is a read of the interface that this node answers. */
  readonly isRead: (request: Request) => boolean
}

const answeredHere = [
  '/api/transform',
  '/api/auto',
  '/api/picture',
  '/iiif/3',
  '/api/health',
] as const

export const routeAt = (options: Options): ((request: Request) => Responding) => {
  const routeOf = createRouteOf(options.hosts)
  return (request) => {
    const route = routeOf(request)
    if (route === 'asset') return 'asset'
    const by = route === 'api' ? apiRoute(request.url, options) : 'origin'
    return by === 'origin' && withOperations.has(route) && options.isRead(request) ? 'read' : by
  }
}

/** Where operations are, among pages or not. */
const withOperations: ReadonlySet<Route> = new Set(['api', 'dashboard', 'site'])

function apiRoute(url: string, { hasSecret, hasFollowers }: Options): Responding {
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

/** Which host name is for what, as far as an edge knows. */
export const hostsAt = (
  { baseUrl, dashboardHost, s3Host, previewHost }: EdgeNodeSettings,
  published: PublishedState,
  clusterAddress: string | undefined,
): HostPurposes =>
  createHostPurposes({
    baseUrl,
    dashboardHost,
    s3Host,
    previewHost,
    clusterAddress,
    zoneOfHost: (hostname) => published.zoneOfHost(hostname),
    hasZone: (name) => published.zone(name) !== undefined,
  })
