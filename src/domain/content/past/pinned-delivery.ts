import { type AssetRecord, assetWith } from '../../../ports/records/asset.ts'
import type { Manifest } from '../../../ports/records/manifest.ts'
import type { ZoneRecord } from '../../../ports/records/zone.ts'
import { invalid, ServiceError } from '../../errors.ts'
import { type AssetPath, zoneOf } from '../asset-path.ts'
import { unerased } from '../erased-bytes.ts'
import type { Deliverable } from '../delivered/expiry.ts'
import { requireOpenZone } from '../delivered/delivered-assets.ts'
import { previewNotShown, shownPreview } from '../previews/shown-preview.ts'
import type { Pins } from './pins.ts'
import { type NamedVersion, previewIn, stateOfPreview } from './version-names.ts'

/** What is to be delivered from: what is published, what a commit has, or what a preview shows. */
export interface PinnedDelivery {
  /**
   * `paths` as the version has them, and nothing else; where none is named, what is published. What is
   * suspended, expired or not open is refused as of now.
   */
  from(wanted: WantedDelivery): Promise<Deliverable>
}

export interface WantedDelivery extends Pick<NamedVersion, 'version'> {
  /** Of one zone, the one that is asked for first. */
  readonly paths: readonly [AssetPath, ...string[]]
  /** Whether a signature opens what is not open to all. */
  readonly isSigned: boolean
  /** The IP address of whoever asks. */
  readonly address: string
}

interface Dependencies {
  readonly published: Deliverable
  readonly pins: Pick<Pins, 'known' | 'learn'>
  /** Counts as of now, whatever the commit has. */
  readonly erased: Pick<Manifest, 'isErased'>
  readonly previews: Pick<Manifest, 'preview'>
  readonly now: () => Date
}

export const createPinnedDelivery = ({
  published,
  pins,
  erased,
  previews,
  now,
}: Dependencies): PinnedDelivery => ({
  async from({ version, paths, isSigned, address }) {
    if (version === undefined) return published
    const [path] = paths
    const name = zoneOf(path)
    requireOpenZone(published, name, path)
    const zone = published.zone(name)
    const commit = zone && shownVersion(version, { zone, isSigned }, { previews, now })
    if (zone === undefined || commit === undefined) throw notThere(path, version)
    await pins.learn({ zone, commit, paths }, address)
    if (pins.known(zone, commit, path) === 'ambiguous')
      throw invalid('commit', 'names several commits: write more digits of the one that is meant')
    return {
      ...published,
      asset(wanted) {
        const found = pins.known(zone, commit, wanted)
        if (found === undefined || found === null || found === 'ambiguous') return undefined
        return unerased(wanted, endingAsOfNow(found, shownAt(wanted, published)), erased)
      },
    }
  },
})

/** Whether what is shown now is erased says nothing of what was there before. */
function shownAt(path: string, published: Deliverable): AssetRecord | undefined {
  try {
    return published.asset(path)
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'Erased') return undefined
    throw error
  }
}

interface Asked {
  readonly zone: ZoneRecord
  readonly isSigned: boolean
}

/** What is looked up for a version of a zone; `undefined` where whoever asks may not have it. */
function shownVersion(
  version: string,
  { zone, isSigned }: Asked,
  { previews, now }: Pick<Dependencies, 'previews' | 'now'>,
): string | undefined {
  const name = previewIn(version)
  if (name === undefined)
    return zone.history === 'public' || (zone.history === 'signed' && isSigned)
      ? version
      : undefined
  const preview = shownPreview({ zone: zone.name, name }, { manifest: previews, now, isSigned })
  if (preview === undefined)
    throw new ServiceError('PreviewNotFound', previewNotShown, { target: 'preview' })
  return stateOfPreview(preview)
}

/** When a former version ends is for the present one to say. */
function endingAsOfNow(record: AssetRecord, shown: AssetRecord | undefined): AssetRecord {
  const expiresAt = shown?.metadata?.expiresAt
  return expiresAt === undefined
    ? record
    : assetWith(record, { metadata: { ...record.metadata, expiresAt } })
}

const notThere = (path: string, version: string) =>
  new ServiceError('AssetNotFound', `No asset at "${path}" in the version ${version}`)
