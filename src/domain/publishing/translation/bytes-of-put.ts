import type { BlobStore } from '../../../ports/content/blob-store.ts'
import type { Put } from '../../../ports/content/content-store.ts'

/** What a commit puts, wherever it is. */
export const bytesOfPut = async (
  { bytes, blob }: Put,
  blobs: Pick<BlobStore, 'read'>,
): Promise<Uint8Array | undefined> => bytes ?? (await blobs.read(blob.sha256))
