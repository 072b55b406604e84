import { rm } from 'node:fs/promises'
import { join } from 'node:path'

import { readableStreamOf } from '../../lib/bytes/byte-streams.ts'
import type { BlobRef, BlobStore, IncomingBlob } from '../../ports/content/blob-store.ts'
import type { StagedBytes, StagedPiece, StagedSize } from '../../ports/content/staged-bytes.ts'
import { IncomingBytes } from './incoming-bytes.ts'
import { S3Client, type S3ClientOptions } from './s3-client.ts'
import { S3Objects } from './s3-objects.ts'
import {
  chainOf,
  lengthOf,
  parseStagedKey,
  stagedKey,
  type StagedObject,
  stagedPrefix,
  stagedRoot,
} from './staged-objects.ts'

/** What arrives becomes objects of this size, each durable before the next is begun. */
const objectBytes = 8 * 1024 * 1024
/** An upload in so many small pieces has its last object written anew, longer, instead of one more. */
const manyObjects = 1000
/** Uploads whose objects need not be looked up again. */
const maxKnown = 1000

export interface S3StagedBytesOptions extends S3ClientOptions {
  /** What is not sent yet lies here for moments. */
  readonly directory: string
  readonly blobs: Pick<BlobStore, 'receive'>
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
  readonly #blobs: Pick<BlobStore, 'receive'>
  readonly #directory: string
  readonly #stagedById = new Map<string, Staged>()

  constructor({ directory, blobs, ...client }: S3StagedBytesOptions) {
    this.#objects = new S3Objects(new S3Client(client))
    this.#blobs = blobs
    this.#directory = join(directory, 'staging')
  }

  async size(id: string): Promise<number> {
    return lengthOf((await this.#find(id)).chain)
  }

  async append(id: string, { offset, source, accept }: StagedPiece): Promise<number> {
    const length = await this.size(id)
    if (offset !== length) throw new Error(`${id} has ${length} bytes, not ${offset}`)
    let pending = await this.#begin(id)
    const send = async () => await this.#send(id, pending)
    try {
      for await (const chunk of source) {
        await pending.bytes.append(chunk)
        // What is not accepted yet must not be found, so it goes up as one.
        if (accept !== undefined || pending.bytes.sizeBytes < objectBytes) continue
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
    if ((await this.size(id)) === 0) return undefined
    const incoming = await this.#blobs.receive(readableStreamOf(this.#bytes(id)))
    const keep = async (): Promise<BlobRef> => {
      const blob = await incoming.keep()
      await this.drop(id)
      return blob
    }
    const { sha256, sizeBytes } = incoming
    return {
      sha256,
      sizeBytes,
      keep,
      keepLazily: keep,
      [Symbol.asyncDispose]: () => incoming[Symbol.asyncDispose](),
    }
  }

  /** The last ones first: what a kill leaves is the beginning of what was there. */
  async drop(id: string): Promise<void> {
    this.#stagedById.delete(id)
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
    for await (const chunk of this.#read(last)) await bytes.append(chunk)
    return { offset: last.offset, bytes }
  }

  async #send(id: string, { offset, bytes }: Pending): Promise<void> {
    const { chain, turn } = await this.#find(id)
    try {
      if (offset + bytes.sizeBytes <= lengthOf(chain)) return
      await bytes.end()
      const key = stagedKey(id, offset, turn)
      await this.#objects.put(key, bytes)
      const before = chain.filter((object) => object.offset < offset)
      const object = { id, key, offset, turn, sizeBytes: bytes.sizeBytes }
      this.#remember({ id, turn, chain: [...before, object] })
    } finally {
      await bytes.discard()
    }
  }

  async *#bytes(id: string): AsyncGenerator<Uint8Array, void, undefined> {
    for (const object of (await this.#find(id)).chain) yield* this.#read(object)
  }

  async *#read({ key, sizeBytes }: StagedObject): AsyncGenerator<Uint8Array, void, undefined> {
    const pieces = await this.#objects.get(key)
    if (pieces === undefined) throw new Error('A part of an upload is gone')
    let length = 0
    for await (const piece of pieces) {
      length += piece.length
      yield piece
    }
    if (length !== sizeBytes) throw new Error('A part of an upload is not as long as it was')
  }
}
