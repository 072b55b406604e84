import { isFileBody } from './body-files.ts'
import type { CachePolicy } from '../rfc9111/cache-policy.ts'
import type { CacheStore } from './cache-store.ts'
import { createChunkLog, type ChunkLog } from './chunk-log.ts'
import { DiskTier } from './disk-tier.ts'
import { MemoryStore } from './memory-store.ts'
import { SpillFile } from './spill-file.ts'
import type { StoredResponse } from './stored-response.ts'

export interface TieredStoreOptions {
  readonly directory: string
  readonly maxMemoryBytes: number
  readonly maxDiskBytes: number
  readonly policy: CachePolicy
}

/**
 * Memory in front of a disk. Bodies too large for memory go to the disk while they come in; what was
 * used more than once goes there when it has to leave memory. What is asked for comes back, and a newer
 * response in memory always takes the older one on the disk away.
 */
export class TieredStore implements CacheStore {
  readonly maxBodyBytes: number
  readonly maxMemoryBodyBytes: number
  readonly #memory: MemoryStore
  readonly #disk: DiskTier
  /** No single flight: whatever is put or removed meanwhile takes its load out, so that it is not kept. */
  readonly #loadByKey = new Map<string, Promise<readonly StoredResponse[]>>()
  /** While a key's variants come back from the disk, they need not go there again. */
  readonly #onDisk = new WeakSet<StoredResponse>()

  static async open(options: TieredStoreOptions): Promise<TieredStore> {
    const { directory, maxMemoryBytes, maxDiskBytes, policy } = options
    const memory = new MemoryStore({
      maxBytes: maxMemoryBytes,
      maxVariants: policy.maxVariants,
      onEvict: (key, variants, wasUsedAgain) => {
        if (wasUsedAgain) store.#demote(key, variants)
      },
    })
    const disk = await DiskTier.open({
      directory,
      policy,
      maxBytes: maxDiskBytes,
      maxMemoryBodyBytes: memory.maxBodyBytes,
    })
    const store: TieredStore = new TieredStore(memory, disk)
    return store
  }

  private constructor(memory: MemoryStore, disk: DiskTier) {
    this.#memory = memory
    this.#disk = disk
    this.maxMemoryBodyBytes = memory.maxBodyBytes
    this.maxBodyBytes = Math.max(memory.maxBodyBytes, disk.maxBodyBytes)
  }

  newLog(): ChunkLog {
    const { bodies } = this.#disk
    const maxMemoryBytes = this.maxMemoryBodyBytes
    return createChunkLog({ maxMemoryBytes, openFile: () => new SpillFile(bodies) })
  }

  get diskBytes(): number {
    return this.#disk.sizeBytes
  }

  has(key: string): boolean {
    return this.#memory.has(key) || this.#disk.has(key) || this.#loadByKey.has(key)
  }

  peek(key: string): readonly StoredResponse[] {
    const variants = this.#memory.peek(key)
    return variants.every(isIntact) ? variants : variants.filter(isIntact)
  }

  load(key: string): Promise<readonly StoredResponse[]> {
    const known = this.peek(key)
    if (known.length > 0 || !this.#disk.has(key)) return Promise.resolve(known)
    const loading = this.#loadByKey.get(key) ?? this.#promote(key)
    this.#loadByKey.set(key, loading)
    return loading
  }

  put(stored: StoredResponse): void {
    this.#loadByKey.delete(stored.key)
    this.#memory.put(stored)
    const variants = this.#memory.peek(stored.key)
    if (isFileBody(stored.body)) this.#write(stored.key, [stored, ...variants.slice(1)])
    else this.#disk.remove(stored.key)
  }

  remove(key: string): void {
    this.#loadByKey.delete(key)
    this.#memory.remove(key)
    this.#disk.remove(key)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#memory[Symbol.asyncDispose]()
    await this.#disk[Symbol.asyncDispose]()
  }

  async #promote(key: string): Promise<readonly StoredResponse[]> {
    const variants = await this.#disk.load(key)
    // Whatever was put or removed meanwhile is newer.
    if (!this.#loadByKey.delete(key)) return this.peek(key)
    for (const stored of variants.toReversed()) {
      this.#onDisk.add(stored)
      this.#memory.put(stored)
    }
    return variants
  }

  #demote(key: string, variants: readonly StoredResponse[]): void {
    const isThere = variants.every((stored) => this.#onDisk.has(stored)) && this.#disk.has(key)
    if (!isThere) this.#write(key, variants)
  }

  #write(key: string, variants: readonly StoredResponse[]): void {
    for (const stored of variants) this.#onDisk.add(stored)
    void this.#disk.put(key, variants)
  }
}

/** A body in memory always is; a file may have been taken away. */
const isIntact = ({ body }: StoredResponse): boolean => !isFileBody(body) || body.isIntact()
