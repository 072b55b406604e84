import { mkdir, rm, unlink } from 'node:fs/promises'
import { join } from 'node:path'

import { createS3FifoCache } from '../../../lib/collections/s3-fifo-cache.ts'
import { BodyFiles, isFileBody, type BodyName } from './body-files.ts'
import type { CachePolicy } from '../rfc9111/cache-policy.ts'
import { parseVariants, serializeVariants, type DiskVariant } from './disk-record.ts'
import { bodyOf } from './chunk-log.ts'
import { storedResponseOf, type StoredRecord, type StoredResponse } from './stored-response.ts'

export interface DiskTierOptions {
  /** A directory of the cache's own inside it is emptied at start and filled anew. */
  readonly directory: string
  readonly maxBytes: number
  /** Bodies up to this are read into memory when they are wanted. */
  readonly maxMemoryBodyBytes: number
  readonly policy: CachePolicy
}

interface Entry {
  /** A file of its own for every write, so that none is ever taken for another. */
  readonly recordPath: string
  readonly bodies: readonly BodyName[]
}

/** A write under way. What is removed meanwhile must not come back with it. */
interface Write {
  readonly variants: readonly StoredResponse[]
  isCancelled: boolean
}

/** The least that a file takes on a disk. */
const blockBytes = 4096
/** A disk that is slower than what leaves memory gets no more than this to catch up with. */
const maxUnwrittenBytes = 64 * 2 ** 20
const folderName = 'sedge-edge-cache'

/**
 * Stored responses in files, bounded by bytes. What is in memory about each is small: its size and the
 * names of its bodies. A file that is gone, cut or changed is a miss.
 */
export class DiskTier implements AsyncDisposable {
  readonly bodies: BodyFiles
  readonly maxBodyBytes: number
  readonly #options: DiskTierOptions
  readonly #directory: string
  readonly #entries
  readonly #writeByKey = new Map<string, Write>()
  readonly #running = new Set<Promise<void>>()
  #unwrittenBytes = 0

  /** Drops what an earlier process left: nobody knows which purges it has missed. */
  static async open(options: DiskTierOptions): Promise<DiskTier> {
    const directory = join(options.directory, folderName)
    await rm(directory, { recursive: true, force: true })
    await mkdir(join(directory, 'incoming'), { recursive: true })
    await mkdir(join(directory, 'records'), { recursive: true })
    return new DiskTier(options, directory)
  }

  private constructor(options: DiskTierOptions, directory: string) {
    this.#options = options
    this.#directory = directory
    this.bodies = new BodyFiles(directory)
    this.maxBodyBytes = Math.max(0, Math.floor(options.maxBytes / 10) - 2 * blockBytes)
    this.#entries = createS3FifoCache<Entry>(options.maxBytes, (_key, entry) => this.#drop(entry))
  }

  get sizeBytes(): number {
    return this.#entries.sizeBytes
  }

  has(key: string): boolean {
    return this.#entries.get(key) !== undefined || this.#writeByKey.has(key)
  }

  /** The variants as they were put, small bodies already in memory. */
  async load(key: string): Promise<readonly StoredResponse[]> {
    const write = this.#writeByKey.get(key)
    if (write?.isCancelled === false) return write.variants
    const entry = this.#entries.get(key)
    if (entry === undefined) return []
    const text = await Bun.file(entry.recordPath)
      .text()
      .catch(() => '')
    const variants = parseVariants(text, key) ?? []
    const found = await Promise.all(variants.map((variant) => this.#revive(variant)))
    const intact = found.filter((stored) => stored !== undefined)
    const isDamaged = intact.length < variants.length || intact.length === 0
    if (isDamaged && this.#entries.get(key) === entry) this.remove(key)
    return this.#entries.get(key) === entry || isDamaged ? intact : []
  }

  /** Takes the place of all variants of the key. Failures of the disk only mean that nothing is kept. */
  async put(key: string, variants: readonly StoredResponse[]): Promise<void> {
    this.remove(key)
    const sizeBytes = memoryBytesOf(variants)
    if (this.#unwrittenBytes + sizeBytes > maxUnwrittenBytes) return
    this.#unwrittenBytes += sizeBytes
    const write: Write = { variants, isCancelled: false }
    this.#writeByKey.set(key, write)
    const running = this.#write(key, write).finally(() => {
      this.#running.delete(running)
      this.#unwrittenBytes -= sizeBytes
      if (this.#writeByKey.get(key) === write) this.#writeByKey.delete(key)
    })
    this.#running.add(running)
    await running
  }

  remove(key: string): void {
    const write = this.#writeByKey.get(key)
    if (write !== undefined) write.isCancelled = true
    const entry = this.#entries.get(key)
    this.#entries.delete(key)
    if (entry !== undefined) this.#drop(entry)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#running)
    await this.bodies[Symbol.asyncDispose]()
    await rm(this.#directory, { recursive: true, force: true })
  }

  async #write(key: string, write: Write): Promise<void> {
    const written: DiskVariant[] = []
    const recordPath = join(this.#directory, 'records', crypto.randomUUID())
    const namesOf = () => written.map(({ body }) => body)
    try {
      for (const stored of write.variants)
        written.push({ record: recordOf(stored), body: await this.#writeBody(stored) })
      await Bun.write(recordPath, serializeVariants(written))
    } catch {
      write.isCancelled = true
    }
    const entry = { recordPath, bodies: namesOf() }
    if (!write.isCancelled) this.#entries.set(key, entry, sizeOf(entry.bodies))
    if (this.#entries.get(key) !== entry) this.#drop(entry)
  }

  async #writeBody({ body }: StoredResponse): Promise<BodyName> {
    if (isFileBody(body)) {
      this.bodies.retain(body)
      return { sha256: body.sha256, sizeBytes: body.sizeBytes }
    }
    const opened = body.open()
    if (!(opened instanceof Blob)) throw new Error('Only complete bodies are written')
    const bytes = await opened.bytes()
    const sha256 = new Bun.CryptoHasher('sha256').update(bytes).digest('hex')
    const path = this.bodies.newPath()
    await Bun.write(path, bytes)
    const name = { sha256, sizeBytes: bytes.length }
    await this.bodies.adopt(path, name)
    this.bodies.retain(name)
    return name
  }

  async #revive({ record, body }: DiskVariant): Promise<StoredResponse | undefined> {
    const { maxMemoryBodyBytes, policy } = this.#options
    if (body.sizeBytes > maxMemoryBodyBytes) {
      const file = this.bodies.find(body)
      return file === undefined ? undefined : storedResponseOf(record, file, policy)
    }
    const bytes = await this.bodies.read(body)
    return bytes === undefined ? undefined : storedResponseOf(record, bodyOf(bytes), policy)
  }

  #drop({ recordPath, bodies }: Entry): void {
    for (const body of bodies) this.bodies.release(body)
    void unlink(recordPath).catch(() => {})
  }
}

const sizeOf = (bodies: readonly BodyName[]): number =>
  bodies.reduce((sum, { sizeBytes }) => sum + Math.max(blockBytes, sizeBytes), blockBytes)

const memoryBytesOf = (variants: readonly StoredResponse[]): number =>
  variants.reduce((sum, { body }) => sum + (isFileBody(body) ? 0 : (body.sizeBytes ?? 0)), 0)

const recordOf = ({
  key,
  status,
  headers,
  varyValues,
  requestedAt,
  receivedAt,
  generation,
  counters,
}: StoredResponse): StoredRecord => ({
  key,
  status,
  headers,
  varyValues,
  requestedAt,
  receivedAt,
  generation,
  counters,
})
