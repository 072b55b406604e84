import type { PreviewHosts } from '../../domain/content/previews/preview-hosts.ts'
import type { Manifest } from '../../ports/records/manifest.ts'
import type { PreviewKey } from '../../ports/records/preview.ts'

/** Whose files a host name shows. */
export interface Site {
  /** The one zone of a custom domain; `undefined` on the service's own hosts, which show every zone. */
  readonly zone: string | undefined
  /** The name of the preview of the zone that it shows in place of what is published. */
  readonly preview?: string
  /** Whether the site stays what it is however domains come and go. */
  readonly isFixed: boolean
}

interface Options {
  readonly manifest: Pick<Manifest, 'zoneOfHost'>
  /** The service's own URL; without one every host that is no zone's is the service's own. */
  readonly baseUrl: string | undefined
  /** Where the dashboard is alone: nothing is delivered there, whoever had the name before. */
  readonly dashboardHost?: string | undefined
  /** Further host names of the service's own. */
  readonly hosts: readonly string[]
  readonly previewHosts: PreviewHosts
}

/** What only the machine itself can be asked for: checks of its health, and its operator. */
export const loopbackHosts: readonly string[] = ['localhost', '127.0.0.1', '[::1]']
const ownSite: Site = { zone: undefined, isFixed: true }
const anyHostSite: Site = { zone: undefined, isFixed: false }

/** Answers for a host name, or `undefined` for a stranger's: that is nobody's files, never a guess. */
export function createSites(options: Options) {
  const { manifest, baseUrl, dashboardHost, hosts, previewHosts } = options
  const ownHosts: ReadonlySet<string> = new Set([
    ...loopbackHosts,
    ...hosts.map((host) => host.toLowerCase()),
    ...(baseUrl === undefined ? [] : [new URL(baseUrl).hostname]),
  ])
  return (hostname: string): Site | undefined => {
    if (hostname === dashboardHost) return undefined
    if (ownHosts.has(hostname)) return ownSite
    if (previewHosts.has(hostname)) return siteOfPreview(previewHosts.previewOf(hostname))
    const zone = manifest.zoneOfHost(hostname)
    if (zone !== undefined) return { zone, isFixed: false }
    return baseUrl === undefined ? anyHostSite : undefined
  }
}

const siteOfPreview = (preview: PreviewKey | undefined): Site | undefined =>
  preview && { zone: preview.zone, preview: preview.name, isFixed: true }
