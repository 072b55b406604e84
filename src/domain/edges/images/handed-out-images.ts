import {
  type EdgeOrigin,
  EdgeOriginError,
  type ImageCopy,
} from '../../../ports/edges/edge-origin.ts'
import type { StreamIndexStore } from '../../../ports/media/stream-index-store.ts'
import { ServiceError } from '../../errors.ts'
import type { KnownMedia } from '../../media/facts/known-media.ts'
import type { SmallerCopies } from '../../media/render/smaller-copies.ts'
import { writeFacts } from './facts-messages.ts'

/** What edges may ask about images and videos. */
export interface HandedOutImages {
  /** As {@link writeFacts} writes them; `undefined` where nothing was found yet. */
  facts(sha256: string): Promise<string | undefined>
  copy(key: string): Promise<ImageCopy | undefined>
  /** What packaging a video needs besides the video. */
  streamIndex(sha256: string): Promise<Uint8Array | undefined>
}

/** What the service itself knows. */
export const ownImages = (
  media: Pick<KnownMedia, 'known'>,
  copies: Pick<SmallerCopies, 'read'>,
  indexes: Pick<StreamIndexStore, 'find'>,
): HandedOutImages => ({
  async facts(sha256) {
    const facts = await media.known(sha256)
    return facts && writeFacts(facts)
  },
  copy: (key) => copies.read(key),
  streamIndex: (sha256) => indexes.find(sha256),
})

/** What the origin knows, for edges behind an edge. Rejects with `Unavailable` where that does not say. */
export const passedOnImages = (
  origin: Pick<EdgeOrigin, 'facts' | 'copy' | 'streamIndex'>,
): HandedOutImages => ({
  facts: (sha256) => origin.facts(sha256).catch(unavailable),
  copy: (key) => origin.copy(key).catch(unavailable),
  streamIndex: (sha256) => origin.streamIndex(sha256).catch(unavailable),
})

function unavailable(cause: unknown): never {
  if (!(cause instanceof EdgeOriginError)) throw cause
  throw new ServiceError('Unavailable', 'The origin cannot be asked about images now', { cause })
}
