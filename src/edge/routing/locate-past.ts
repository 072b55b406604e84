import { hasExpired } from '../../domain/content/delivered/expiry.ts'
import { isPrivate } from '../../domain/content/delivered/delivered-assets.ts'
import { isLetGo } from '../../domain/content/let-go.ts'
import type { Found } from '../../domain/content/past/pins.ts'
import { isCommitName, stateOfPreview } from '../../domain/content/past/version-names.ts'
import { shownPreview } from '../../domain/content/previews/shown-preview.ts'
import type { AssetRecord } from '../../ports/records/asset.ts'
import { readQueryMoment } from '../../lib/text/moments.ts'
import type { ZoneRecord } from '../../ports/records/zone.ts'
import {
  findAsset,
  findZone,
  type LocatedAsset,
  notFound,
  type Published,
  refused,
  type Refused,
  type ToLookUp,
} from './location.ts'
import { refusals } from './refusals.ts'
import type { Site } from './site.ts'

interface PastPath {
  /** Of an asset, as the repository names it below `clients/`. */
  readonly path: string
  /** As it was written; either of the two is there. */
  readonly commit: string | undefined
  readonly moment: string | undefined
}

/** `moment`: the commit of the moment that was asked for. */
export type PastVersion =
  LocatedAsset | Refused | ToLookUp | { readonly kind: 'moment'; readonly commit: string }

/** The asset as a commit has it, where its zone opens its history to everybody; else as it is published. */
export function locatePast(past: PastPath, site: Site, published: Published): PastVersion {
  const { path, commit, moment = '' } = past
  const zone = findZone(path, site, published)
  if ('kind' in zone) return zone
  if (zone.history !== 'public') return findAsset(path, site, published)
  if (commit === undefined) return commitOf(moment, zone, published)
  return isCommitName(commit) ? findPinned(path, { commit, zone }, published) : notFound()
}

function commitOf(text: string, zone: ZoneRecord, { past }: Published): PastVersion {
  const moment = readQueryMoment(text)
  if (moment === undefined) return refused(refusals.malformedMoment)
  const found = past?.knownMoment(zone, moment)
  if (found === undefined) return { kind: 'past', wanted: { zone, moment } }
  return found === null ? notFound() : { kind: 'moment', commit: found }
}

/** The asset as a preview shows it, whether or not its zone opens its history. */
export function locatePreviewed(
  { path, preview: name }: { readonly path: string; readonly preview: string },
  site: Site,
  published: Published,
): LocatedAsset | Refused | ToLookUp {
  const zone = findZone(path, site, published)
  if ('kind' in zone) return zone
  const preview = shownPreview({ zone: zone.name, name }, { ...published, isSigned: false })
  if (preview === undefined) return refused(refusals.previewNotShown)
  const located = findPinned(path, { commit: stateOfPreview(preview), zone }, published)
  return located.kind === 'asset' ? { ...located, preview } : located
}

interface Pinned {
  /** A name of a commit, or the state of a preview. */
  readonly commit: string
  readonly zone: ZoneRecord
}

/** What may be seen is for the present to say; what is there, for the commit. */
function findPinned(
  path: string,
  { commit, zone }: Pinned,
  { manifest, past, now }: Published,
): LocatedAsset | Refused | ToLookUp {
  const shown = manifest.asset(path)
  if (shown !== undefined && hasExpired(shown, now())) return refused(refusals.expired)
  const found = shown?.commitId === commit ? shown : past?.known(zone, commit, path)
  if (found === undefined) return { kind: 'past', wanted: { zone, commit, paths: [path] } }
  const record = publicRecord(found)
  if ('kind' in record) return record
  if (isLetGo(record.sha256)) return refused(refusals.letGo)
  if (manifest.isErased(record.sha256)) return refused(refusals.erased)
  return { kind: 'asset', record, shown, zone, pin: undefined }
}

function publicRecord(found: Found<AssetRecord>): AssetRecord | Refused {
  if (found === 'ambiguous') return refused(refusals.ambiguousCommit)
  return found === null || isPrivate(found) ? notFound() : found
}
