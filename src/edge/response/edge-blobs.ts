import type { BlobStore } from '../../ports/content/blob-store.ts'

/** Where the bytes are. */
export interface EdgeBlobs extends Pick<BlobStore, 'open' | 'read'> {
  /** For a place that forgets bytes: whether it still has them, which then stay for a while. */
  touch?(sha256: string): boolean
}
