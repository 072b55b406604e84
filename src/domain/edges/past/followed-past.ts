import { LruCache } from '../../../lib/collections/lru-cache.ts'
import type { EdgeOrigin } from '../../../ports/edges/edge-origin.ts'
import type { PinSource } from '../../content/past/pin-source.ts'
import { passedOnPast } from './handed-out-past.ts'
import { assetOrUndefined } from './past-messages.ts'

/** What an edge learns of former commits: it asks its origin. */
export interface FollowedPast extends PinSource {
  /**
   * For bytes that the origin does not have any more: has it bring them from the repository again. Answers
   * whether they are such.
   */
  recall(sha256: string): Promise<boolean>
}

const rememberedPlaces = 16_384

export function createFollowedPast(origin: Pick<EdgeOrigin, 'past'>): FollowedPast {
  const placeBySha256 = new LruCache<{ readonly commit: string; readonly path: string }>({
    maxWeight: rememberedPlaces,
    weigh: () => 1,
  })
  const past = passedOnPast(origin)
  return {
    async assets(text, paths) {
      const { commit, assets } = await past.files(text, paths)
      if (commit === null) return undefined
      if (commit === 'ambiguous') return commit
      const found = paths.map((_, index) => assetOrUndefined(assets[index]))
      for (const asset of found)
        if (asset !== undefined) placeBySha256.set(asset.sha256, { commit, path: asset.path })
      return { commitId: commit, assets: found }
    },
    commitAt: async (zone, moment) => (await past.moment(zone, moment)).commit ?? undefined,
    async recall(sha256) {
      const place = placeBySha256.get(sha256)
      if (place === undefined) return false
      const { assets } = await past.files(place.commit, [place.path])
      return assetOrUndefined(assets[0])?.sha256 === sha256
    },
  }
}
