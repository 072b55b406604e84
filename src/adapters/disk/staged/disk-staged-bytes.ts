import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { RunningHashes } from '../../../lib/bytes/running-hashes.ts'
import { makeDurableDirectory } from '../../../lib/files/durable-files.ts'
import { ifPresent } from '../../../lib/files/file-faults.ts'
import type { BlobRef, IncomingBlob } from '../../../ports/content/blob-store.ts'
import type { StagedBytes, StagedPiece, StagedSize } from '../../../ports/content/staged-bytes.ts'
import type { StoreUnavailableError } from '../../../ports/store-unavailable-error.ts'
import type { DiskBlobStore } from '../disk-blob-store.ts'
import { type FileSystem, moveFile, nodeFileSystem, translatingFaults } from '../file-system.ts'
import { Flusher } from '../flusher.ts'
import { piecesOfFile } from './file-pieces.ts'
import { lengthText, parseLength, type StagedPlace, StagedWriter } from './staged-writer.ts'

export interface DiskStagedBytesOptions {
  /** On the same file system as the blobs: what is whole is moved to them. */
  readonly directory: string
  readonly blobs: Pick<DiskBlobStore, 'adopt'>
  readonly files?: FileSystem
  /** A flush failed: nothing is taken in any more until it is opened again. */
  readonly onFatal?: (failure: StoreUnavailableError) => void
}

/** Where the bytes of an id lie, and how many; none where there are none. */
interface Found {
  readonly id: string
  readonly path: string
  readonly length: number
}

/** Opens what a process has to itself. */
export async function openDiskStagedBytes(
  options: DiskStagedBytesOptions,
): Promise<DiskStagedBytes> {
  await makeDurableDirectory(options.directory)
  return new DiskStagedBytes(options)
}

/** The bytes of each upload in a file, which becomes its blob in the end. */
export class DiskStagedBytes implements StagedBytes {
  readonly #directory: string
  readonly #blobs: Pick<DiskBlobStore, 'adopt'>
  readonly #files: FileSystem
  readonly #flusher: Flusher
  readonly #hashes = new RunningHashes()

  constructor({
    directory,
    blobs,
    files = nodeFileSystem,
    onFatal = () => {},
  }: DiskStagedBytesOptions) {
    this.#directory = directory
    this.#blobs = blobs
    this.#files = files
    this.#flusher = new Flusher(files, onFatal)
  }

  async size(id: string): Promise<number> {
    return (await this.#find(id)).length
  }

  async append(id: string, piece: StagedPiece): Promise<number> {
    const { offset, source, accept } = piece
    this.#flusher.assertUsable()
    const length = await this.size(id)
    if (offset !== length) throw new Error(`${id} has ${length} bytes, not ${offset}`)
    const hasher = this.#hashes.takeFor(id, piece)
    const isGradual = accept === undefined
    await using writer = await translatingFaults(
      StagedWriter.open({
        files: this.#files,
        flusher: this.#flusher,
        place: this.#placeFor(id, piece),
        length,
        isGradual,
        onBytes: (bytes) => void hasher?.update(bytes),
      }),
    )
    const end = async () => {
      await translatingFaults(writer.end())
      if (hasher) this.#hashes.put(id, { hasher, hashedBytes: writer.flushedBytes })
    }
    try {
      for await (const chunk of source) await translatingFaults(writer.append(chunk))
    } catch (error) {
      // Whether that works or not, it is the source that has failed.
      await (isGradual ? end() : writer.takeBack()).catch(() => {})
      throw error
    }
    await (accept?.() === false ? translatingFaults(writer.takeBack()) : end())
    return writer.flushedBytes
  }

  async first(id: string, count: number): Promise<Uint8Array> {
    const { path, length } = await this.#find(id)
    return length === 0
      ? new Uint8Array(0)
      : await Bun.file(path).slice(0, Math.min(count, length)).bytes()
  }

  async finish(id: string): Promise<IncomingBlob | undefined> {
    const { path, length: sizeBytes } = await this.#find(id)
    if (sizeBytes === 0) return undefined
    await translatingFaults(this.#trim(path, sizeBytes))
    const sha256 = await this.#hashes.sha256(id, sizeBytes, (from) =>
      piecesOfFile(path, from, sizeBytes),
    )
    return this.#incoming({ id, path }, { sha256, sizeBytes })
  }

  /**
   * The file of the first grows by the bytes of all others. Its length stays recorded as it was, so that
   * what was joined and is not kept counts for nothing.
   */
  async join(ids: readonly string[]): Promise<IncomingBlob | undefined> {
    const found = await Promise.all(ids.map((id) => this.#find(id)))
    const [first, ...rest] = found
    if (first === undefined || found.some(({ length }) => length === 0)) return undefined
    if (rest.length === 0) return await this.finish(first.id)
    this.#flusher.assertUsable()
    const { id, path, length } = first
    await translatingFaults(this.#recordLength(first))
    const hasher = await this.#hashes.make(id, length, (from) => piecesOfFile(path, from, length))
    await using writer = await translatingFaults(
      StagedWriter.open({
        files: this.#files,
        flusher: this.#flusher,
        place: { directory: this.#directory, bytesPath: path, lengthPath: undefined },
        length,
        isGradual: true,
        onBytes: (bytes) => void hasher.update(bytes),
      }),
    )
    for (const part of rest)
      for await (const piece of piecesOfFile(part.path, 0, part.length))
        await translatingFaults(writer.append(piece))
    await translatingFaults(writer.end())
    const blob = { sha256: hasher.digest('hex'), sizeBytes: writer.flushedBytes }
    return this.#incoming(first, blob)
  }

  #incoming({ id, path: from }: Pick<Found, 'id' | 'path'>, blob: BlobRef): IncomingBlob {
    const incoming = this.#blobs.adopt(blob, {
      flush: async () => {},
      moveTo: async (path) => await moveFile(this.#files, from, path),
      discard: async () => {},
    })
    const dropOnce = async (kept: Promise<BlobRef>): Promise<BlobRef> => {
      await kept
      await this.drop(id)
      return blob
    }
    return {
      ...blob,
      keep: () => dropOnce(incoming.keep()),
      keepLazily: () => dropOnce(incoming.keepLazily()),
      [Symbol.asyncDispose]: () => incoming[Symbol.asyncDispose](),
    }
  }

  async drop(id: string): Promise<void> {
    this.#hashes.forget(id)
    const { lengthPath, bytesPath, partPath } = this.#placeOf(id)
    // Without its length a part that others were joined to would be longer than it was.
    for (const path of [partPath, bytesPath, lengthPath]) await ifPresent(this.#files.unlink(path))
  }

  async *list(): AsyncIterable<StagedSize> {
    const names = await readdir(this.#directory)
    const ids = new Set(names.map((name) => name.replace(/\.(?:bytes|length|part)$/u, '')))
    for (const id of ids) yield { id, sizeBytes: await this.size(id) }
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  /** What lies behind the bytes was never acknowledged. */
  async #trim(path: string, length: number): Promise<void> {
    if ((await this.#files.stat(path)).size === length) return
    await using handle = await this.#files.open(path, 'r+')
    await handle.truncate(length)
    await this.#flusher.flushNewFile(handle)
  }

  /**
   * A later part is as long as its file, unless others were to be joined to it: then it has a length beside
   * it, which is whole before the first byte of them is written.
   */
  async #find(id: string): Promise<Found> {
    const { bytesPath, lengthPath, partPath } = this.#placeOf(id)
    const recorded = parseLength(await ifPresent(Bun.file(lengthPath).text()))
    const part = await ifPresent(this.#files.stat(partPath))
    if (part !== undefined)
      return {
        id,
        path: partPath,
        length: recorded === 0 ? part.size : Math.min(recorded, part.size),
      }
    const bytes = recorded === 0 ? undefined : await ifPresent(this.#files.stat(bytesPath))
    return { id, path: bytesPath, length: Math.min(recorded, bytes?.size ?? 0) }
  }

  async #recordLength({ id, path, length }: Found): Promise<void> {
    const { lengthPath, partPath } = this.#placeOf(id)
    if (path !== partPath) return
    await using handle = await this.#files.open(lengthPath, 'w', 0o600)
    await handle.write(lengthText(length), 0)
    await this.#flusher.flushNewFile(handle)
    await this.#flusher.flushDirectory(this.#directory)
  }

  /** A later part is recorded by whoever stages it: another flush would say the same once more. */
  #placeFor(id: string, { isLaterPart = false }: StagedPiece): StagedPlace {
    const { bytesPath, lengthPath, partPath } = this.#placeOf(id)
    const directory = this.#directory
    return isLaterPart
      ? { directory, bytesPath: partPath, lengthPath: undefined }
      : { directory, bytesPath, lengthPath }
  }

  #placeOf(id: string) {
    if (!/^[\w-]{1,64}$/u.test(id)) throw new Error(`${id} is no id of an upload`)
    const path = join(this.#directory, id)
    return { bytesPath: `${path}.bytes`, lengthPath: `${path}.length`, partPath: `${path}.part` }
  }
}
