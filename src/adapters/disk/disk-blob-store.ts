import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'

import { ifPresent } from '../../lib/files/file-faults.ts'
import { sliceOf, wholeFile } from '../../lib/files/file-spans.ts'
import {
  flushDirectory,
  makeDurableDirectory,
  writeFileDurably,
} from '../../lib/files/durable-files.ts'
import { KeyedQueue } from '../../lib/async/keyed-queue.ts'
import { Mutex } from '../../lib/async/mutex.ts'
import type { BlobRef, BlobStore, ByteRange, IncomingBlob } from '../../ports/content/blob-store.ts'
import {
  type BlobPlace,
  blobRoot,
  checkpointFile,
  fanOutNames,
  incomingRoot,
  pathBelow,
  placeOf,
} from './blob-layout.ts'
import type { BlobFiles } from './blob-files/blob-files.ts'
import { blobFilesHere } from './blob-files/blob-files-here.ts'
import { threadedBlobFiles } from './blob-files/threaded-blob-files.ts'
import { openCachedFiles } from './cached-files.ts'
import { DiskIncomingBlob, type Flushing } from './disk-incoming-blob.ts'
import {
  type FileSystem,
  nodeFileSystem,
  translateFault,
  translatingFaults,
} from './file-system.ts'
import { Flusher } from './flusher.ts'
import { HeldBlobs } from './held-blobs.ts'
import { listBlobs } from './list-blobs.ts'
import { PlacedBlobs } from './placed-blobs.ts'
import { type Movable, Spool } from './spool.ts'
import type { StoreUnavailableError } from '../../ports/store-unavailable-error.ts'

export interface DiskBlobStoreOptions {
  readonly directory: string
  readonly now?: () => Date
  readonly files?: FileSystem
  /**
   * How much of what is kept lazily is in memory until the next checkpoint. Nothing, where other processes are to
   * find it in the directory at once.
   */
  readonly heldBytes?: number
  /** Whether files of what is kept lazily are made and flushed by another thread. */
  readonly isThreaded?: boolean
  /** A flush failed: the store takes in nothing more until it is opened again. */
  readonly onFatal?: (failure: StoreUnavailableError) => void
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

const usualHeldBytes = 32 * 2 ** 20

/** Blobs as files named by their SHA-256, each written once under another name and then moved there. */
export class DiskBlobStore implements BlobStore {
  readonly #directory: string
  readonly #root: string
  readonly #now: () => Date
  readonly #files: FileSystem
  readonly #flusher: Flusher
  /** Of equal bytes only one is moved, flushed or removed at a time. */
  readonly #queue = new KeyedQueue()
  readonly #placed: PlacedBlobs
  readonly #held: HeldBlobs
  /** For one file, which somebody waits for. */
  readonly #filesHere: BlobFiles
  /** For many, which nobody does. */
  readonly #filesTogether: BlobFiles
  readonly #checkpoints = new Mutex()
  readonly #readCached = openCachedFiles()

  constructor({
    directory,
    now = () => new Date(),
    files = nodeFileSystem,
    heldBytes = usualHeldBytes,
    isThreaded = false,
    onFatal = () => {},
  }: DiskBlobStoreOptions) {
    this.#directory = directory
    this.#root = blobRoot(directory)
    this.#now = now
    this.#files = files
    this.#flusher = new Flusher(files, onFatal)
    this.#placed = new PlacedBlobs(this.#flusher)
    this.#held = new HeldBlobs({ directory, placed: this.#placed, maxBytes: heldBytes })
    const incoming = incomingRoot(directory)
    this.#filesHere = blobFilesHere({ files, flusher: this.#flusher, incoming })
    this.#filesTogether = isThreaded ? threadedBlobFiles(incoming) : this.#filesHere
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
    return this.adopt(blob, spool)
  }

  /** Bytes that lie as a file on the same file system already: where they are kept, none is copied. */
  adopt(blob: BlobRef, source: Movable): IncomingBlob {
    return new DiskIncomingBlob({
      blob,
      spool: source,
      keep: (flushing) => this.#keep(source, blob, flushing),
    })
  }

  async stat(sha256: string): Promise<BlobRef | undefined> {
    return this.#held.stat(sha256) ?? (await this.#statFile(sha256))
  }

  async read(sha256: string): Promise<Uint8Array | undefined> {
    const held = this.#held.get(sha256)
    if (held !== undefined) return held.bytes.slice()
    const path = placeOf(this.#directory, sha256)?.path
    return path === undefined ? undefined : await ifPresent(Bun.file(path).bytes())
  }

  readAtOnce(sha256: string, into: Uint8Array): boolean {
    const held = this.#held.get(sha256)
    if (held !== undefined) {
      if (held.bytes.length !== into.length) return false
      into.set(held.bytes)
      return true
    }
    const path = pathBelow(this.#root, sha256)
    return path !== undefined && this.#readCached?.(path, into) === true
  }

  async open(sha256: string, range?: ByteRange): Promise<Blob | undefined> {
    const held = this.#held.get(sha256)
    const file = held === undefined ? await this.#openFile(sha256) : new Blob([held.bytes])
    return file && sliceOf(file, range)
  }

  async path(sha256: string): Promise<string | undefined> {
    const path = placeOf(this.#directory, sha256)?.path
    if (this.#held.get(sha256) !== undefined)
      await this.#queue.run(sha256, () => this.#writeHere(sha256))
    return (await this.stat(sha256)) && path
  }

  async flush(sha256: string): Promise<BlobRef | undefined> {
    const place = placeOf(this.#directory, sha256)
    if (place === undefined) return undefined
    return await this.#queue.run(sha256, async () => {
      await this.#writeHere(sha256)
      const found = await this.#statFile(sha256)
      if (found !== undefined) await translatingFaults(this.#placed.flush(place))
      return found
    })
  }

  async renew(sha256: string): Promise<BlobRef | undefined> {
    const place = placeOf(this.#directory, sha256)
    if (place === undefined) return undefined
    return await this.#queue.run(sha256, async () => {
      const held = this.#held.renew(sha256, this.#now())
      if (held !== undefined) return held
      const found = await this.#statFile(sha256)
      if (found !== undefined) await translatingFaults(this.#renew(place))
      return found
    })
  }

  async isIntact(sha256: string): Promise<boolean> {
    const blob = await this.open(sha256)
    if (blob === undefined) return false
    const hasher = new Bun.CryptoHasher('sha256')
    for await (const chunk of blob.stream()) hasher.update(chunk)
    return hasher.digest('hex') === sha256
  }

  async checkpoint(mark: string): Promise<void> {
    using _turn = await this.#checkpoints.acquire()
    await this.#write(this.#held.names())
    await translatingFaults(this.#placed.flushAll(this.#filesTogether))
    await translatingFaults(writeFileDurably(checkpointFile(this.#directory), mark))
  }

  awaitsCheckpoint(): boolean {
    return !this.#held.isEmpty || !this.#placed.areAllFlushed
  }

  async lastCheckpoint(): Promise<string | undefined> {
    return await ifPresent(Bun.file(checkpointFile(this.#directory)).text())
  }

  async *list(): AsyncIterable<BlobRef & { readonly keptAt: Date }> {
    await this.#write(this.#held.names())
    yield* listBlobs(this.#directory)
  }

  async remove(sha256: string, keptBefore?: Date): Promise<boolean> {
    const path = placeOf(this.#directory, sha256)?.path
    if (path === undefined) return false
    return await this.#queue.run(sha256, async () => {
      const held = this.#held.get(sha256)
      const keptAt = held?.keptAt ?? (await ifPresent(this.#files.stat(path)))?.mtime
      if (keptAt === undefined || (keptBefore && keptAt >= keptBefore)) return false
      this.#held.drop(sha256)
      await ifPresent(this.#files.unlink(path))
      return true
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#queue.idle()
    // What cannot be written any more is durable where it was given from.
    await this.#write(this.#held.names()).catch(() => undefined)
    await this.#filesTogether[Symbol.asyncDispose]()
  }

  async #openFile(sha256: string): Promise<Blob | undefined> {
    const path = placeOf(this.#directory, sha256)?.path
    const found = path && (await this.#statFile(sha256))
    return found ? wholeFile(path, found.sizeBytes) : undefined
  }

  async #statFile(sha256: string): Promise<BlobRef | undefined> {
    const path = placeOf(this.#directory, sha256)?.path
    const found = path && (await ifPresent(this.#files.stat(path)))
    return found ? { sha256, sizeBytes: found.size } : undefined
  }

  /** Makes files of these, as far as they are held. */
  async #write(names: readonly string[]): Promise<void> {
    const { atOnce } = this.#filesTogether
    for (let start = 0; start < names.length; start += atOnce) {
      const some = names.slice(start, start + atOnce)
      await this.#queue.runTogether(some, () => this.#held.write(some, this.#filesTogether))
      await setImmediate()
    }
  }

  /** In the turn of these bytes. */
  async #writeHere(sha256: string): Promise<void> {
    await this.#held.write([sha256], this.#filesHere)
  }

  async #keep(spool: Movable, blob: BlobRef, flushing: Flushing): Promise<BlobRef> {
    return await this.#queue.run(blob.sha256, async () => {
      try {
        await (flushing === 'later'
          ? this.#moveLazily(spool, blob)
          : this.#moveDurably(spool, blob))
        return blob
      } catch (error) {
        throw translateFault(error)
      } finally {
        await spool.discard()
      }
    })
  }

  async #moveDurably(spool: Movable, blob: BlobRef): Promise<void> {
    const place = this.#placeOf(blob)
    await this.#writeHere(blob.sha256)
    const isPresent = await this.#isWhole(blob)
    await (isPresent ? this.#placed.flushBytes(place.path) : spool.flush())
    const firstMade = isPresent ? undefined : await spool.moveTo(place.path)
    await this.#renew(place)
    await this.#placed.flushName(place, firstMade)
  }

  /** What is there already may have been left unflushed by a killed process: it counts as new. */
  async #moveLazily(spool: Movable, blob: BlobRef): Promise<void> {
    const place = this.#placeOf(blob)
    const bytes = spool.buffered?.()
    this.#flusher.assertUsable()
    if (bytes && this.#held.hold(blob, { bytes, keptAt: this.#now() })) return
    await this.#writeHere(blob.sha256)
    const firstMade = (await this.#isWhole(blob)) ? undefined : await spool.moveTo(place.path)
    await this.#renew(place)
    this.#placed.flushLater(place, firstMade)
  }

  #placeOf({ sha256 }: BlobRef): BlobPlace {
    const place = placeOf(this.#directory, sha256)
    if (place === undefined) throw new Error(`${sha256} is not a SHA-256`)
    return place
  }

  async #isWhole({ sha256, sizeBytes }: BlobRef): Promise<boolean> {
    return (await this.#statFile(sha256))?.sizeBytes === sizeBytes
  }

  /** The time of a file says when its bytes were last wanted. */
  async #renew({ path }: BlobPlace): Promise<void> {
    await this.#files.utimes(path, this.#now(), this.#now())
  }
}
