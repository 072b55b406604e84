import { hasExpired } from '../../domain/content/delivered/expiry.ts'
import { isPrivate } from '../../domain/content/delivered/delivered-assets.ts'
import type { Pins, WantedPast } from '../../domain/content/past/pins.ts'
import type { Manifest } from '../../ports/records/manifest.ts'
import type { PreviewRecord } from '../../ports/records/preview.ts'
import type { AssetRecord } from '../../ports/records/asset.ts'
import type { ZoneRecord } from '../../ports/records/zone.ts'
import { refusals, type Refusal } from './refusals.ts'
import type { Site } from './site.ts'

/** What is published, at a moment. */
export interface Published {
  readonly manifest: Manifest
  /** What is known of former commits. Left out, nothing is. */
  readonly past?: Pick<Pins, 'known' | 'knownMoment'> | undefined
  readonly now: () => Date
}

/** What a URL stands for. */
export type Location =
  | LocatedAsset
  | { readonly kind: 'redirect'; readonly status: number; readonly location: string }
  | Refused
  | ToLookUp

export interface LocatedAsset {
  readonly kind: 'asset'
  readonly record: AssetRecord
  /** What is published at its path: the record itself, another where that is a former commit's, or nothing. */
  readonly shown: AssetRecord | undefined
  readonly zone: ZoneRecord
  /** Set where the URL names these very bytes, so that its answer holds for ever: by which query. */
  readonly pin: string | undefined
  /** Set where it is shown by a preview, as that is now. */
  readonly preview?: PreviewRecord
}

export interface Refused {
  readonly kind: 'refused'
  readonly refusal: Refusal
}

/** What has to be looked up before anything is decided. */
export interface ToLookUp {
  readonly kind: 'past'
  readonly wanted: WantedPast
}

export const refused = (refusal: Refusal): Refused => ({ kind: 'refused', refusal })
export const notFound = (): Refused => refused(refusals.notFound)

/** The asset that is published at a path, where it is delivered at the site. */
export function findAsset(path: string, site: Site, published: Published): LocatedAsset | Refused {
  const { manifest, now } = published
  const zone = findZone(path, site, published)
  if ('kind' in zone) return zone
  const record = manifest.asset(path)
  if (record === undefined && manifest.isErased(path)) return refused(refusals.erased)
  if (record === undefined || isPrivate(record)) return notFound()
  if (manifest.isErased(record.sha256)) return refused(refusals.erased)
  if (hasExpired(record, now())) return refused(refusals.expired)
  return { kind: 'asset', record, shown: record, zone, pin: undefined }
}

/** The zone of a path, where it is delivered at the site. */
export function findZone(path: string, site: Site, { manifest }: Published): ZoneRecord | Refused {
  const zoneName = path.slice(0, path.indexOf('/'))
  const zone = manifest.zone(zoneName)
  const isForeign = site.zone !== undefined && site.zone !== zoneName
  if (zone === undefined || isForeign || !zone.enabled) return notFound()
  if (zone.suspended) return refused(refusals.suspended)
  return zone.delivery === 'cut' ? refused(refusals.usedUp) : zone
}
