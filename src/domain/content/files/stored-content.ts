import type { BlobRef, BlobStore } from '../../../ports/content/blob-store.ts'
import type { KnownContent, TreeFile } from '../../../ports/content/content-store.ts'

/**
 * What a put needs of a file that the repository has somewhere, so that its bytes are neither sent nor
 * written anew. They are read where the blob store has them no more, or nothing says yet what their
 * SHA-256 is: `known`, or the repository by what it remembers.
 */
export async function storedContent(
  file: TreeFile,
  blobs: Pick<BlobStore, 'stat'>,
  known?: BlobRef,
): Promise<{ readonly blob: BlobRef; readonly content: KnownContent }> {
  const ref = known ?? (await file.blob())
  const kept = await blobs.stat(ref.sha256)
  const blob = kept?.sizeBytes === ref.sizeBytes ? ref : await file.keep()
  return { blob, content: { id: file.contentId, from: 'stored' } }
}
