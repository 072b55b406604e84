import { type EdgeOrigin, EdgeOriginError } from '../../ports/edges/edge-origin.ts'
import type { StreamIndexStore } from '../../ports/media/stream-index-store.ts'

interface Dependencies {
  readonly kept: StreamIndexStore
  readonly origin: Pick<EdgeOrigin, 'streamIndex'>
  /** Whether the origin is there to be asked. */
  readonly isConnected: () => boolean
}

/**
 * Indexes of videos as the origin made them: to make one, frames all over the video have to be looked
 * at, which an edge would fetch for it. Where the origin cannot say, the edge makes it after all.
 */
export const createFollowedIndexes = ({
  kept,
  origin,
  isConnected,
}: Dependencies): StreamIndexStore => ({
  async find(sha256) {
    const known = await kept.find(sha256)
    if (known !== undefined || !isConnected()) return known
    const found = await origin.streamIndex(sha256).catch(withoutOrigin)
    if (found !== undefined) await kept.save(sha256, found)
    return found
  },
  save: (sha256, bytes) => kept.save(sha256, bytes),
  remove: (sha256) => kept.remove(sha256),
})

function withoutOrigin(error: unknown): undefined {
  if (!(error instanceof EdgeOriginError)) throw error
}
