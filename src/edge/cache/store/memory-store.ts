import { createS3FifoCache } from '../../../lib/collections/s3-fifo-cache.ts'
import { isFileBody } from './body-files.ts'
import type { CacheStore } from './cache-store.ts'
import { createChunkLog, type ChunkLog } from './chunk-log.ts'
import type { StoredResponse } from './stored-response.ts'
import { variantIdOf } from '../rfc9111/vary.ts'

export interface MemoryStoreOptions {
  /** For everything: bodies, fields, keys, and what the engine needs to hold them. */
  readonly maxBytes: number
  readonly maxVariants: number
  /** Hears of a key whose variants had to go for want of room. */
  readonly onEvict?: (
    key: string,
    variants: readonly StoredResponse[],
    wasUsedAgain: boolean,
  ) => void
}

/** What an entry costs beyond its texts and its body: objects, headers table, map entries. */
const overheadBytes = 2048

export class MemoryStore implements CacheStore {
  readonly maxBodyBytes: number
  readonly #variantsByKey
  readonly #maxVariants: number

  constructor({ maxBytes, maxVariants, onEvict }: MemoryStoreOptions) {
    this.#variantsByKey = createS3FifoCache<readonly StoredResponse[]>(maxBytes, onEvict)
    this.#maxVariants = maxVariants
    // The admission policy keeps nothing above a tenth of the room.
    this.maxBodyBytes = Math.max(0, Math.floor(maxBytes / 10) - 4 * overheadBytes)
  }

  get maxMemoryBodyBytes(): number {
    return this.maxBodyBytes
  }

  newLog(): ChunkLog {
    return createChunkLog()
  }

  get sizeBytes(): number {
    return this.#variantsByKey.sizeBytes
  }

  get count(): number {
    return this.#variantsByKey.count
  }

  has(key: string): boolean {
    return this.peek(key).length > 0
  }

  peek(key: string): readonly StoredResponse[] {
    return this.#variantsByKey.get(key) ?? []
  }

  async load(key: string): Promise<readonly StoredResponse[]> {
    return this.peek(key)
  }

  put(stored: StoredResponse): void {
    const others = withoutVariant(this.peek(stored.key), stored)
    const variants = [stored, ...others].slice(0, this.#maxVariants)
    while (variants.length > 1 && sizeOf(variants) > this.maxBodyBytes) variants.pop()
    this.#variantsByKey.set(stored.key, variants, sizeOf(variants))
  }

  remove(key: string): void {
    this.#variantsByKey.delete(key)
  }

  clear(): void {
    this.#variantsByKey.clear()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.clear()
  }
}

function withoutVariant(
  variants: readonly StoredResponse[],
  replaced: StoredResponse,
): readonly StoredResponse[] {
  const id = variantIdOf(replaced.varyValues)
  return variants.filter(({ varyValues }) => variantIdOf(varyValues) !== id)
}

const sizeOf = (variants: readonly StoredResponse[]): number =>
  variants.reduce((sum, variant) => sum + sizeOfOne(variant), 0)

function sizeOfOne({ key, headers, counters, varyValues, body }: StoredResponse): number {
  let characters = key.length
  for (const [name, value] of headers) characters += name.length + value.length
  for (const counter of counters) characters += counter.length
  for (const [name, value] of varyValues) characters += name.length + value.length
  return overheadBytes + 2 * characters + (isFileBody(body) ? 0 : (body.sizeBytes ?? 0))
}
