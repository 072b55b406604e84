import { LruCache } from '../../../lib/collections/lru-cache.ts'
import type { EdgeOrigin } from '../../../ports/edges/edge-origin.ts'
import type { PastStore } from '../../../ports/edges/past-store.ts'
import type { Manifest } from '../../../ports/records/manifest.ts'
import type { PinnedFiles, PinSource } from '../../content/past/pin-source.ts'
import { isWholeName } from '../../content/past/version-names.ts'
import { ServiceError } from '../../errors.ts'
import { passedOnPast } from './handed-out-past.ts'
import { createKeptPast } from './kept-past.ts'
import { assetOrUndefined } from './past-messages.ts'

/** What an edge learns of former commits: it asks its origin, and keeps what it says. */
export interface FollowedPast extends PinSource {
  /**
   * For bytes that the origin does not have any more: has it bring them from the repository again. Answers
   * whether they are such.
   */
  recall(sha256: string): Promise<boolean>
}

interface Dependencies {
  readonly origin: Pick<EdgeOrigin, 'past'>
  readonly published: Pick<Manifest, 'zone'>
  readonly store: PastStore
  /** What cannot be kept is told all the same. */
  readonly onFault: (error: unknown) => void
}

type Told = PinnedFiles | 'ambiguous' | undefined

const rememberedPlaces = 16_384

/**
 * What is kept of a whole id is true for ever, and the origin is not asked again. What the first digits of
 * one mean, and a moment, it is asked while it can be: there may be another such commit by now.
 */
export function createFollowedPast(dependencies: Dependencies): FollowedPast {
  const { origin, published, store, onFault } = dependencies
  const placeBySha256 = new LruCache<{ readonly commit: string; readonly path: string }>({
    maxWeight: rememberedPlaces,
    weigh: () => 1,
  })
  const past = passedOnPast(origin)
  const kept = createKeptPast({ published, store })

  async function told(text: string, paths: readonly string[]): Promise<Told> {
    const files = kept.files(text, paths)
    const { commit, assets } = await past.files(text, paths)
    if (commit === null) return undefined
    if (commit === 'ambiguous') return commit
    const found = paths.map((_, index) => assetOrUndefined(assets[index]))
    await files.keep({ commitId: commit, assets: found }).catch(onFault)
    return { commitId: commit, assets: found }
  }

  /** So that bytes can be had again of what is known since the last start, too. */
  function notePlaces(files: Told): Told {
    if (typeof files === 'object')
      for (const asset of files.assets)
        if (asset !== undefined)
          placeBySha256.set(asset.sha256, { commit: files.commitId, path: asset.path })
    return files
  }

  return {
    async assets(text, paths) {
      const known = isWholeName(text) ? await kept.files(text, paths).read() : undefined
      if (known !== undefined) return notePlaces(known)
      return notePlaces(await orKept(told(text, paths), () => kept.files(text, paths).read()))
    },
    async commitAt(zone, moment) {
      const known = kept.moment(zone, moment)
      const asked = past.moment(zone, moment).then(async ({ commit }) => {
        if (commit !== null) await known.keep(commit).catch(onFault)
        return commit ?? undefined
      })
      return await orKept(asked, () => known.read())
    },
    async recall(sha256) {
      const place = placeBySha256.get(sha256)
      if (place === undefined) return false
      const { assets } = await past.files(place.commit, [place.path])
      return assetOrUndefined(assets[0])?.sha256 === sha256
    },
  }
}

/** What the origin says; where it cannot be asked, what it once said. */
async function orKept<T>(asked: Promise<T>, keptOf: () => Promise<T | undefined>): Promise<T> {
  try {
    return await asked
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'Unavailable') throw error
    const kept = await keptOf()
    if (kept === undefined) throw error
    return kept
  }
}
