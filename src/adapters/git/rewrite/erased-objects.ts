import type { BlobRef } from '../../../ports/content/blob-store.ts'
import { pointerText } from '../lfs/pointer.ts'
import { linesOf } from '../lfs/pointers-in.ts'
import { streamGit } from '../objects/git-command.ts'
import { objectId } from '../objects/object-id.ts'
import type { ObjectReader } from '../objects/object-reader.ts'

const listing = [
  'cat-file',
  '--batch-all-objects',
  '--unordered',
  '--batch-check=%(objecttype) %(objectsize) %(objectname)',
]
/** Above this, bytes are hashed as a stream. */
const largeBytes = 2 ** 20

/**
 * What git calls the bytes, and pointers to them, of those that the repository has, reachable or not. Only objects
 * of the same length are read.
 */
export async function erasedObjectIds(
  repository: string,
  objects: Pick<ObjectReader, 'read' | 'stream' | 'sizeOf'>,
  blobs: readonly BlobRef[],
): Promise<ReadonlySet<string>> {
  const sha256s = new Set(blobs.map(({ sha256 }) => sha256))
  const sizes = new Set(blobs.map(({ sizeBytes }) => sizeBytes))
  const found = new Set<string>()
  for (const blob of blobs) {
    const pointerId = objectId('blob', pointerText(blob))
    if ((await objects.sizeOf(pointerId)) !== undefined) found.add(pointerId)
  }
  for await (const line of linesOf(streamGit(repository, listing))) {
    const [kind, size, id] = line.split(' ')
    if (kind !== 'blob' || id === undefined || !sizes.has(Number(size))) continue
    if (sha256s.has(await sha256OfObject(id, Number(size), objects))) found.add(id)
  }
  return found
}

export async function sha256OfObject(
  id: string,
  sizeBytes: number,
  objects: Pick<ObjectReader, 'read' | 'stream'>,
): Promise<string> {
  const hasher = new Bun.CryptoHasher('sha256')
  if (sizeBytes > largeBytes) for await (const chunk of objects.stream(id)) hasher.update(chunk)
  else hasher.update((await objects.read(id))?.body ?? Buffer.alloc(0))
  return hasher.digest('hex')
}
