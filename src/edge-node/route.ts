import type { HostPurposes } from '../wiring/delivery/host-purposes.ts'
import { isBelow } from '../server/routes.ts'
import { createRouteOf } from '../wiring/delivery/request-route.ts'

/** Who responds at an edge: the asset edge, the operations that are here, or the origin. */
export type Responding = 'asset' | 'api' | 'origin'

interface Options {
  /** Whether signatures can be checked here. */
  readonly hasSecret: boolean
  readonly hosts: HostPurposes
  /** Whether edges behind it follow this one rather than the origin. */
  readonly hasFollowers: boolean
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
    return route === 'api' ? apiRoute(request.url, options) : 'origin'
  }
}

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
