import { mapConcurrently } from '../../../lib/async/map-concurrently.ts'
import type { BlobStore } from '../../../ports/content/blob-store.ts'
import { type EdgeOrigin, EdgeOriginError } from '../../../ports/edges/edge-origin.ts'
import type { PinSource } from '../../content/past/pin-source.ts'
import { ServiceError } from '../../errors.ts'
import { type MomentMessage, type PastFilesMessage, rowOrNull } from './past-messages.ts'

/** What edges may ask about former commits. */
export interface HandedOutPast {
  files(commit: string, paths: readonly string[]): Promise<PastFilesMessage>
  moment(zone: string, moment: Date): Promise<MomentMessage>
}

const broughtAtOnce = 8

/** What `source` tells; with `bytes`, those of what it tells of can be had from then on. */
export const handedOutPast = (
  source: PinSource,
  bytes?: Required<Pick<BlobStore, 'open'>>,
): HandedOutPast => ({
  async files(text, paths) {
    const found = await source.assets(text, paths)
    if (found === undefined) return { commit: null, assets: [] }
    if (found === 'ambiguous') return { commit: found, assets: [] }
    const { commitId: commit, assets } = found
    if (bytes !== undefined)
      await mapConcurrently(assets, broughtAtOnce, async (asset) => {
        if (asset !== undefined) await bytes.open(asset.sha256).catch(ignoreErased)
      })
    return { commit, assets: assets.map(rowOrNull) }
  },
  moment: async (zone, moment) => ({ commit: (await source.commitAt(zone, moment)) ?? null }),
})

/** What the origin has. Rejects with `Unavailable` where that does not say. */
export const passedOnPast = (origin: Pick<EdgeOrigin, 'past'>): HandedOutPast => ({
  files: async (commit, paths) =>
    (await origin.past({ commit, paths }).catch(unavailable)) as PastFilesMessage,
  moment: async (zone, moment) =>
    (await origin.past({ zone, moment }).catch(unavailable)) as MomentMessage,
})

/** Whoever is told of it knows that it is erased. */
function ignoreErased(error: unknown): void {
  if (!(error instanceof ServiceError) || error.code !== 'Erased') throw error
}

function unavailable(cause: unknown): never {
  if (!(cause instanceof EdgeOriginError)) throw cause
  throw new ServiceError('Unavailable', 'The origin cannot be asked about former commits now', {
    cause,
  })
}
