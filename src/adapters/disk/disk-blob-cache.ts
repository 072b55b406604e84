import { rmSync } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { createSingleFlight, type SingleFlight } from '../../lib/async/single-flight.ts'
import { type BlobRef, type BlobStore, type ByteRange } from '../../ports/content/blob-store.ts'
import { blobRoot, incomingRoot, placeOf } from './blob-layout.ts'
import { ifPresent } from './file-system.ts'
import { listBlobs } from './list-blobs.ts'
import { StoreUnavailableError } from '../../ports/store-unavailable-error.ts'

export interface DiskBlobCacheOptions {
  readonly directory: string
  /** What has been asked for longest ago goes, until all weighs no more than this. */
  readonly maxBytes: number
  /** The bytes from elsewhere, not checked; `undefined` where there are none. */
  readonly fetchBlob: (sha256: string) => Promise<ReadableStream<Uint8Array> | undefined>
  readonly newId: () => string
}

interface Held {
  readonly sizeBytes: number
  /** What an earlier process left is checked when it is first used: a power cut may have spoilt it. */
  isChecked: boolean
}

/** Somebody may be about to open a file that was let go: it stays for so long. */
const lingersMs = 60_000

/** The directory must be nobody else's. */
export async function openDiskBlobCache(options: DiskBlobCacheOptions): Promise<DiskBlobCache> {
  await mkdir(blobRoot(options.directory), { recursive: true })
  await mkdir(incomingRoot(options.directory), { recursive: true })
  for (const name of await readdir(incomingRoot(options.directory)))
    await rm(join(incomingRoot(options.directory), name), { force: true })
  const found = await Array.fromAsync(listBlobs(options.directory))
  return new DiskBlobCache(
    options,
    found.toSorted((one, other) => one.keptAt.getTime() - other.keptAt.getTime()),
  )
}

/**
 * Bytes by their SHA-256, fetched when they are first asked for, once for all who ask, and checked.
 * What does not hash to its name is never answered.
 */
export class DiskBlobCache implements Pick<BlobStore, 'open' | 'read' | 'stat'>, AsyncDisposable {
  readonly #options: DiskBlobCacheOptions
  /** The one asked for longest ago first. */
  readonly #heldBySha256 = new Map<string, Held>()
  readonly #leavingBySha256 = new Map<string, { readonly held: Held; readonly timer: Timer }>()
  readonly #filling: SingleFlight<string | undefined> = createSingleFlight()
  #sizeBytes = 0

  constructor(options: DiskBlobCacheOptions, found: readonly BlobRef[] = []) {
    this.#options = options
    for (const { sha256, sizeBytes } of found) this.#hold(sha256, { sizeBytes, isChecked: false })
  }

  get sizeBytes(): number {
    return this.#sizeBytes
  }

  /** Whether the bytes are here; then they stay for at least a minute more. */
  touch(sha256: string): boolean {
    const held = this.#heldBySha256.get(sha256) ?? this.#takeBack(sha256)
    if (held === undefined) return false
    this.#heldBySha256.delete(sha256)
    this.#heldBySha256.set(sha256, held)
    return true
  }

  async stat(sha256: string): Promise<BlobRef | undefined> {
    if ((await this.#file(sha256)) === undefined) return undefined
    const sizeBytes = this.#heldBySha256.get(sha256)?.sizeBytes
    return sizeBytes === undefined ? undefined : { sha256, sizeBytes }
  }

  async read(sha256: string): Promise<Uint8Array | undefined> {
    const path = await this.#file(sha256)
    if (path === undefined) return undefined
    const bytes = await ifPresent(Bun.file(path).bytes())
    if (bytes !== undefined) return bytes
    // Somebody has removed the file.
    this.#forget(sha256)
    const again = await this.#file(sha256)
    return again === undefined ? undefined : await ifPresent(Bun.file(again).bytes())
  }

  async open(sha256: string, range?: ByteRange): Promise<Blob | undefined> {
    const path = await this.#file(sha256)
    if (path === undefined) return undefined
    const file = Bun.file(path)
    return range ? file.slice(range.start, range.end) : file
  }

  /** Lets go at once of what was to leave later. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const [sha256, { timer }] of this.#leavingBySha256) {
      clearTimeout(timer)
      this.#unlink(sha256)
    }
  }

  async #file(sha256: string): Promise<string | undefined> {
    const path = this.#pathOf(sha256)
    if (path === undefined) return undefined
    if (this.touch(sha256) && this.#heldBySha256.get(sha256)?.isChecked === true) return path
    return (await this.#filling.run(sha256, undefined, () => this.#checkOrFill(sha256, path))).value
  }

  async #checkOrFill(sha256: string, path: string): Promise<string | undefined> {
    const held = this.#heldBySha256.get(sha256)
    if (held !== undefined) {
      if (held.isChecked || (await isIntact(path, sha256))) {
        held.isChecked = true
        return path
      }
      this.#forget(sha256)
    }
    return await this.#fill(sha256, path)
  }

  async #fill(sha256: string, path: string): Promise<string | undefined> {
    const incoming = join(incomingRoot(this.#options.directory), this.#options.newId())
    try {
      const source = await this.#options.fetchBlob(sha256)
      if (source === undefined) return undefined
      const received = await receive(source, incoming)
      if (received.sha256 !== sha256)
        throw new Error(`What came for ${sha256} hashes to ${received.sha256}`)
      await mkdir(dirname(path), { recursive: true })
      await rename(incoming, path)
      this.#hold(sha256, { sizeBytes: received.sizeBytes, isChecked: true })
      return path
    } catch (cause) {
      await rm(incoming, { force: true })
      throw new StoreUnavailableError('The bytes cannot be had just now', {
        store: 'blobs',
        final: false,
        cause,
      })
    }
  }

  #hold(sha256: string, held: Held): void {
    this.#forget(sha256)
    this.#heldBySha256.set(sha256, held)
    this.#sizeBytes += held.sizeBytes
    for (const oldest of this.#heldBySha256.keys()) {
      if (this.#sizeBytes <= this.#options.maxBytes || oldest === sha256) return
      this.#letGo(oldest)
    }
  }

  #letGo(sha256: string): void {
    const held = this.#heldBySha256.get(sha256)
    if (held === undefined) return
    this.#forget(sha256)
    const timer = setTimeout(() => this.#unlink(sha256), lingersMs)
    timer.unref()
    this.#leavingBySha256.set(sha256, { held, timer })
  }

  #takeBack(sha256: string): Held | undefined {
    const leaving = this.#leavingBySha256.get(sha256)
    if (leaving === undefined) return undefined
    clearTimeout(leaving.timer)
    this.#leavingBySha256.delete(sha256)
    this.#hold(sha256, leaving.held)
    return leaving.held
  }

  #forget(sha256: string): void {
    this.#sizeBytes -= this.#heldBySha256.get(sha256)?.sizeBytes ?? 0
    this.#heldBySha256.delete(sha256)
  }

  /** At once: nobody may have put the same bytes there again in between. */
  #unlink(sha256: string): void {
    this.#leavingBySha256.delete(sha256)
    const path = this.#pathOf(sha256)
    if (path !== undefined && !this.#heldBySha256.has(sha256)) rmSync(path, { force: true })
  }

  #pathOf(sha256: string): string | undefined {
    return placeOf(this.#options.directory, sha256)?.path
  }
}

async function receive(source: ReadableStream<Uint8Array>, path: string): Promise<BlobRef> {
  const hasher = new Bun.CryptoHasher('sha256')
  let sizeBytes = 0
  await using file = await open(path, 'wx', 0o600)
  for await (const chunk of source) {
    hasher.update(chunk)
    sizeBytes += chunk.length
    await writeAll(file, chunk)
  }
  return { sha256: hasher.digest('hex'), sizeBytes }
}

async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let done = 0; done < chunk.length;) {
    const { bytesWritten } = await file.write(chunk, done)
    done += bytesWritten
  }
}

async function isIntact(path: string, sha256: string): Promise<boolean> {
  const hasher = new Bun.CryptoHasher('sha256')
  const file = Bun.file(path)
  if (!(await file.exists())) return false
  for await (const chunk of file.stream()) hasher.update(chunk)
  return hasher.digest('hex') === sha256
}
