import type { BlobRef, BlobStore } from '../../../../ports/content/blob-store.ts'
import type { KnownContent, Put, Tree, TreeFile } from '../../../../ports/content/content-store.ts'
import type { AssetRecord } from '../../../../ports/records/asset.ts'
import { type AssetPath, fileNameOf, repositoryPath } from '../../asset-path.ts'
import { contentTypeOf, declaredType } from '../../media-type.ts'

export interface WrittenFile extends BlobRef {
  readonly path: AssetPath
  readonly outcome: 'created' | 'updated' | 'unchanged'
  /** The commit that wrote these bytes there, where it is known. */
  readonly commitId?: string | undefined
}

export function putOf(path: AssetPath, blob: BlobRef, header: string | null | undefined): Put {
  const contentType = declaredType(header, fileNameOf(path))
  const put: Put = { kind: 'put', path: repositoryPath(path), blob }
  return contentType === undefined ? put : { ...put, contentType }
}

export async function currentBlob(tree: Tree, path: AssetPath): Promise<BlobRef | undefined> {
  const found = await tree.find(repositoryPath(path))
  return found?.kind === 'file' ? found.blob() : undefined
}

/** What a put comes to. Equal bytes under an equal type need no commit. */
export function outcomeOf(
  put: Put,
  current: BlobRef | undefined,
  published: AssetRecord | undefined,
): WrittenFile['outcome'] {
  if (!current) return 'created'
  const contentType = put.contentType ?? contentTypeOf(put.path)
  const sameType = published?.contentType === contentType
  return current.sha256 === put.blob.sha256 && sameType ? 'unchanged' : 'updated'
}

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
