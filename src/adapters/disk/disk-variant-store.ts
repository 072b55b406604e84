import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { contentDigest } from '../../lib/bytes/content-digest.ts'
import type { Variant, VariantStore } from '../../ports/media/variant-store.ts'
import { parseVariantFileName, variantFileName, type VariantFile } from './variant-file-name.ts'

export interface DiskVariantStoreOptions {
  readonly directory: string
  readonly maxBytes: number
  readonly maxPerSource: number
}

const temporaryName = 'incoming'

/** Opens what an earlier process has left. What it was still writing is removed. */
export async function openDiskVariantStore(
  options: DiskVariantStoreOptions,
): Promise<DiskVariantStore> {
  const { directory } = options
  await rm(join(directory, temporaryName), { recursive: true, force: true })
  await mkdir(join(directory, temporaryName), { recursive: true })
  const store = new DiskVariantStore(options)
  for (const fanOut of await readdir(directory))
    if (/^[0-9a-f]{2}$/u.test(fanOut)) store.adopt(await readdir(join(directory, fanOut)))
  return store
}

/**
 * Variants as files whose names are the index. Nothing is flushed: what a power cut leaves half
 * written does not have the digest in its name, and goes when it is next read.
 */
export class DiskVariantStore implements VariantStore {
  readonly #options: DiskVariantStoreOptions
  /** The one used longest ago first; after a start in no order. */
  readonly #fileByKey = new Map<string, VariantFile>()
  readonly #keysBySource = new Map<string, Set<string>>()
  readonly #removals = new Set<Promise<void>>()
  #sizeBytes = 0

  constructor(options: DiskVariantStoreOptions) {
    this.#options = options
  }

  get sizeBytes(): number {
    return this.#sizeBytes
  }

  /** Takes files into the index that are there already. */
  adopt(names: readonly string[]): void {
    for (const name of names) {
      const file = parseVariantFileName(name)
      if (file) this.#add(file)
    }
    this.#makeRoom()
  }

  async get(key: string): Promise<Variant | undefined> {
    const file = this.#fileByKey.get(key)
    if (file === undefined) return undefined
    this.#touch(file)
    const bytes = await readFile(this.#pathOf(file))
    if (bytes !== undefined && contentDigest(bytes) === file.digest) {
      const { sizeBytes: _size, ...rest } = file
      return { ...rest, bytes }
    }
    if (this.#fileByKey.get(key) === file) this.#remove(file)
    return undefined
  }

  async put(variant: Variant): Promise<void> {
    const { bytes, ...rest } = variant
    if (bytes.length > this.#options.maxBytes) return this.#forget(variant.key)
    const file: VariantFile = { ...rest, sizeBytes: bytes.length }
    const temporary = join(this.#options.directory, temporaryName, Bun.randomUUIDv7())
    await writeFile(temporary, bytes)
    await this.#moveIn(temporary, this.#pathOf(file))
    this.#replace(file)
    this.#limitSource(file.sourceSha256)
    this.#makeRoom()
  }

  async path(key: string): Promise<string | undefined> {
    const file = this.#fileByKey.get(key)
    if (file === undefined) return undefined
    this.#touch(file)
    const path = this.#pathOf(file)
    if ((await Bun.file(path).exists()) && Bun.file(path).size === file.sizeBytes) return path
    if (this.#fileByKey.get(key) === file) this.#remove(file)
    return undefined
  }

  async removeSource(sourceSha256: string): Promise<void> {
    for (const key of this.#keysBySource.get(sourceSha256) ?? []) this.#forget(key)
    await this.#settle()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#settle()
  }

  #pathOf(file: VariantFile): string {
    return join(this.#options.directory, file.key.slice(0, 2), variantFileName(file))
  }

  async #moveIn(temporary: string, path: string): Promise<void> {
    try {
      await rename(temporary, path)
    } catch {
      await mkdir(join(path, '..'), { recursive: true })
      await rename(temporary, path)
    }
  }

  #replace(file: VariantFile): void {
    const before = this.#fileByKey.get(file.key)
    if (before) this.#drop(before)
    if (before && variantFileName(before) !== variantFileName(file)) this.#unlink(before)
    this.#add(file)
  }

  #add(file: VariantFile): void {
    const twin = this.#fileByKey.get(file.key)
    if (twin) this.#remove(twin)
    this.#fileByKey.set(file.key, file)
    this.#keysOf(file.sourceSha256).add(file.key)
    this.#sizeBytes += file.sizeBytes
  }

  #keysOf(sourceSha256: string): Set<string> {
    const keys = this.#keysBySource.get(sourceSha256) ?? new Set<string>()
    this.#keysBySource.set(sourceSha256, keys)
    return keys
  }

  /** Both orders, of all and of its source, start with what was used longest ago. */
  #touch(file: VariantFile): void {
    this.#fileByKey.delete(file.key)
    this.#fileByKey.set(file.key, file)
    const keys = this.#keysOf(file.sourceSha256)
    keys.delete(file.key)
    keys.add(file.key)
  }

  #limitSource(sourceSha256: string): void {
    const keys = this.#keysOf(sourceSha256)
    for (const key of keys) {
      if (keys.size <= this.#options.maxPerSource) return
      this.#forget(key)
    }
  }

  #makeRoom(): void {
    for (const file of this.#fileByKey.values()) {
      if (this.#sizeBytes <= this.#options.maxBytes) return
      this.#remove(file)
    }
  }

  #forget(key: string): void {
    const file = this.#fileByKey.get(key)
    if (file) this.#remove(file)
  }

  #remove(file: VariantFile): void {
    this.#drop(file)
    this.#unlink(file)
  }

  #drop(file: VariantFile): void {
    this.#fileByKey.delete(file.key)
    const keys = this.#keysOf(file.sourceSha256)
    keys.delete(file.key)
    if (keys.size === 0) this.#keysBySource.delete(file.sourceSha256)
    this.#sizeBytes -= file.sizeBytes
  }

  #unlink(file: VariantFile): void {
    const removal = rm(this.#pathOf(file), { force: true }).catch(() => {})
    this.#removals.add(removal)
    void removal.then(() => this.#removals.delete(removal))
  }

  async #settle(): Promise<void> {
    await Promise.all(this.#removals)
  }
}

async function readFile(path: string): Promise<Uint8Array | undefined> {
  try {
    return await Bun.file(path).bytes()
  } catch {
    return undefined
  }
}
