import { LruCache } from '../../../lib/collections/lru-cache.ts'
import type { BlobRef, BlobStore } from '../../../ports/content/blob-store.ts'
import { isPointerLength, parsePointer } from '../lfs/pointer.ts'
import { refuseLong } from './whole-bytes.ts'
import type { ObjectReader } from './object-reader.ts'

/** Above this, bytes are read as a stream. */
const largeBytes = 2 ** 20
const rememberedRefs = 100_000
/** Of files that came without a blob: as a rule a few hundred bytes each. */
const rememberedBytes = 8 * 2 ** 20

/** Links git's names of bytes to the blob store's. */
export class BlobReader {
  readonly #objects: ObjectReader
  readonly #blobs: BlobStore
  readonly #refById = new LruCache<BlobRef>({ maxWeight: rememberedRefs, weigh: () => 1 })

  /** What pointers stand for; `null` for what is none. */
  readonly #pointerById = new LruCache<BlobRef | null>({
    maxWeight: rememberedRefs,
    weigh: () => 1,
  })

  /** Bytes that the blob store need not have, and that whoever wrote them will want soon. */
  readonly #bytesById = new LruCache<Uint8Array>({
    maxWeight: rememberedBytes,
    weigh: ({ length }) => length,
  })

  constructor(objects: ObjectReader, blobs: BlobStore) {
    this.#objects = objects
    this.#blobs = blobs
  }

  /** Notes what is known already, so that it need not be read to be known. */
  remember(id: string, ref: BlobRef): void {
    this.#refById.set(id, ref)
  }

  rememberBytes(id: string, bytes: Uint8Array): void {
    this.#bytesById.set(id, bytes)
  }

  /** What has left the repository. */
  forget(ids: ReadonlySet<string>): void {
    for (const id of ids) {
      this.#refById.delete(id)
      this.#bytesById.delete(id)
      this.#pointerById.delete(id)
    }
  }

  rememberPointer(id: string, ref: BlobRef): void {
    this.#pointerById.set(id, ref)
  }

  /** What a blob stands for if it is a pointer; `undefined` of any other. Most need not be read for that. */
  async pointer(id: string): Promise<BlobRef | undefined> {
    const known = this.#pointerById.get(id)
    if (known !== undefined) return known ?? undefined
    const pointer = await this.#readPointer(id)
    this.#pointerById.set(id, pointer ?? null)
    return pointer
  }

  /** SHA-256 and size of a blob of the repository. */
  async ref(id: string): Promise<BlobRef> {
    const known = this.#refById.get(id)
    if (known) return known
    const hasher = new Bun.CryptoHasher('sha256')
    let sizeBytes = 0
    for await (const chunk of await this.#open(id)) {
      hasher.update(chunk)
      sizeBytes += chunk.length
    }
    const ref = { sha256: hasher.digest('hex'), sizeBytes }
    this.remember(id, ref)
    return ref
  }

  async read(id: string): Promise<Uint8Array> {
    const remembered = this.#bytesById.get(id)
    if (remembered !== undefined) return remembered
    const known = this.#refById.get(id)
    if (known) refuseLong(known)
    const kept = known && (await this.#blobs.read(known.sha256))
    if (kept) return kept
    const sizeBytes = await this.#objects.sizeOf(id)
    if (sizeBytes === undefined) throw missing(id)
    refuseLong({ sizeBytes })
    const object = await this.#objects.read(id)
    if (object?.kind !== 'blob') throw missing(id)
    return object.body
  }

  /**
   * As {@link ref}, and the bytes are in the blob store when it answers, whole: a power cut may have
   * left a file without its bytes. They survive the next one from the next checkpoint on.
   */
  async keep(id: string): Promise<BlobRef> {
    const bytes = await this.#fewBytes(id)
    const ref = bytes === undefined ? await this.ref(id) : this.#refOf(id, bytes)
    const { sha256 } = ref
    const isThere = (await this.#blobs.stat(sha256)) !== undefined
    if (isThere && !(await this.#blobs.isIntact(sha256))) await this.#blobs.remove(sha256)
    await using incoming = await this.#blobs.receive(bytes ?? (await this.original(id)))
    return await incoming.keepLazily()
  }

  /** The bytes as the repository has them. */
  async original(id: string): Promise<Uint8Array | ReadableStream<Uint8Array>> {
    const sizeBytes = await this.#objects.sizeOf(id)
    if (sizeBytes === undefined) throw missing(id)
    if (sizeBytes > largeBytes) return this.#objects.stream(id)
    const object = await this.#objects.read(id)
    if (object?.kind !== 'blob') throw missing(id)
    return object.body
  }

  /** The bytes, where they are so few that they are read whole. */
  async #fewBytes(id: string): Promise<Uint8Array | undefined> {
    const sizeBytes = this.#refById.get(id)?.sizeBytes ?? (await this.#objects.sizeOf(id))
    if (sizeBytes === undefined) throw missing(id)
    if (sizeBytes > largeBytes) return undefined
    const object = await this.#objects.read(id)
    if (object?.kind !== 'blob') throw missing(id)
    return object.body
  }

  #refOf(id: string, bytes: Uint8Array): BlobRef {
    const sha256 = new Bun.CryptoHasher('sha256').update(bytes).digest('hex')
    const ref = { sha256, sizeBytes: bytes.length }
    this.remember(id, ref)
    return ref
  }

  async #readPointer(id: string): Promise<BlobRef | undefined> {
    const sizeBytes = this.#refById.get(id)?.sizeBytes ?? (await this.#objects.sizeOf(id))
    if (sizeBytes === undefined) throw missing(id)
    if (!isPointerLength(sizeBytes)) return undefined
    const object = await this.#objects.read(id)
    return object?.kind === 'blob' ? parsePointer(object.body) : undefined
  }

  async #open(id: string): Promise<AsyncIterable<Uint8Array> | readonly Uint8Array[]> {
    const source = await this.original(id)
    return source instanceof Uint8Array ? [source] : source
  }
}

const missing = (id: string) => new Error(`The repository has no file content ${id}`)
