import { minCommitDigits } from '../../ports/content/past-commits.ts'
import type { AssetRecord } from '../../ports/records/asset.ts'
import type { PreviewKey } from '../../ports/records/preview.ts'
import { previewIn } from '../../domain/content/past/version-names.ts'
import { locatePast, locatePreviewed, type PastVersion } from './locate-past.ts'
import {
  findAsset,
  type LocatedAsset,
  type Location,
  notFound,
  type Published,
  refused,
  type Refused,
  type ToLookUp,
} from './location.ts'
import { refusals } from './refusals.ts'
import { canonicalPath, type RequestTarget } from './request-target.ts'
import type { Site } from './site.ts'

const minHashPrefix = 8

/** Finds what `target` means on `site`. Decides only; nothing is read but the manifest. */
export function locate(target: RequestTarget, site: Site, published: Published): Location {
  const canonical = canonicalPath(target.path)
  if (canonical === undefined) return refused(refusals.malformedPath)
  const { version, path } = splitVersion(canonical.decoded)
  if (path.startsWith('clients/')) return withoutClients(canonical.encoded, target.query)
  const located = locateVersion({ version, path: ownPath(path, site), target }, site, published)
  if (located.kind === 'moment') return atCommit(located.commit, canonical.encoded, target.query)
  if (located.kind !== 'asset') return located
  if (canonical.encoded !== target.path)
    return { kind: 'redirect', status: 307, location: canonical.encoded + target.query }
  return pinned(located, { commit: version, hash: hashIn(target.query) })
}

interface VersionedPath {
  readonly version: string | undefined
  readonly path: string
  readonly target: RequestTarget
}

/** The host name of a preview shows that one alone. */
function locateVersion(
  { version, path, target }: VersionedPath,
  site: Site,
  published: Published,
): PastVersion {
  const named = version === undefined ? undefined : previewIn(version)
  const preview = site.preview ?? named
  if (site.preview !== undefined && version !== undefined && named !== site.preview)
    return notFound()
  if (preview !== undefined) return locatePreviewed({ path, preview }, site, published)
  const moment = momentIn(target.query)
  return version === undefined && moment === undefined
    ? findAsset(path, site, published)
    : locatePast({ path, commit: version, moment }, site, published)
}

/**
 * Finds the asset that a rule sends a URL to, in the preview that the URL names. The URL stays, so nothing
 * redirects.
 */
export function locateRewritten(
  { path, preview }: { readonly path: string; readonly preview: PreviewKey | undefined },
  site: Site,
  published: Published,
): LocatedAsset | Refused | ToLookUp {
  const canonical = canonicalPath(path)
  if (canonical === undefined) return refused(refusals.malformedPath)
  const own = ownPath(canonical.decoded, site)
  return preview !== undefined && own.startsWith(`${preview.zone}/`)
    ? locatePreviewed({ path: own, preview: preview.name }, site, published)
    : findAsset(own, site, published)
}

/** The preview that a URL of a zone names, by its path or its host. */
export function previewNamed(
  { path }: RequestTarget,
  { site, zone }: { readonly site: Site; readonly zone: string },
): PreviewKey | undefined {
  const { version } = splitVersion(canonicalPath(path)?.decoded ?? '')
  const name = site.preview ?? (version === undefined ? undefined : previewIn(version))
  return name === undefined ? undefined : { zone, name }
}

/** The query stays but for the moment, which the commit takes the place of. */
function atCommit(commit: string, encoded: string, query: string): Location {
  const parameters = new URLSearchParams(query)
  parameters.delete('at')
  const rest = parameters.size > 0 ? `?${parameters.toString()}` : ''
  return { kind: 'redirect', status: 307, location: `/@${commit}${encoded}${rest}` }
}

/** The value of `at`; most queries have none, and are not taken apart for it. */
const momentIn = (query: string): string | undefined =>
  query.includes('at=') ? (new URLSearchParams(query).get('at') ?? undefined) : undefined

/** `@<commit>/<path>` names the path as of a commit, `@~<preview>/<path>` as a preview shows it. */
function splitVersion(decoded: string): { version: string | undefined; path: string } {
  if (!decoded.startsWith('@')) return { version: undefined, path: decoded }
  const slash = decoded.indexOf('/')
  return slash < 0
    ? { version: undefined, path: decoded }
    : { version: decoded.slice(1, slash), path: decoded.slice(slash + 1) }
}

const withoutClients = (encoded: string, query: string): Location => ({
  kind: 'redirect',
  status: 301,
  location: encoded.replace('/clients/', '/') + query,
})

/** On a custom domain `v1/…` is the zone's own. */
const ownPath = (path: string, site: Site): string =>
  site.zone !== undefined && path.startsWith('v1/') ? `${site.zone}/${path}` : path

interface NamedVersion {
  readonly commit: string | undefined
  readonly hash: string | undefined
}

/** The value of `v` where it looks like the start of a SHA-256; any other `v` is the page's own business. */
function hashIn(query: string): string | undefined {
  if (query === '') return undefined
  const value = new URLSearchParams(query).get('v')?.toLowerCase()
  return value !== undefined && isHex(value, minHashPrefix) ? value : undefined
}

function pinned(located: LocatedAsset, { commit, hash }: NamedVersion): Location {
  const { record, preview } = located
  if (hash !== undefined && !record.sha256.startsWith(hash)) return notFound()
  // What a preview shows changes under its URL.
  if (preview !== undefined) return located
  if (commit !== undefined && !isNamedBy(commit, located)) return notFound()
  if (hash === undefined && commit === undefined) return located
  return { ...located, pin: hash === undefined ? '' : `?v=${hash}` }
}

/** What was looked up by a commit may be named by an id that it had before history was written anew. */
const isNamedBy = (commit: string, { record, zone }: LocatedAsset): boolean =>
  zone.history === 'public' || isCommitOf(commit, record)

const isCommitOf = (commit: string, { commitId }: AssetRecord): boolean =>
  isHex(commit, minCommitDigits) && commitId.startsWith(commit)

const isHex = (text: string, minLength: number): boolean =>
  text.length >= minLength && text.length <= 64 && /^[0-9a-f]+$/u.test(text)
