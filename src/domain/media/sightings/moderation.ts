import type { Change } from '../../../ports/content/content-store.ts'
import type { SightingStore } from '../../../ports/vision/sighting-store.ts'
import type { Safety } from '../../../ports/records/vision/sighting.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import type { ZoneRecord } from '../../../ports/records/zone.ts'
import {
  categoryOf,
  clientsDirectory,
  fileNameOf,
  formatOf,
  isAssetPath,
  zoneOf,
} from '../../content/asset-path.ts'
import { contentTypeOf } from '../../content/media-type.ts'
import { ServiceError } from '../../errors.ts'
import type { Sightings } from './sightings.ts'

export interface FlaggedAsset {
  readonly asset: AssetRecord
  readonly safety: Exclude<Safety, 'safe'>
}

/** What comes of images that are not fit to be seen by everybody. */
export interface Moderation {
  /** Of these assets, those that a model takes for unfit, in their order. */
  flagged(assets: Iterable<AssetRecord>): Promise<readonly FlaggedAsset[]>
  /**
   * Refuses with `ModerationHeld` where the zone holds what is unfit back and one of the images is, or
   * nobody has seen it yet: then it is looked at soon.
   */
  requireFit(zone: string, changes: readonly Change[]): Promise<void>
}

interface Dependencies {
  readonly sightings: Pick<Sightings, 'of' | 'isSeen'>
  readonly store: Pick<SightingStore, 'flagged'>
  readonly zone: (name: string) => ZoneRecord | undefined
  /** Has an image looked at soon. */
  readonly want: (image: AssetRecord) => void
}

type HeldBecause = 'unsafe' | 'not seen yet' | 'not seen'

const namedAtMost = 20

export function createModeration({ sightings, store, zone, want }: Dependencies): Moderation {
  async function reasonFor(image: AssetRecord): Promise<HeldBecause | undefined> {
    const kept = await sightings.of(image.sha256)
    if (kept === undefined) {
      want(image)
      return 'not seen yet'
    }
    if (kept.sighting === undefined) return 'not seen'
    return kept.sighting.safety === 'unsafe' ? 'unsafe' : undefined
  }

  return {
    async flagged(assets) {
      const safeties = await store.flagged()
      if (safeties.size === 0) return []
      const found: FlaggedAsset[] = []
      for (const asset of assets) {
        const safety = safeties.get(asset.sha256)
        if (safety !== undefined) found.push({ asset, safety })
      }
      return found
    },
    async requireFit(name, changes) {
      if (zone(name)?.moderation !== 'hold') return
      const held: { readonly path: string; readonly reason: HeldBecause }[] = []
      for (const image of changes.flatMap(imagesIn)) {
        const reason = sightings.isSeen(image) ? await reasonFor(image) : undefined
        if (reason !== undefined) held.push({ path: image.path, reason })
      }
      if (held.length > 0) throw heldBack(held)
    },
  }
}

/** What a change would make live, as far as it needs to be known to be looked at. */
function imagesIn(change: Change): readonly AssetRecord[] {
  const path = change.path.slice(clientsDirectory.length + 1)
  if (change.kind !== 'put' || !isAssetPath(path)) return []
  const name = fileNameOf(path)
  const { sha256, sizeBytes } = change.blob
  const long = new Date(0)
  return [
    {
      path,
      zone: zoneOf(path),
      category: categoryOf(path),
      name,
      format: formatOf(name),
      sizeBytes,
      sha256,
      contentType: contentTypeOf(name),
      createdAt: long,
      changedAt: long,
      commitId: '',
    },
  ]
}

const heldBack = (held: readonly { readonly path: string; readonly reason: HeldBecause }[]) =>
  new ServiceError(
    'ModerationHeld',
    `Images that the zone holds back: ${held.length}. What is not seen yet is looked at soon`,
    {
      details: held
        .slice(0, namedAtMost)
        .map(({ path, reason }) => ({ target: path, message: `is held back: ${reason}` })),
    },
  )
