import { otherSpellings } from '../other-spellings.ts'
import { pathsOf, type RuleRequest } from '../headers/header-rules.ts'

/** The URL as rules see it, and whose it is. */
export interface RuledUrl extends RuleRequest {
  /** Whether the host name is one of the service's own, where the dashboard may be. */
  readonly isOwnHost: boolean
  /** The zone that has the host name, or that the path begins with; `''` where there is none. */
  readonly zone: string
}

/** `path` at a host name; `hostZone` is the zone whose own the host name is. */
export function ruledUrl(
  { hostname, path }: { readonly hostname: string; readonly path: string },
  hostZone: string | undefined,
): RuledUrl {
  const otherPaths = otherSpellings(path, hostZone)
  return {
    hostname,
    path,
    isOwnHost: hostZone === undefined,
    zone: hostZone ?? firstSegment(path),
    ...(otherPaths.length > 0 && { otherPaths }),
  }
}

/** What a path names first, besides a commit or preview. */
export function firstSegment(path: string): string {
  const end = path.indexOf('/', 1)
  const first = path.slice(1, end === -1 ? undefined : end)
  return first.startsWith('@') || first === 'clients' || !path.startsWith('/')
    ? firstOfVersion(path)
    : first
}

const firstOfVersion = (path: string): string =>
  path.replace(/^\/(?:@[^/]*\/)?(?:clients\/)?/u, '').split('/', 1)[0] ?? ''

/**
 * The request as rules of a zone see it: paths below the zone come first, so that `/v1/logos/*` means
 * the same on every host name.
 */
export function inZone<Request extends RuleRequest>(request: Request, zone: string): Request {
  const all = pathsOf(request)
  const prefix = `/${zone}/`
  const below = all.flatMap((path) =>
    path.startsWith(prefix) ? [path.slice(prefix.length - 1)] : [],
  )
  const [path = request.path, ...otherPaths] = new Set([...below, ...all])
  return { ...request, path, otherPaths }
}
