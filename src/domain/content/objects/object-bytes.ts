import { LruCache } from '../../../lib/collections/lru-cache.ts'
import { createS3FifoCache } from '../../../lib/collections/s3-fifo-cache.ts'
import { sliceOf } from '../../../lib/files/file-spans.ts'
import type { BlobBytes, BlobRef, ByteRange } from '../../../ports/content/blob-store.ts'
import { ServiceError } from '../../errors.ts'
import type { PublishedBytes } from '../delivered/published-bytes.ts'

/** The bytes of objects, with those at hand that are asked for again and again. */
export interface ObjectBytes {
  /** Refuses with `Unavailable` where they are lost for now. */
  open(object: BlobRef, range?: ByteRange): BlobBytes | Promise<BlobBytes>
  /** The same of a former version, whose bytes may go from the blob store at any time. */
  openFormer(object: BlobRef, range?: ByteRange): Promise<BlobBytes>
  /** Has nothing of them at hand any more. */
  forget(sha256: string): void
}

/** Objects up to this size are kept in memory: to open a file takes longer than to send so much. */
const maxKeptBytes = 64 * 2 ** 10
const keptBytes = 32 * 2 ** 20
/** Of larger ones it is kept where they are. */
const maxHandles = 10_000
/** A store that has only copies here keeps what was opened for a minute at least. */
const handleMs = 30_000

interface Handle {
  readonly blob: Blob
  readonly until: number
}

/**
 * Content never changes under its SHA-256, so what is kept is never stale. `now` are milliseconds that only
 * grow.
 */
export function createObjectBytes(
  bytes: Pick<PublishedBytes, 'open'>,
  now: () => number,
): ObjectBytes {
  const kept = createS3FifoCache<Blob>(keptBytes)
  const handles = new LruCache<Handle>({ maxWeight: maxHandles, weigh: () => 1 })

  async function openStored({ sha256, sizeBytes }: BlobRef, range?: ByteRange): Promise<BlobBytes> {
    // A directory that is an object has no bytes, and none are stored for it.
    if (sizeBytes === 0) return new Blob([])
    const blob = await bytes.open(sha256, range)
    if (blob === undefined)
      throw new ServiceError('Unavailable', 'The object cannot be read right now')
    return blob
  }

  async function keep(object: BlobRef): Promise<Blob> {
    const blob = new Blob([await (await openStored(object)).bytes()])
    kept.set(object.sha256, blob, Math.max(1, blob.size))
    return blob
  }

  /** Where it is a file, finding it again takes longer than to send it. */
  async function openLarge(object: BlobRef, range: ByteRange | undefined): Promise<BlobBytes> {
    const blob = await openStored(object)
    if (!(blob instanceof Blob)) return range === undefined ? blob : await openStored(object, range)
    handles.set(object.sha256, { blob, until: now() + handleMs })
    return sliceOf(blob, range)
  }

  return {
    open(object, range) {
      if (object.sizeBytes > maxKeptBytes) {
        const known = handles.get(object.sha256)
        return known !== undefined && known.until > now()
          ? sliceOf(known.blob, range)
          : openLarge(object, range)
      }
      const known = kept.get(object.sha256)
      if (known !== undefined) return sliceOf(known, range)
      return keep(object).then((blob) => sliceOf(blob, range))
    },
    openFormer: openStored,
    forget(sha256) {
      kept.delete(sha256)
      handles.delete(sha256)
    },
  }
}
