import { type AssetPath, decodePath, parseAssetPath } from '../../domain/content/asset-path.ts'
import { invalid } from '../../domain/errors.ts'

/** The hosts that assets can be named by. */
export interface Hosts {
  readonly isOurHost: (hostname: string, request: Request) => boolean
  /** The zone that owns a custom host name. */
  readonly zoneOfHost: (hostname: string) => string | undefined
}

/** An asset as a parameter names it: a path, or an address on a host of the service or of a zone. */
export function parseAssetAddress(
  text: string,
  request: Request,
  { isOurHost, zoneOfHost }: Hosts,
): AssetPath {
  if (text === '') throw invalid('url', 'is required')
  if (!/^[a-z][a-z0-9+.-]*:|^\/\//iu.test(text)) return parseAssetPath(text, 'url')
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
