import { setImmediate } from 'node:timers/promises'

import type { AssetRecord } from '../../../ports/records/asset.ts'
import type { Manifest } from '../../../ports/records/manifest.ts'
import { type Actor, reaches } from '../../access/actor.ts'
import type { KnownLikenesses } from './known-likenesses.ts'
import type { SimilarAsset } from './similar-assets.ts'

/** An image, and those behind it in path order that look like it. */
export interface Duplicates {
  readonly asset: AssetRecord
  readonly similar: readonly SimilarAsset[]
}

export interface DuplicatesPage {
  readonly groups: readonly Duplicates[]
  /** The path to go on after; `undefined` at the end. */
  readonly next: string | undefined
}

export interface DuplicatesQuery {
  readonly actor: Pick<Actor, 'zones'>
  /** Exactly this one; all that the actor reaches where left out. */
  readonly zone: string | undefined
  readonly after: string | undefined
  readonly distance: number
  /** Groups at most. */
  readonly limit: number
}

/** What is there more than once, or nearly. */
export interface DuplicatesReport {
  /** Looks at so many images at most; each image is in one group of a page. */
  find(query: DuplicatesQuery): Promise<DuplicatesPage>
}

interface Dependencies {
  readonly likenesses: Pick<KnownLikenesses, 'similar' | 'ofPath'>
  readonly published: Pick<Manifest, 'asset'> & {
    zones(): readonly { readonly name: string }[]
    /** In path order. */
    zoneFiles(name: string): readonly AssetRecord[]
  }
}

const maxLooked = 5000
const looksPerTurn = 50
const maxSimilar = 20

export function createDuplicatesReport({ likenesses, published }: Dependencies): DuplicatesReport {
  function* images({ actor, zone, after = '' }: DuplicatesQuery): Generator<AssetRecord> {
    for (const { name } of published.zones()) {
      if (!reaches(actor, name) || (zone ?? name) !== name || `${name}/\uffff` < after) continue
      for (const asset of published.zoneFiles(name)) if (asset.path > after) yield asset
    }
  }

  function similarBehind(
    asset: AssetRecord,
    { actor, zone, distance }: DuplicatesQuery,
    told: ReadonlySet<string>,
  ): readonly SimilarAsset[] {
    const bits = likenesses.ofPath(asset.path)
    if (bits === undefined) return []
    const accepts = (path: string): boolean => {
      const other = path > asset.path && !told.has(path) ? published.asset(path) : undefined
      return (
        other !== undefined && reaches(actor, other.zone) && (zone ?? other.zone) === other.zone
      )
    }
    return likenesses.similar(bits, { distance, limit: maxSimilar, accepts }).flatMap((found) => {
      const other = published.asset(found.path)
      const isIdentical = other?.sha256 === asset.sha256
      return other ? [{ asset: other, distance: found.distance, isIdentical }] : []
    })
  }

  return {
    async find(query) {
      const groups: Duplicates[] = []
      const told = new Set<string>()
      let looked = 0
      for (const asset of images(query)) {
        looked += 1
        const similar = similarBehind(asset, query, told)
        for (const { asset: other } of similar) told.add(other.path)
        if (similar.length > 0) groups.push({ asset, similar })
        if (groups.length === query.limit || looked === maxLooked)
          return { groups, next: asset.path }
        if (looked % looksPerTurn === 0) await setImmediate()
      }
      return { groups, next: undefined }
    },
  }
}
