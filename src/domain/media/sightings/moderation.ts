import { flatMapInTurns } from '../../../lib/async/in-turns.ts'
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
   * nobody has seen it yet: then it is looked at soon. What a person has released is fit, by its path
   * `<zone>/v1/…`, and so are bytes that are live in the zone.
   */
  requireFit(
    zone: string,
    changes: readonly Change[],
    released?: ReadonlySet<string>,
  ): Promise<void>
  /** The same of changes of any zones that would become live without having been in a preview. */
  requireFitLive(changes: readonly Change[]): Promise<void>
}

interface Dependencies {
  readonly sightings: Pick<Sightings, 'of' | 'isSeen'>
  readonly store: Pick<SightingStore, 'flagged'>
  readonly zone: (name: string) => ZoneRecord | undefined
  readonly liveFiles: (zone: string) => Iterable<AssetRecord>
  /** Has an image looked at soon. */
  readonly want: (image: AssetRecord) => void
}

type HeldBecause = 'unsafe' | 'not seen yet' | 'not seen'

interface Held {
  readonly path: string
  readonly reason: HeldBecause
}

const namedAtMost = 20
const nothingReleased: ReadonlySet<string> = new Set()

export function createModeration(dependencies: Dependencies): Moderation {
  const { sightings, store, zone, liveFiles, want } = dependencies

  async function reasonFor(image: AssetRecord): Promise<HeldBecause | undefined> {
    const kept = await sightings.of(image.sha256)
    if (kept === undefined) {
      want(image)
      return 'not seen yet'
    }
    if (kept.sighting === undefined) return 'not seen'
    return kept.sighting.safety === 'unsafe' ? 'unsafe' : undefined
  }

  const isLive = ({ zone: name, sha256 }: AssetRecord): boolean => {
    for (const live of liveFiles(name)) if (live.sha256 === sha256) return true
    return false
  }

  async function heldOf(images: readonly AssetRecord[]): Promise<readonly Held[]> {
    const held: Held[] = []
    for (const image of images) {
      const reason = sightings.isSeen(image) ? await reasonFor(image) : undefined
      if (reason !== undefined && !isLive(image)) held.push({ path: image.path, reason })
    }
    return held
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
    async requireFit(name, changes, released = nothingReleased) {
      if (zone(name)?.moderation !== 'hold') return
      const images = await flatMapInTurns(changes, changesPerTurn, imagesIn)
      const held = await heldOf(images.filter(({ path }) => !released.has(path)))
      if (held.length > 0) throw heldBack(held, 'a person may release them')
    },
    async requireFitLive(changes) {
      const images = await flatMapInTurns(changes, changesPerTurn, imagesIn)
      const held = await heldOf(images.filter((image) => zone(image.zone)?.moderation === 'hold'))
      if (held.length > 0) throw heldBack(held, 'store them in a preview of the zone')
    },
  }
}

/** Thousands of changes let requests be answered meanwhile. */
const changesPerTurn = 500

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

const heldBack = (held: readonly Held[], whatToDo: string) =>
  new ServiceError(
    'ModerationHeld',
    `Images that the zone holds back: ${held.length}. What is not seen yet is looked at soon; ${whatToDo}`,
    {
      details: held
        .slice(0, namedAtMost)
        .map(({ path, reason }) => ({ target: path, message: `is held back: ${reason}` })),
    },
  )
