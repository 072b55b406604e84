import type { Log } from '../../../lib/log.ts'
import type { BlobStore } from '../../../ports/content/blob-store.ts'
import type { Put } from '../../../ports/content/content-store.ts'

/** What a commit puts, wherever it is. */
export const bytesOfPut = async (
  { bytes, blob }: Put,
  blobs: Pick<BlobStore, 'read'>,
): Promise<Uint8Array | undefined> => bytes ?? (await blobs.read(blob.sha256))

/** Settings and rules that others pushed may have any size; what is too long for them counts as empty. */
const longestBytes = 26_214_400

/** The same of a file that has to be short. */
export async function shortBytesOfPut(
  put: Put,
  { blobs, log }: { readonly blobs: Pick<BlobStore, 'read'>; readonly log: Pick<Log, 'warn'> },
): Promise<Uint8Array | undefined> {
  const { path, blob } = put
  if (blob.sizeBytes <= longestBytes) return await bytesOfPut(put, blobs)
  log.warn('a file in the repository is too long to be read', { path, size: blob.sizeBytes })
  return undefined
}
