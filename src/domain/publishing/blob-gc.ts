import type { BlobStore } from '../../ports/content/blob-store.ts'

interface Dependencies {
  readonly blobs: Pick<BlobStore, 'list' | 'remove'>
  /** Whether anything published has this SHA-256. */
  readonly isInUse: (sha256: string) => boolean
  /** Told of each that is gone, so that what was found out about it can go too. */
  readonly onRemoved: (sha256: string) => Promise<void>
  readonly now: () => Date
  readonly graceMs: number
}

/**
 * Forgets blobs that nothing refers to: of deleted and overwritten files, and of writes that were
 * refused after their body had come in. The repository keeps the bytes of whatever was
 * committed, or names them as a blob that is in use. The
 * grace spares what a write in flight is about to refer to, and lets a young mistake be undone cheaply.
 * Answers how many were forgotten.
 */
export async function collectBlobs(dependencies: Dependencies): Promise<number> {
  const { blobs, isInUse, onRemoved, now, graceMs } = dependencies
  const before = new Date(now().getTime() - graceMs)
  let removed = 0
  for await (const { sha256, keptAt } of blobs.list()) {
    if (keptAt >= before || isInUse(sha256)) continue
    // It may have been kept again since it was listed.
    if (!(await blobs.remove(sha256, before))) continue
    await onRemoved(sha256)
    removed += 1
  }
  return removed
}
