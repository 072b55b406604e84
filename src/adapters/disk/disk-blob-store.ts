import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { flushDirectory, makeDurableDirectory } from '../../lib/durable-directory.ts'
import { KeyedQueue } from '../../lib/keyed-queue.ts'
import type {
  BlobRef,
  BlobStore,
  BlobStoreUnavailableError,
  ByteRange,
  IncomingBlob,
} from '../../ports/blob-store.ts'
import { type BlobPlace, blobRoot, fanOutNames, incomingRoot, placeOf } from './blob-layout.ts'
import { DiskIncomingBlob } from './disk-incoming-blob.ts'
import { type FileSystem, ifPresent, nodeFileSystem } from './file-system.ts'
import { Flusher } from './flusher.ts'
import { listBlobs } from './list-blobs.ts'
import { Spool } from './spool.ts'
import { translateFault, translatingFaults } from './translate-fault.ts'

export interface DiskBlobStoreOptions {
  readonly directory: string
  readonly now?: () => Date
  readonly files?: FileSystem
  /** A flush failed: the store takes in nothing more until it is opened again. */
  readonly onFatal?: (failure: BlobStoreUnavailableError) => void
}

/**
 * Opens the store of a process that has the directory to itself: what an earlier process was still
 * taking in when it ended is removed. For a look at a store that another process writes to, construct
 * a {@link DiskBlobStore} instead.
 */
export async function openDiskBlobStore(options: DiskBlobStoreOptions): Promise<DiskBlobStore> {
  const incoming = incomingRoot(options.directory)
  await makeDurableDirectory(blobRoot(options.directory))
  await makeDurableDirectory(incoming)
  await makeOuterDirectories(options.directory)
  for (const name of await readdir(incoming)) await rm(join(incoming, name), { recursive: true })
  return new DiskBlobStore(options)
}

/** All 256 at once, so that a blob never waits for the root to be flushed. */
async function makeOuterDirectories(directory: string): Promise<void> {
  const present = new Set(await readdir(blobRoot(directory)))
  const missing = fanOutNames().filter((name) => !present.has(name))
  await Promise.all(missing.map((name) => mkdir(join(blobRoot(directory), name))))
  await flushDirectory(blobRoot(directory))
}

/** Blobs as files named by their SHA-256, each written once under another name and then moved there. */
export class DiskBlobStore implements BlobStore {
  readonly #directory: string
  readonly #now: () => Date
  readonly #files: FileSystem
  readonly #flusher: Flusher
  /** Of equal bytes only one is moved, flushed or removed at a time. */
  readonly #queue = new KeyedQueue()
  /** Innermost directories whose own names are known to be flushed. At most 65,536. */
  readonly #durableDirectories = new Set<string>()

  constructor({
    directory,
    now = () => new Date(),
    files = nodeFileSystem,
    onFatal = () => {},
  }: DiskBlobStoreOptions) {
    this.#directory = directory
    this.#now = now
    this.#files = files
    this.#flusher = new Flusher(files, onFatal)
  }

  async receive(source: ReadableStream<Uint8Array> | Uint8Array): Promise<IncomingBlob> {
    this.#flusher.assertUsable()
    const spool = new Spool({
      files: this.#files,
      flusher: this.#flusher,
      directory: incomingRoot(this.#directory),
    })
    const hasher = new Bun.CryptoHasher('sha256')
    let sizeBytes = 0
    try {
      for await (const chunk of source instanceof Uint8Array ? [source] : source) {
        hasher.update(chunk)
        sizeBytes += chunk.length
        await translatingFaults(spool.append(chunk))
      }
      await translatingFaults(spool.end())
    } catch (error) {
      await spool.discard()
      throw error
    }
    const blob = { sha256: hasher.digest('hex'), sizeBytes }
    return new DiskIncomingBlob({ blob, spool, keep: () => this.#keep(spool, blob) })
  }

  async stat(sha256: string): Promise<BlobRef | undefined> {
    const path = placeOf(this.#directory, sha256)?.path
    const found = path && (await ifPresent(this.#files.stat(path)))
    return found ? { sha256, sizeBytes: found.size } : undefined
  }

  async read(sha256: string): Promise<Uint8Array | undefined> {
    const path = placeOf(this.#directory, sha256)?.path
    return path === undefined ? undefined : await ifPresent(Bun.file(path).bytes())
  }

  async open(sha256: string, range?: ByteRange): Promise<Blob | undefined> {
    const path = placeOf(this.#directory, sha256)?.path
    if (path === undefined || (await this.stat(sha256)) === undefined) return undefined
    const file = Bun.file(path)
    return range ? file.slice(range.start, range.end) : file
  }

  async isIntact(sha256: string): Promise<boolean> {
    const blob = await this.open(sha256)
    if (blob === undefined) return false
    const hasher = new Bun.CryptoHasher('sha256')
    for await (const chunk of blob.stream()) hasher.update(chunk)
    return hasher.digest('hex') === sha256
  }

  list(): AsyncIterable<BlobRef & { readonly keptAt: Date }> {
    return listBlobs(this.#directory)
  }

  async remove(sha256: string): Promise<void> {
    const path = placeOf(this.#directory, sha256)?.path
    if (path === undefined) return
    await this.#queue.run(sha256, () => ifPresent(this.#files.unlink(path)))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#queue.idle()
  }

  async #keep(spool: Spool, blob: BlobRef): Promise<BlobRef> {
    return await this.#queue.run(blob.sha256, async () => {
      try {
        await this.#makeFindable(spool, blob)
        return blob
      } catch (error) {
        throw translateFault(error)
      } finally {
        await spool.discard()
      }
    })
  }

  async #makeFindable(spool: Spool, { sha256, sizeBytes }: BlobRef): Promise<void> {
    const place = placeOf(this.#directory, sha256)
    if (place === undefined) throw new Error(`${sha256} is not a SHA-256`)
    const present = await this.stat(sha256)
    const firstMade =
      present?.sizeBytes === sizeBytes
        ? await this.#flushPresent(place.path)
        : await spool.moveTo(place.path)
    await this.#files.utimes(place.path, this.#now(), this.#now())
    await this.#flushDirectories(place, firstMade)
  }

  /** The file may be what a killed process left: in its place, and not yet flushed. */
  async #flushPresent(path: string): Promise<undefined> {
    await using handle = await this.#files.open(path, 'r')
    await this.#flusher.flushFile(handle)
  }

  async #flushDirectories(
    { inner, outer, root }: BlobPlace,
    firstMade: string | undefined,
  ): Promise<void> {
    const unflushed = [inner]
    if (firstMade !== undefined || !this.#durableDirectories.has(inner)) unflushed.push(outer)
    if (firstMade === outer) unflushed.push(root)
    await Promise.all(unflushed.map((directory) => this.#flusher.flushDirectory(directory)))
    this.#durableDirectories.add(inner)
  }
}
