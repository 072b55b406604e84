import { rm } from 'node:fs/promises'
import { join } from 'node:path'

import { readableStreamOf } from '../../lib/bytes/byte-streams.ts'
import { mapConcurrently } from '../../lib/async/map-concurrently.ts'
import { RunningHashes } from '../../lib/bytes/running-hashes.ts'
import { maxWholeBytes } from '../../lib/files/fetched-files.ts'
import type { BlobRef, IncomingBlob } from '../../ports/content/blob-store.ts'
import type { StagedBytes, StagedPiece, StagedSize } from '../../ports/content/staged-bytes.ts'
import { StoreUnavailableError } from '../../ports/store-unavailable-error.ts'
import { cut } from './cut-pieces.ts'
import { IncomingBytes } from './incoming-bytes.ts'
import type { UploadedPart } from './multipart-upload.ts'
import type { S3BlobStore } from './s3-blob-store.ts'
import { S3Client, type S3ClientOptions } from './s3-client.ts'
import { S3Objects } from './s3-objects.ts'
import {
  chainOf,
  lengthOf,
  parseStagedKey,
  partGroups,
  stagedKey,
  type StagedObject,
  stagedPrefix,
  stagedRoot,
} from './staged-objects.ts'

/** What arrives becomes objects of this size, each durable before the next is begun. */
const objectBytes = 8 * 1024 * 1024
/** An upload in so many small pieces has its last object written anew, longer, instead of one more. */
const manyObjects = 1000
/** Of several uploads, so many are looked up at once. */
const sizesAtOnce = 8
/** Uploads whose objects need not be looked up again. */
const maxKnown = 1000

export interface S3StagedBytesOptions extends S3ClientOptions {
  /** What is not sent yet lies here for moments. */
  readonly directory: string
  readonly blobs: Pick<S3BlobStore, 'receive' | 'keepCopies'>
}

interface Staged {
  readonly id: string
  readonly chain: readonly StagedObject[]
  /** Of what this process writes. */
  readonly turn: number
}

/** Bytes that become the object that begins at `offset`. */
interface Pending {
  readonly offset: number
  readonly bytes: IncomingBytes
}

/** Opens what a process has to itself: what an earlier one had not sent yet is removed. */
export async function openS3StagedBytes(options: S3StagedBytesOptions): Promise<S3StagedBytes> {
  await rm(join(options.directory, 'staging'), { recursive: true, force: true })
  return new S3StagedBytes(options)
}

/** The bytes of each upload as objects that follow each other, where another node finds them too. */
export class S3StagedBytes implements StagedBytes {
  readonly #objects: S3Objects
  readonly #blobs: S3StagedBytesOptions['blobs']
  readonly #directory: string
  readonly #stagedById = new Map<string, Staged>()
  readonly #hashes = new RunningHashes()

  constructor({ directory, blobs, ...client }: S3StagedBytesOptions) {
    this.#objects = new S3Objects(new S3Client(client))
    this.#blobs = blobs
    this.#directory = join(directory, 'staging')
  }

  async size(id: string): Promise<number> {
    return lengthOf((await this.#find(id)).chain)
  }

  async append(id: string, piece: StagedPiece): Promise<number> {
    const { offset, source, accept } = piece
    const length = await this.size(id)
    if (offset !== length) throw new Error(`${id} has ${length} bytes, not ${offset}`)
    const hasher = this.#hashes.takeFor(id, piece)
    let pending = await this.#begin(id)
    const send = async () => {
      await this.#send(id, pending)
      const hashedBytes = await this.size(id)
      if (hasher) this.#hashes.put(id, { hasher: hasher.copy(), hashedBytes })
    }
    try {
      // What is not accepted yet must not be found, so it goes up as one.
      const room = () => (accept ? Infinity : objectBytes - pending.bytes.sizeBytes)
      for await (const bytes of cut(source, room)) {
        hasher?.update(bytes)
        await pending.bytes.append(bytes)
        if (pending.bytes.sizeBytes < objectBytes || accept !== undefined) continue
        await send()
        pending = await this.#begin(id)
      }
    } catch (error) {
      // Whether that works or not, it is the source that has failed.
      if (accept === undefined) await send().catch(() => {})
      await pending.bytes.discard()
      throw error
    }
    if (accept?.() === false) await pending.bytes.discard()
    else await send()
    return await this.size(id)
  }

  async first(id: string, count: number): Promise<Uint8Array> {
    const chunks: Uint8Array[] = []
    let length = 0
    for await (const chunk of this.#bytes(id)) {
      chunks.push(chunk)
      length += chunk.length
      if (length >= count) break
    }
    return Uint8Array.from(Buffer.concat(chunks).subarray(0, count))
  }

  async finish(id: string): Promise<IncomingBlob | undefined> {
    const sizeBytes = await this.size(id)
    if (sizeBytes === 0) return undefined
    // What has copies of its own here is read for them anyway.
    if (sizeBytes <= maxWholeBytes) return await this.#read([id])
    const sha256 = await this.#hashes.sha256(id, sizeBytes, (from) => this.#bytes(id, from))
    return this.#keepable({ sha256, sizeBytes }, [id], {
      keep: () => this.#keepCopies([id], { sha256, sizeBytes }),
      dispose: async () => {},
    })
  }

  async join(ids: readonly string[]): Promise<IncomingBlob | undefined> {
    const sizes = await mapConcurrently(ids, sizesAtOnce, (id) => this.size(id))
    const [first, ...others] = ids
    if (first === undefined || sizes.includes(0)) return undefined
    if (others.length === 0) return await this.finish(first)
    const sizeBytes = sizes.reduce((sum, size) => sum + size)
    if (sizeBytes <= maxWholeBytes) return await this.#read(ids)
    const hasher = await this.#hashes.make(first, sizes[0] ?? 0, (from) => this.#bytes(first, from))
    for await (const piece of this.#allBytes(others)) hasher.update(piece)
    const blob = { sha256: hasher.digest('hex'), sizeBytes }
    return this.#keepable(blob, ids, {
      keep: () => this.#keepCopies(ids, blob),
      dispose: async () => {},
    })
  }

  /** The last ones first: what a kill leaves is the beginning of what was there. */
  async drop(id: string): Promise<void> {
    this.#stagedById.delete(id)
    this.#hashes.forget(id)
    const found = await Array.fromAsync(this.#objects.list(stagedPrefix(id)))
    for (const { key } of found.toReversed()) await this.#objects.remove(key)
  }

  /** Objects come in the order of their keys, so those of an id stand together. */
  async *list(): AsyncIterable<StagedSize> {
    let group: StagedObject[] = []
    const sized = ({ id }: StagedObject) => ({ id, sizeBytes: lengthOf(chainOf(group)) })
    for await (const object of this.#objects.list(stagedRoot)) {
      const parsed = parseStagedKey(object)
      if (parsed === undefined) continue
      const [first] = group
      if (first !== undefined && first.id !== parsed.id) {
        yield sized(first)
        group = []
      }
      group.push(parsed)
    }
    const [first] = group
    if (first !== undefined) yield sized(first)
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  /** Through this process, which hashes what comes. */
  async #read(ids: readonly string[]): Promise<IncomingBlob> {
    const incoming = await this.#blobs.receive(readableStreamOf(this.#allBytes(ids)))
    return this.#keepable(incoming, ids, {
      keep: () => incoming.keep(),
      dispose: async () => await incoming[Symbol.asyncDispose](),
    })
  }

  #keepable(
    { sha256, sizeBytes }: BlobRef,
    ids: readonly string[],
    { keep, dispose }: { keep: () => Promise<BlobRef>; dispose: () => Promise<void> },
  ): IncomingBlob {
    let kept: Promise<BlobRef> | undefined
    const keepAndDrop = async () => {
      const blob = await keep()
      const [only, ...others] = ids
      if (only !== undefined && others.length === 0) await this.drop(only)
      return blob
    }
    const once = () => (kept ??= keepAndDrop())
    return { sha256, sizeBytes, keep: once, keepLazily: once, [Symbol.asyncDispose]: dispose }
  }

  /** Within the store; what it does not take that way goes through this process, and is hashed again. */
  async #keepCopies(ids: readonly string[], ref: BlobRef): Promise<BlobRef> {
    const found = await mapConcurrently(ids, sizesAtOnce, (id) => this.#find(id))
    const chain = found.flatMap((staged) => staged.chain)
    const parts = partGroups(chain).map((group) => this.#partOf(group))
    const isWhole = parts.every((part) => part !== undefined)
    if (isWhole && (await this.#blobs.keepCopies(ref, parts))) return ref
    await using incoming = await this.#blobs.receive(readableStreamOf(this.#allBytes(ids)))
    if (incoming.sha256 === ref.sha256) return await incoming.keep()
    for (const id of ids) this.#hashes.forget(id)
    const fault = { store: 'blobs', final: false } as const
    throw new StoreUnavailableError('The blob store has other bytes than it was given', fault)
  }

  /** `undefined` where nothing would tell that the object has changed meanwhile. */
  #partOf(group: readonly StagedObject[]): UploadedPart | undefined {
    const [{ key, etag } = {}, ...others] = group
    if (others.length === 0) return key && etag ? { kind: 'copy', of: { key, etag } } : undefined
    const read = async () => {
      const pieces: Uint8Array[] = []
      for (const object of group) pieces.push(...(await Array.fromAsync(this.#bytesOf(object))))
      return Uint8Array.from(Buffer.concat(pieces))
    }
    return { kind: 'bytes', read }
  }

  /** Looked up once: from then on nobody else writes to it. */
  async #find(id: string): Promise<Staged> {
    const known = this.#stagedById.get(id)
    if (known !== undefined) return known
    const found = await Array.fromAsync(this.#objects.list(stagedPrefix(id)))
    const objects = found.flatMap((object) => parseStagedKey(object) ?? [])
    const turn = 1 + Math.max(0, ...objects.map((object) => object.turn))
    return this.#remember({ id, chain: chainOf(objects), turn })
  }

  #remember(staged: Staged): Staged {
    this.#stagedById.delete(staged.id)
    this.#stagedById.set(staged.id, staged)
    const [oldest] = this.#stagedById.keys()
    if (this.#stagedById.size > maxKnown && oldest !== undefined) this.#stagedById.delete(oldest)
    return staged
  }

  /** Where there are very many objects, the last one comes along. */
  async #begin(id: string): Promise<Pending> {
    const { chain } = await this.#find(id)
    const bytes = new IncomingBytes(this.#directory)
    const last = chain.at(-1)
    if (chain.length < manyObjects || last === undefined || last.sizeBytes >= objectBytes)
      return { offset: lengthOf(chain), bytes }
    for await (const chunk of this.#bytesOf(last)) await bytes.append(chunk)
    return { offset: last.offset, bytes }
  }

  async #send(id: string, { offset, bytes }: Pending): Promise<void> {
    const { chain, turn } = await this.#find(id)
    try {
      if (offset + bytes.sizeBytes <= lengthOf(chain)) return
      await bytes.end()
      const key = stagedKey(id, offset, turn)
      const etag = await this.#objects.put(key, bytes)
      const before = chain.filter((object) => object.offset < offset)
      const object = { id, key, offset, turn, etag, sizeBytes: bytes.sizeBytes }
      this.#remember({ id, turn, chain: [...before, object] })
    } finally {
      await bytes.discard()
    }
  }

  async *#allBytes(ids: readonly string[]): AsyncGenerator<Uint8Array, void, undefined> {
    for (const id of ids) yield* this.#bytes(id)
  }

  async *#bytes(id: string, from = 0): AsyncGenerator<Uint8Array, void, undefined> {
    for (const object of (await this.#find(id)).chain) {
      const skipped = Math.max(0, from - object.offset)
      if (skipped < object.sizeBytes) yield* this.#bytesOf(object, skipped)
    }
  }

  async *#bytesOf(
    { key, sizeBytes }: StagedObject,
    skipped = 0,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    const pieces = await this.#objects.get(key)
    if (pieces === undefined) throw new Error('A part of an upload is gone')
    let length = 0
    for await (const piece of pieces) {
      const start = Math.max(0, skipped - length)
      length += piece.length
      if (start < piece.length) yield piece.subarray(start)
    }
    if (length !== sizeBytes) throw new Error('A part of an upload is not as long as it was')
  }
}
