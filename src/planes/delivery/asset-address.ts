import { type AssetPath, decodePath, parseAssetPath } from '../../domain/content/asset-path.ts'
import { invalid } from '../../domain/errors.ts'
import type { Manifest } from '../../ports/manifest.ts'

/** The hosts that assets can be named by. */
export interface Hosts {
  readonly isOurHost: (hostname: string, request: Request) => boolean
  /** The zone that owns a custom host name. */
  readonly zoneOfHost: (hostname: string) => string | undefined
  readonly published: Pick<Manifest, 'asset'>
}

/** An asset as a parameter names it: a path, or an address on a host of the service or of a zone. */
export function parseAssetAddress(
  text: string,
  request: Request,
  { isOurHost, zoneOfHost, published }: Hosts,
): AssetPath {
  if (text === '') throw invalid('url', 'is required')
  if (!/^[a-z][a-z0-9+.-]*:|^\/\//iu.test(text)) return parsePath(text, published)
  if (hasDotSegment(text)) throw invalid('url', 'must not have . or .. segments')
  const url = /^https?:\/\//iu.test(text) ? URL.parse(text) : null
  if (url === null || url.username !== '' || !isOurHost(url.hostname, request))
    throw invalid('url', 'must be an asset path, or an address on a host of this service')
  const path = decodePath(url.pathname.slice(1), 'url')
  const zone = zoneOfHost(url.hostname)
  return parseAssetPath(
    zone !== undefined && path.startsWith('v1/') ? `${zone}/${path}` : path,
    'url',
  )
}

/** A query behind a path means as little as behind an address; but a name may hold a `?`. */
function parsePath(text: string, published: Hosts['published']): AssetPath {
  const [path = ''] = text.split('?', 1)
  const parsed = parseAssetPath(path, 'url')
  return path === text || published.asset(parsed) !== undefined
    ? parsed
    : parseAssetPath(text, 'url')
}

/** Parsing an address resolves them, as it makes `\\` a slash. */
const hasDotSegment = (address: string): boolean =>
  (address.split(/[?#]/u)[0] ?? '').split(/[/\\]/u).some((segment) => dotSegment.test(segment))

const dotSegment = /^(?:\.|%2e){1,2}$/iu
