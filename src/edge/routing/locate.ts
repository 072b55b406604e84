import { hasExpired } from '../../domain/content/delivered/expiry.ts'
import type { Manifest } from '../../ports/records/manifest.ts'
import type { AssetRecord } from '../../ports/records/asset.ts'
import type { ZoneRecord } from '../../ports/records/zone.ts'
import { refusals, type Refusal } from './refusals.ts'
import { canonicalPath, type RequestTarget } from './request-target.ts'
import type { Site } from './site.ts'

/** What is published, at a moment. */
export interface Published {
  readonly manifest: Manifest
  readonly now: () => Date
}

/** What a URL stands for. */
export type Location =
  | LocatedAsset
  | { readonly kind: 'redirect'; readonly status: number; readonly location: string }
  | Refused

export interface LocatedAsset {
  readonly kind: 'asset'
  readonly record: AssetRecord
  readonly zone: ZoneRecord
  /** Set where the URL names these very bytes, so that its answer holds for ever: by which query. */
  readonly pin: string | undefined
}

export interface Refused {
  readonly kind: 'refused'
  readonly refusal: Refusal
}

/** Reachable through signed URLs alone. */
const privateCategory = 'private'
const minHashPrefix = 8
const minCommitPrefix = 7

const refused = (refusal: Refusal): Refused => ({ kind: 'refused', refusal })
const notFound = (): Refused => refused(refusals.notFound)

/** Finds what `target` means on `site`. Decides only; nothing is read but the manifest. */
export function locate(target: RequestTarget, site: Site, published: Published): Location {
  const canonical = canonicalPath(target.path)
  if (canonical === undefined) return refused(refusals.malformedPath)
  const { commit, path } = splitCommit(canonical.decoded)
  if (path.startsWith('clients/')) return withoutClients(canonical.encoded, target.query)
  const located = findAsset(ownPath(path, site), site, published)
  if (located.kind !== 'asset') return located
  if (canonical.encoded !== target.path)
    return { kind: 'redirect', status: 307, location: canonical.encoded + target.query }
  return pinned(located, { commit, hash: hashIn(target.query) })
}

/** Finds the asset that a rule sends a URL to. The URL stays, so nothing redirects. */
export function locateRewritten(
  path: string,
  site: Site,
  published: Published,
): LocatedAsset | Refused {
  const canonical = canonicalPath(path)
  return canonical === undefined
    ? refused(refusals.malformedPath)
    : findAsset(ownPath(canonical.decoded, site), site, published)
}

/** `@<commit>/<path>` names the path as of a commit. */
function splitCommit(decoded: string): { commit: string | undefined; path: string } {
  if (!decoded.startsWith('@')) return { commit: undefined, path: decoded }
  const slash = decoded.indexOf('/')
  return slash < 0
    ? { commit: undefined, path: decoded }
    : { commit: decoded.slice(1, slash), path: decoded.slice(slash + 1) }
}

const withoutClients = (encoded: string, query: string): Location => ({
  kind: 'redirect',
  status: 301,
  location: encoded.replace('/clients/', '/') + query,
})

/** On a custom domain `v1/…` is the zone's own. */
const ownPath = (path: string, site: Site): string =>
  site.zone !== undefined && path.startsWith('v1/') ? `${site.zone}/${path}` : path

function findAsset(path: string, site: Site, { manifest, now }: Published): LocatedAsset | Refused {
  const zoneName = path.slice(0, path.indexOf('/'))
  const zone = manifest.zone(zoneName)
  const isForeign = site.zone !== undefined && site.zone !== zoneName
  if (zone === undefined || isForeign || !zone.enabled) return notFound()
  if (zone.suspended) return refused(refusals.suspended)
  const record = manifest.asset(path)
  if (record === undefined || record.category === privateCategory) return notFound()
  if (hasExpired(record, now())) return refused(refusals.expired)
  return { kind: 'asset', record, zone, pin: undefined }
}

interface Version {
  readonly commit: string | undefined
  readonly hash: string | undefined
}

/** The value of `v` where it looks like the start of a SHA-256; any other `v` is the page's own business. */
function hashIn(query: string): string | undefined {
  if (query === '') return undefined
  const value = new URLSearchParams(query).get('v')?.toLowerCase()
  return value !== undefined && isHex(value, minHashPrefix) ? value : undefined
}

function pinned(located: LocatedAsset, { commit, hash }: Version): Location {
  const { record } = located
  if (hash !== undefined && !record.sha256.startsWith(hash)) return notFound()
  if (commit !== undefined && !isCommitOf(commit, record)) return notFound()
  if (hash === undefined && commit === undefined) return located
  return { ...located, pin: hash === undefined ? '' : `?v=${hash}` }
}

const isCommitOf = (commit: string, { commitId }: AssetRecord): boolean =>
  isHex(commit, minCommitPrefix) && commitId.startsWith(commit)

const isHex = (text: string, minLength: number): boolean =>
  text.length >= minLength && text.length <= 64 && /^[0-9a-f]+$/u.test(text)
