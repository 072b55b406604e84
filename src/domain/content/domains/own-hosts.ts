import { createPreviewHosts } from '../previews/preview-hosts.ts'

/** Host names that are the service's own, and so no zone's to have. */
export interface OwnHosts {
  has(hostname: string): boolean
  /** Notes under which name an operator uses the service. */
  note(hostname: string): void
  /** Whether the operator has said under which name the service is used; else any may be it. */
  readonly isKnown: boolean
}

interface Options {
  readonly baseUrl: string | undefined
  readonly cnameTarget: string | undefined
  readonly dashboardHost?: string | undefined
  readonly previewHost?: string | undefined
}

/** More names than a service is used under. */
const maxNoted = 100

export function createOwnHosts(options: Options): OwnHosts {
  const { baseUrl, cnameTarget, dashboardHost, previewHost } = options
  const previewHosts = createPreviewHosts(previewHost)
  const configured = new Set([
    ...(baseUrl === undefined ? [] : [new URL(baseUrl).hostname]),
    ...(dashboardHost === undefined ? [] : [dashboardHost]),
    ...(cnameTarget === undefined ? [] : [cnameTarget.toLowerCase()]),
  ])
  const noted = new Set<string>()
  return {
    has: (hostname) =>
      configured.has(hostname) || noted.has(hostname) || previewHosts.has(hostname),
    note(hostname) {
      if (noted.size < maxNoted) noted.add(hostname.toLowerCase())
    },
    isKnown: baseUrl !== undefined,
  }
}
