import { createSingleFlight } from '../../../lib/async/single-flight.ts'
import { LruCache } from '../../../lib/collections/lru-cache.ts'
import type { BlobRef, BlobStore } from '../../../ports/content/blob-store.ts'
import { refuseLong } from '../objects/whole-bytes.ts'
import type { LargeFileHost } from './remote/large-file-host.ts'
import { lfsObjectPath } from './pointer.ts'

/** What `PUT` can store stays in git itself. */
const defaultAboveBytes = 25 * 2 ** 20

/** Blob GC spares for days what was kept; ours to rely on for an hour. */
const securedForMilliseconds = 3_600_000
const maxSecured = 10_000

interface Dependencies {
  readonly repository: string
  readonly blobs: BlobStore
  readonly now: () => Date
  /** Files with more bytes than this are kept beside git. */
  readonly aboveBytes?: number | undefined
  /** Who else may have the bytes, but cannot be asked for many at once. */
  readonly elsewhere?: Pick<LargeFileHost, 'open'> | undefined
  readonly onWarning?: (message: string, cause?: unknown) => void
}

/** The bytes that git only has pointers to. The blob store has them, and as a rule nothing else does. */
export class LargeFiles {
  readonly #repository: string
  readonly #blobs: BlobStore
  readonly #now: () => Date
  readonly #aboveBytes: number
  readonly #securedUntil = new LruCache<number>({ maxWeight: maxSecured, weigh: () => 1 })
  readonly #flights = createSingleFlight<boolean>()
  readonly #elsewhere: Dependencies['elsewhere']
  readonly #onWarning: NonNullable<Dependencies['onWarning']>

  constructor({ repository, blobs, now, aboveBytes = defaultAboveBytes, ...rest }: Dependencies) {
    this.#elsewhere = rest.elsewhere
    this.#onWarning = rest.onWarning ?? (() => {})
    this.#repository = repository
    this.#blobs = blobs
    this.#now = now
    this.#aboveBytes = aboveBytes
  }

  isLarge({ sizeBytes }: BlobRef): boolean {
    return sizeBytes > this.#aboveBytes
  }

  /** Whether {@link secure} has been through with it, so that a commit may point at it. */
  isSecured({ sha256 }: BlobRef): boolean {
    return (this.#securedUntil.get(sha256) ?? 0) > this.#now().getTime()
  }

  /**
   * Answers once the bytes would survive a power cut: no commit will have them.
   *
   * @param bytes - gives them where the blob store need not have them yet.
   */
  async secure(
    ref: BlobRef,
    bytes: () => Promise<Uint8Array | ReadableStream<Uint8Array> | undefined>,
  ): Promise<void> {
    if (this.isSecured(ref)) return
    const given = await bytes()
    if (given !== undefined) await this.#take(given)
    const kept = await this.#blobs.flush(ref.sha256)
    if (kept?.sizeBytes !== ref.sizeBytes)
      throw new Error(`The blob ${ref.sha256} is not in the blob store, or not whole`)
    this.#securedUntil.set(ref.sha256, this.#now().getTime() + securedForMilliseconds)
  }

  /**
   * Whether the blob store has the bytes. What it lost is brought back from this machine, if they are there.
   * A file whose size is right counts as whole: hashing gigabytes is left to those who look for damage.
   */
  async isKept(ref: BlobRef): Promise<boolean> {
    const kept = await this.#blobs.stat(ref.sha256)
    if (kept?.sizeBytes === ref.sizeBytes) return true
    return await this.#flights.share(ref.sha256, () => this.#bringBack(ref))
  }

  /** As {@link isKept}; rejects where nobody has the bytes any more. */
  async keep(ref: BlobRef): Promise<BlobRef> {
    if (!(await this.isKept(ref))) throw lost(ref)
    return ref
  }

  async open(ref: BlobRef): Promise<ReadableStream<Uint8Array>> {
    await this.keep(ref)
    const bytes = await this.#blobs.open(ref.sha256)
    if (bytes?.size !== ref.sizeBytes) throw lost(ref)
    return bytes.stream()
  }

  async read(ref: BlobRef): Promise<Uint8Array> {
    refuseLong(ref)
    await this.keep(ref)
    const bytes = await this.#blobs.read(ref.sha256)
    if (bytes?.length !== ref.sizeBytes) throw lost(ref)
    return bytes
  }

  /** The bytes as somebody else has them than the blob store; `undefined` where nobody does. Not verified. */
  async original(ref: BlobRef): Promise<ReadableStream<Uint8Array> | undefined> {
    const copy = await this.#copyHere(ref)
    if (copy !== undefined) return copy
    try {
      return await this.#elsewhere?.open(ref)
    } catch (error) {
      this.#onWarning('A large file could not be had from the remote', error)
      return undefined
    }
  }

  async #copyHere(ref: BlobRef): Promise<ReadableStream<Uint8Array> | undefined> {
    const file = Bun.file(lfsObjectPath(this.#repository, ref.sha256))
    return (await file.exists()) && file.size === ref.sizeBytes ? file.stream() : undefined
  }

  async #take(bytes: Uint8Array | ReadableStream<Uint8Array>): Promise<void> {
    await using incoming = await this.#blobs.receive(bytes)
    await incoming.keepLazily()
  }

  /** What is there and is other bytes goes only when there are the right ones. */
  async #bringBack(ref: BlobRef): Promise<boolean> {
    const copy = await this.#copyHere(ref)
    if (copy === undefined) return false
    await using incoming = await this.#blobs.receive(copy)
    if (incoming.sha256 !== ref.sha256 || incoming.sizeBytes !== ref.sizeBytes) return false
    await this.#blobs.remove(ref.sha256)
    await incoming.keep()
    return true
  }
}

const lost = ({ sha256, sizeBytes }: BlobRef): Error =>
  new Error(`The ${sizeBytes} bytes with the SHA-256 ${sha256} are lost: a backup may have them`)
