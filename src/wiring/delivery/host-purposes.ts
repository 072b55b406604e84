import { createPreviewHosts } from '../../domain/content/previews/preview-hosts.ts'
import { shownPreview } from '../../domain/content/previews/shown-preview.ts'
import { readTarget } from '../../edge/routing/request-target.ts'
import { loopbackHosts } from '../../edge/routing/site.ts'
import type { HostRules } from '../../planes/delivery/asset-url.ts'
import { s3Prefix, unreadablePrefix } from '../../planes/s3/s3-path.ts'
import type { Manifest } from '../../ports/records/manifest.ts'
import { isBelow } from '../../server/routes.ts'

interface Addresses {
  /** Where clients find the service; without one every host that is no zone's is the service's own. */
  readonly baseUrl: string | undefined
  /** The host name that the dashboard has for itself; without one it is at all of the service's own. */
  readonly dashboardHost?: string | undefined
  /** The host name that is S3's own. */
  readonly s3Host?: string | undefined
  /** Below it each preview has a host name. */
  readonly previewHost?: string | undefined
}

interface Options extends Addresses {
  /** Where other nodes of the cluster reach this one. */
  readonly clusterAddress?: string | undefined
  readonly zoneOfHost: (hostname: string) => string | undefined
  readonly hasZone: (name: string) => boolean
}

/** Which host name is for what: the one place that says so, assets apart (`edge/routing/site.ts`). */
export interface HostPurposes {
  /** Whether the URL is at a host of the service's own, where its pages are. */
  isOurHost(url: string): boolean
  /** Whether the dashboard is there, and so sessions count there. */
  hasDashboard(url: string): boolean
  /**
   * Whether the interface is served there: under a name that somebody else leads here, a browser would take
   * its responses for those of that site.
   */
  hasInterface(url: string): boolean
  /** Whether S3 is spoken there. */
  isOfS3(url: string): boolean
}

/** Asked by programs that know the service by an address within their network: probes, edges, fronts. */
const answeredAnywhere = ['/api/health', '/api/edges', '/api/core/domains/allowed'] as const

/** A page of a preview asks for these, and for nothing that takes a key. */
const madeOfAssets = [
  '/api/transform',
  '/api/auto',
  '/api/picture',
  '/api/stream',
  '/api/signed',
  '/iiif/3',
] as const

/** Signing in is for where the dashboard is, and stored files as they are for everywhere else. */
const dashboardOnly = '/api/passkeys/auth'
const neverAtDashboard = '/api/signed'

/** Where the assets of a zone are that was called so before the name was reserved. */
const formerZone = { name: 's3', path: `${s3Prefix}/v1` } as const

export function createHostPurposes(options: Options): HostPurposes {
  const { baseUrl, dashboardHost, s3Host, clusterAddress, zoneOfHost, hasZone } = options
  const previewHosts = createPreviewHosts(options.previewHost)
  const urls = [baseUrl, clusterAddress].flatMap((url) => url ?? [])
  const own: ReadonlySet<string> = new Set([
    ...loopbackHosts,
    ...urls.map((url) => new URL(url).hostname),
    ...(dashboardHost === undefined ? [] : [dashboardHost]),
  ])
  const isOwn = (hostname: string): boolean =>
    own.has(hostname) ||
    (baseUrl === undefined && zoneOfHost(hostname) === undefined && !previewHosts.has(hostname))
  const hasDashboard = (url: string): boolean => {
    const hostname = hostnameOf(url)
    return dashboardHost === undefined ? isOwn(hostname) : hostname === dashboardHost
  }
  /** With a host for each, what belongs to the other is not there. */
  const isElsewhere = (url: string): boolean =>
    dashboardHost !== undefined &&
    isBelow(url, hasDashboard(url) ? neverAtDashboard : dashboardOnly)
  return {
    isOurHost: (url) => isOwn(hostnameOf(url)),
    hasDashboard,
    hasInterface(url) {
      const hostname = hostnameOf(url)
      if (previewHosts.previewOf(hostname) !== undefined)
        return madeOfAssets.some((path) => isBelow(url, path))
      const isServed = isOwn(hostname) || zoneOfHost(hostname) !== undefined
      if (!isServed) return answeredAnywhere.some((path) => isBelow(url, path))
      return !isElsewhere(url)
    },
    isOfS3(url) {
      const isBelowPath = isBelow(url, s3Prefix) || isBelow(url, unreadablePrefix + s3Prefix)
      if (s3Host === undefined && !isBelowPath) return false
      const hostname = hostnameOf(url)
      if (hostname === s3Host || hostname.endsWith(`.${s3Host}`)) return true
      if (!isBelowPath || !isOwn(hostname)) return false
      return !isBelow(url, formerZone.path) || !hasZone(formerZone.name)
    },
  }
}

/** Whether a URL on that host name can name an asset, to what was asked of us by `request`. */
export const namesAssets =
  ({ baseUrl, zoneOfHost }: Pick<Options, 'baseUrl' | 'zoneOfHost'>) =>
  (hostname: string, request: Request): boolean =>
    zoneOfHost(hostname) !== undefined || hostname === new URL(baseUrl ?? request.url).hostname

/** Whose files host names show, by domains of zones and by the names of previews. */
export function hostsOf({
  zoneOfHost,
  previewHost,
}: Pick<Options, 'zoneOfHost' | 'previewHost'>): Pick<HostRules, 'zoneOfHost' | 'previewOfHost'> {
  const previewHosts = createPreviewHosts(previewHost)
  return {
    zoneOfHost: (hostname) =>
      previewHosts.has(hostname) ? previewHosts.previewOf(hostname)?.zone : zoneOfHost(hostname),
    previewOfHost: (hostname) => previewHosts.previewOf(hostname)?.name,
  }
}

/** What is published, with the zones of the host names of previews. */
export const withPreviewHosts = (
  manifest: Pick<Manifest, 'asset' | 'zone' | 'zoneOfHost'>,
  previewHost: string | undefined,
): Pick<Manifest, 'asset' | 'zone' | 'zoneOfHost'> => ({
  asset: (path) => manifest.asset(path),
  zone: (name) => manifest.zone(name),
  zoneOfHost: hostsOf({ previewHost, zoneOfHost: (hostname) => manifest.zoneOfHost(hostname) })
    .zoneOfHost,
})

interface Previews {
  readonly previewHost: string | undefined
  readonly manifest: Pick<Manifest, 'preview'>
  readonly now: () => Date
}

/** Whether a host name is that of a preview that is there, and not over. */
export function isPreviewAt({ previewHost, ...showing }: Previews): (hostname: string) => boolean {
  const previewHosts = createPreviewHosts(previewHost)
  return (hostname) => {
    const preview = previewHosts.previewOf(hostname)
    return (
      preview !== undefined && shownPreview(preview, { ...showing, isSigned: true }) !== undefined
    )
  }
}

/** `''`, which no host is called, where the URL has no valid one. */
const hostnameOf = (url: string): string => readTarget(url)?.hostname ?? ''
