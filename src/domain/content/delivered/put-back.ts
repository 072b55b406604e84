import type { BlobStore } from '../../../ports/content/blob-store.ts'
import type { Recoverable } from '../../../ports/content/content-store.ts'

/**
 * Puts back a blob that the blob store has lost or damaged. Answers whether it did: not where nobody else
 * has those bytes. What is damaged goes only once the right bytes have come: parts of it may be of use.
 */
export async function putBack(
  sha256: string,
  lost: Recoverable,
  blobs: Pick<BlobStore, 'receive' | 'remove'>,
): Promise<boolean> {
  const original = await lost.original()
  if (original === undefined) return false
  await using incoming = await blobs.receive(original)
  if (incoming.sha256 !== sha256) return false
  await blobs.remove(sha256)
  await incoming.keep()
  return true
}
