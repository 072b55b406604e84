import { rm } from 'node:fs/promises'
import { join } from 'node:path'

import { sliceOf } from '../../lib/files/file-spans.ts'
import {
  type BlobBytes,
  type BlobRef,
  type BlobStore,
  type ByteRange,
  type IncomingBlob,
} from '../../ports/content/blob-store.ts'
import { KeyedQueue } from '../../lib/async/keyed-queue.ts'
import { WrongContentError } from '../../lib/files/content-files.ts'
import { FetchedFiles, type FoundElsewhere, maxWholeBytes } from '../../lib/files/fetched-files.ts'
import { IncomingBytes } from './incoming-bytes.ts'
import type { UploadedPart } from './multipart-upload.ts'
import { isRefused, S3Client, type S3ClientOptions, sha256 as sha256Of } from './s3-client.ts'
import { S3Objects } from './s3-objects.ts'
import { isUnavailable, StoreUnavailableError } from '../../ports/store-unavailable-error.ts'

export interface S3BlobStoreOptions extends S3ClientOptions {
  /** Local copies of what was written or read lie here. They can be lost at any time. */
  readonly directory: string
  readonly maxCopyBytes: number
}

const blobPattern = /^[0-9a-f]{64}$/u
const keyOf = (sha256: string): string => `blobs/${sha256}`
const checkpointKey = 'checkpoint'
/** Other processes note what they use once a minute. */
const copyGraceMs = 3 * 60_000

/**
 * Opens the store of a process that has the directory to itself: what an earlier one was taking in is
 * removed. Throws where the bucket cannot be used.
 */
export async function openS3BlobStore(options: S3BlobStoreOptions): Promise<S3BlobStore> {
  await rm(join(options.directory, 'incoming'), { recursive: true, force: true })
  await new S3Objects(new S3Client(options)).check()
  return new S3BlobStore(options)
}

/**
 * Blobs as objects named by their SHA-256, and local copies of those in use. Writing the same bytes
 * twice at once does no harm, so nothing is asked of the store but to keep what it has acknowledged;
 * and what it gives back is believed only once its SHA-256 has been seen to be right, but for large
 * blobs, of which only those slices are fetched that are read.
 */
export class S3BlobStore implements BlobStore {
  readonly #objects: S3Objects
  readonly #directory: string
  readonly #copies: FetchedFiles
  /** Of equal bytes only one is written or removed at a time. */
  readonly #queue = new KeyedQueue()

  constructor({ directory, maxCopyBytes, ...client }: S3BlobStoreOptions) {
    this.#objects = new S3Objects(new S3Client(client))
    this.#directory = directory
    this.#copies = new FetchedFiles({
      directory,
      maxBytes: maxCopyBytes,
      now: () => client.now().getTime(),
      graceMs: copyGraceMs,
      isShared: true,
      fetchFile: (sha256) => this.#fetch(keyOf(sha256)),
      fetchSlice: ({ sha256, sizeBytes }, span, signal) =>
        this.#objects.part(keyOf(sha256), { ...span, sizeBytes, signal }).catch(unavailable),
    })
  }

  async receive(source: ReadableStream<Uint8Array> | Uint8Array): Promise<IncomingBlob> {
    const bytes = new IncomingBytes(join(this.#directory, 'incoming'))
    try {
      for await (const chunk of source instanceof Uint8Array ? [source] : source)
        await bytes.append(chunk)
      await bytes.end()
    } catch (error) {
      await bytes.discard()
      throw error
    }
    return new S3IncomingBlob(bytes, () => this.#keep(bytes))
  }

  /**
   * Keeps bytes that the store has among its other objects, without reading them. Answers whether it did:
   * not every store copies, or takes parts of any size, and what is copied may have changed.
   */
  async keepCopies({ sha256 }: BlobRef, parts: readonly UploadedPart[]): Promise<boolean> {
    return await this.#queue.run(sha256, () => taken(this.#objects.putParts(keyOf(sha256), parts)))
  }

  async stat(sha256: string): Promise<BlobRef | undefined> {
    if (!blobPattern.test(sha256)) return undefined
    const object = await this.#objects.find(keyOf(sha256))
    return object && { sha256, sizeBytes: object.sizeBytes }
  }

  async read(sha256: string): Promise<Uint8Array | undefined> {
    return await (await this.open(sha256))?.bytes()
  }

  async open(sha256: string, range?: ByteRange): Promise<BlobBytes | undefined> {
    const copy = await this.#copy(() => this.#copies.open(sha256))
    return copy && sliceOf<BlobBytes>(copy, range)
  }

  /** Of a large blob there is none. */
  async path(sha256: string): Promise<string | undefined> {
    return await this.#copy(() => this.#copies.path(sha256))
  }

  async dropDamagedCopy(sha256: string): Promise<boolean> {
    return await this.#copies.files.removeIfDamaged(sha256)
  }

  /** Removes every local copy; what is asked for again is fetched again. */
  async dropCopies(): Promise<void> {
    await this.#copies.files.clear()
  }

  /** Whether there is still a local copy, which then stays for a while. */
  touch(sha256: string): boolean {
    return this.#copies.touch(sha256)
  }

  /** What the store has acknowledged it keeps. */
  flush(sha256: string): Promise<BlobRef | undefined> {
    return this.stat(sha256)
  }

  /** What the store does not copy, or has damaged, has to be kept anew. */
  async renew(sha256: string): Promise<BlobRef | undefined> {
    if (!blobPattern.test(sha256)) return undefined
    return await this.#queue.run(sha256, async () => {
      const object = await this.#objects.find(keyOf(sha256))
      if (object === undefined) return undefined
      const { sizeBytes } = object
      return (await taken(this.#objects.renew(object, sha256))) ? { sha256, sizeBytes } : undefined
    })
  }

  /** Looks at what the store has, not at the copy. */
  async isIntact(sha256: string): Promise<boolean> {
    if (!blobPattern.test(sha256)) return false
    const pieces = await this.#objects.get(keyOf(sha256))
    if (pieces === undefined) return false
    const hasher = new Bun.CryptoHasher('sha256')
    for await (const piece of pieces) hasher.update(piece)
    return hasher.digest('hex') === sha256
  }

  async checkpoint(mark: string): Promise<void> {
    const bytes = new TextEncoder().encode(mark)
    await this.#queue.run(checkpointKey, () =>
      this.#objects.put(checkpointKey, {
        sizeBytes: bytes.length,
        sha256: sha256Of(bytes),
        bytes: async (start, end) => bytes.slice(start, end),
      }),
    )
  }

  async lastCheckpoint(): Promise<string | undefined> {
    const pieces = await this.#objects.get(checkpointKey)
    return pieces && Buffer.concat(await Array.fromAsync(pieces)).toString()
  }

  async *list(): AsyncIterable<BlobRef & { readonly keptAt: Date }> {
    for await (const { key, sizeBytes, changedAt } of this.#objects.list('blobs/')) {
      const sha256 = key.slice('blobs/'.length)
      if (blobPattern.test(sha256)) yield { sha256, sizeBytes, keptAt: changedAt }
    }
  }

  /** Looked at just before: what another process keeps between the two is lost, which takes milliseconds. */
  async remove(sha256: string, keptBefore?: Date): Promise<boolean> {
    if (!blobPattern.test(sha256)) return false
    return await this.#queue.run(sha256, async () => {
      const object = await this.#objects.find(keyOf(sha256))
      // A store that says no time says nothing that could be older.
      if (object && keptBefore && !(object.changedAt < keptBefore)) return false
      await this.#objects.remove(keyOf(sha256))
      await this.#copies.remove(sha256)
      return object !== undefined
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#queue.idle()
    await this.#copies[Symbol.asyncDispose]()
  }

  /** Written even where it is there: that renews its time, and mends what was damaged. */
  async #keep(bytes: IncomingBytes): Promise<BlobRef> {
    const { sha256, sizeBytes } = bytes
    return await this.#queue.run(sha256, async () => {
      await this.#objects.put(keyOf(sha256), bytes)
      // A large one is among the copies a slice at a time, as it is read.
      if (sizeBytes <= maxWholeBytes) await this.#copies.files.adopt(await bytes.toFile(), sha256)
      return { sha256, sizeBytes }
    })
  }

  async #fetch(key: string): Promise<FoundElsewhere | undefined> {
    const object = await this.#objects.open(key)
    if (object === undefined) return undefined
    const { sizeBytes, body } = object
    return sizeBytes > maxWholeBytes ? { kind: 'large', sizeBytes } : { kind: 'whole', body }
  }

  /** Twice where the first time brought other bytes: the way may have damaged them. */
  async #copy<T>(look: () => Promise<T>): Promise<T> {
    const again = (error: unknown) => {
      if (!(error instanceof WrongContentError)) throw error
      return look()
    }
    return await look().catch(again).catch(unavailable)
  }
}

/** Whether the store has done it, or says that it does no such thing. */
async function taken(work: Promise<unknown>): Promise<boolean> {
  try {
    await work
    return true
  } catch (error) {
    if (isRefused(error)) return false
    throw error
  }
}

function unavailable(error: unknown): never {
  if (isUnavailable(error)) throw error
  const what =
    error instanceof WrongContentError
      ? 'The blob store has other bytes than it was given'
      : 'A copy of the bytes cannot be kept'
  throw new StoreUnavailableError(what, { store: 'blobs', final: false, cause: error })
}

class S3IncomingBlob implements IncomingBlob {
  readonly sha256: string
  readonly sizeBytes: number
  readonly #bytes: IncomingBytes
  readonly #keep: () => Promise<BlobRef>
  #kept: Promise<BlobRef> | undefined
  #isDisposed = false

  constructor(bytes: IncomingBytes, keep: () => Promise<BlobRef>) {
    this.sha256 = bytes.sha256
    this.sizeBytes = bytes.sizeBytes
    this.#bytes = bytes
    this.#keep = keep
  }

  async keep(): Promise<BlobRef> {
    if (this.#isDisposed) throw new Error('A disposed blob cannot be kept')
    this.#kept ??= this.#keep()
    return await this.#kept
  }

  /** What the store acknowledges is durable: there is no quicker way to be found. */
  async keepLazily(): Promise<BlobRef> {
    return await this.keep()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true
    await this.#kept?.catch(() => {})
    await this.#bytes.discard()
  }
}
