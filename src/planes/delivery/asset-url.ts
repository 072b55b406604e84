import {
  type AssetPath,
  decodePath,
  parseAssetPath,
  zoneOf,
} from '../../domain/content/asset-path.ts'
import type { WithheldAssets } from '../../domain/content/delivered/withheld-assets.ts'
import { type NamedVersion, namedVersionIn } from '../../domain/content/past/version-names.ts'
import { invalid, ServiceError } from '../../domain/errors.ts'
import type { Manifest } from '../../ports/records/manifest.ts'

/** What decides on an asset by the host name that is asked. */
export interface HostRules {
  /** The zone that a host name is of. */
  readonly zoneOfHost: (hostname: string) => string | undefined
  /** The name of the preview that a host name shows; `zoneOfHost` has its zone. */
  readonly previewOfHost: (hostname: string) => string | undefined
  readonly withheld: WithheldAssets
}

/** The hosts that assets can be named by. */
export interface Hosts extends HostRules {
  readonly isOurHost: (hostname: string, request: Request) => boolean
  readonly published: Pick<Manifest, 'asset'>
}

/**
 * Refuses an asset that is not shown at the host name of the request: on a zone's own, that of another
 * zone, so that nobody's content is seen under somebody else's name; and what rules withhold.
 */
export function requireShown(
  path: string,
  { url }: Request,
  { zoneOfHost, withheld }: HostRules,
): void {
  const { hostname } = new URL(url)
  const zone = zoneOfHost(hostname)
  if (zone !== undefined && !path.startsWith(`${zone}/`))
    throw new ServiceError('AssetNotFound', `No asset at "${path}"`)
  withheld.requireShown(path, { hostname, zone })
}

/**
 * Takes the version from the front of what names an asset. At the host name of a preview, by which the asset
 * is named or asked for, it is that preview, and no other.
 */
export function versionIn(
  text: string,
  { url }: Request,
  { previewOfHost }: Pick<HostRules, 'previewOfHost'>,
): NamedVersion {
  const named = namedVersionIn(text)
  const host = /^https?:\/\//iu.test(named.text) ? URL.parse(named.text) : null
  const preview = previewOfHost((host ?? new URL(url)).hostname)
  if (preview === undefined) return named
  const version = `~${preview}`
  if (named.version !== undefined && named.version !== version)
    throw new ServiceError('AssetNotFound', 'The host name of a preview shows that one alone')
  return { version, text: named.text }
}

/** A path as the host of the request names files: on a zone's own, `/v1/…` is the zone's. */
export const parsePathAt = (
  text: string,
  { url }: Request,
  { zoneOfHost, target = 'path' }: Pick<HostRules, 'zoneOfHost'> & { readonly target?: string },
): AssetPath => parseAssetPath(inZone(text, zoneOfHost(new URL(url).hostname)), target)

const inZone = (text: string, zone: string | undefined): string =>
  zone !== undefined && /^\/?v1\//u.test(text) ? `${zone}/${text.replace(/^\//u, '')}` : text

/** An asset as a parameter names it: a path, or an address on a host of the service or of its zone. */
export function parseAssetUrl(text: string, request: Request, hosts: Hosts): AssetPath {
  const { isOurHost, zoneOfHost } = hosts
  if (text === '') throw invalid('url', 'is required')
  if (!/^[a-z][a-z0-9+.-]*:|^\/\//iu.test(text)) return parsePath(text, request, hosts)
  if (hasDotSegment(text)) throw invalid('url', 'must not have . or .. segments')
  const url = /^https?:\/\//iu.test(text) ? URL.parse(text) : null
  if (url === null || url.username !== '' || !isOurHost(url.hostname, request))
    throw invalid('url', 'must be an asset path, or a URL on a host of this service')
  const zone = zoneOfHost(url.hostname)
  const path = parseAssetPath(inZone(decodePath(url.pathname.slice(1), 'url'), zone), 'url')
  if (zone !== undefined && zoneOf(path) !== zone)
    throw invalid('url', 'must be on a host of this service, or of the zone of the asset')
  return path
}

/** The host name of a zone's own that an address names the asset by, where it does. */
export function zoneHostIn(text: string, { zoneOfHost }: Hosts): string | undefined {
  const hostname = /^https?:\/\//iu.test(text) ? URL.parse(text)?.hostname : undefined
  return hostname !== undefined && zoneOfHost(hostname) !== undefined ? hostname : undefined
}

/** A query behind a path means as little as behind an address; but a name may hold a `?`. */
function parsePath(text: string, request: Request, { published, zoneOfHost }: Hosts): AssetPath {
  const parse = (named: string) => parsePathAt(named, request, { zoneOfHost, target: 'url' })
  const [path = ''] = text.split('?', 1)
  const parsed = parse(path)
  return path === text || published.asset(parsed) !== undefined ? parsed : parse(text)
}

/** Parsing an address resolves them, as it makes `\\` a slash. */
const hasDotSegment = (address: string): boolean =>
  (address.split(/[?#]/u)[0] ?? '').split(/[/\\]/u).some((segment) => dotSegment.test(segment))

const dotSegment = /^(?:\.|%2e){1,2}$/iu
