import { mapConcurrently } from '../../lib/async/map-concurrently.ts'
import type { BlobBytes, BlobRef, BlobStore } from '../../ports/content/blob-store.ts'
import type { Actor } from '../access/actor.ts'
import { invalid, ServiceError } from '../errors.ts'

/** The stored bytes as those know them who work on the repository: by their SHA-256. */
export interface StoredObjects {
  /** How many bytes each has, of those that are stored and that the reader may know of. */
  sizes(sha256s: readonly string[], reader: Pick<Actor, 'zones'>): Promise<Map<string, number>>
  /**
   * Those of the objects that are there and stay as long as if they had just been received; the others
   * have to be received. Whoever asks may know of all of them.
   */
  renewed(sha256s: readonly string[]): Promise<ReadonlySet<string>>
  /** Whoever asks was given the right to. */
  open(sha256: string): Promise<BlobBytes | undefined>
  /**
   * Takes in exactly the announced bytes. Refuses with `ChecksumMismatch`, `InvalidParameter` where they
   * are fewer or more, and `PayloadTooLarge`; of what is refused nothing stays. They are found by their
   * SHA-256 from then on, and forgotten after a week in which no commit has come to name them.
   */
  receive(announced: BlobRef, body: ReadableStream<Uint8Array>): Promise<void>
}

interface Dependencies {
  readonly blobs: Pick<BlobStore, 'stat' | 'receive' | 'renew'>
  /** Of published assets. */
  readonly bytes: Pick<BlobStore, 'open'>
  readonly assetsOf: (zone: string) => Iterable<BlobRef>
  readonly maxBytes: number
}

const lookUpsAtOnce = 16

export function createStoredObjects(dependencies: Dependencies): StoredObjects {
  const { blobs, bytes, assetsOf, maxBytes } = dependencies

  async function storedSizes(sha256s: readonly string[]): Promise<Map<string, number>> {
    const found = await mapConcurrently(sha256s, lookUpsAtOnce, (sha256) => blobs.stat(sha256))
    return new Map(found.flatMap((blob) => (blob ? [[blob.sha256, blob.sizeBytes] as const] : [])))
  }

  /** Those of the reader's own zones; what only others have is not there. */
  function sizesIn(zones: ReadonlySet<string>, sha256s: readonly string[]): Map<string, number> {
    const wanted = new Set(sha256s)
    const sizes = new Map<string, number>()
    for (const zone of zones)
      for (const { sha256, sizeBytes } of assetsOf(zone))
        if (wanted.has(sha256)) sizes.set(sha256, sizeBytes)
    return sizes
  }

  return {
    sizes: async (sha256s, { zones }) =>
      zones === undefined ? await storedSizes(sha256s) : sizesIn(zones, sha256s),
    async renewed(sha256s) {
      const each = [...new Set(sha256s)]
      const found = await mapConcurrently(each, lookUpsAtOnce, (sha256) => blobs.renew(sha256))
      return new Set(found.flatMap((blob) => (blob === undefined ? [] : [blob.sha256])))
    },
    open: (sha256) => bytes.open(sha256),
    async receive(announced, body) {
      if (announced.sizeBytes > maxBytes)
        throw new ServiceError('PayloadTooLarge', `An object may have at most ${maxBytes} bytes`, {
          context: { MaxSize: maxBytes },
        })
      await using incoming = await blobs.receive(exactly(announced.sizeBytes, body))
      if (incoming.sha256 !== announced.sha256)
        throw new ServiceError('ChecksumMismatch', 'The bytes have another SHA-256', {
          context: { Expected: announced.sha256, Received: incoming.sha256 },
        })
      await incoming.keep()
    },
  }
}

/** Reading stops at the first byte too many. */
function exactly(sizeBytes: number, body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  let seen = 0
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        seen += chunk.length
        if (seen > sizeBytes) throw invalid('body', `must have ${sizeBytes} bytes, and has more`)
        controller.enqueue(chunk)
      },
      flush() {
        if (seen < sizeBytes) throw invalid('body', `must have ${sizeBytes} bytes, and had ${seen}`)
      },
    }),
  )
}
