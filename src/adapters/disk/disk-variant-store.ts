import { rm, writeFile } from 'node:fs/promises'

import { ContentFiles } from '../../lib/files/content-files.ts'
import type { Variant, VariantStore } from '../../ports/media/variant-store.ts'
import { overlayName, parseVariantFileName, variantFileName } from './variant-file-name.ts'

export interface DiskVariantStoreOptions {
  readonly directory: string
  readonly maxBytes: number
  readonly maxPerSource: number
  readonly now: () => number
}

/** Opens what an earlier process has left. What it was still writing is removed. */
export async function openDiskVariantStore(
  options: DiskVariantStoreOptions,
): Promise<DiskVariantStore> {
  const store = new DiskVariantStore(options)
  await store.takeUp()
  return store
}

/**
 * Variants as files whose names are the index. What is read is hashed every time: it costs little beside
 * what is done with it.
 */
export class DiskVariantStore implements VariantStore {
  readonly #options: DiskVariantStoreOptions
  readonly #files: ContentFiles
  readonly #nameByKey = new Map<string, string>()
  /** Of one source the key used longest ago first; after a start in no order. */
  readonly #keysBySource = new Map<string, Set<string>>()
  /** Of those that have others laid over them, by how the names of these begin. */
  readonly #keysByOverlay = new Map<string, Set<string>>()

  constructor(options: DiskVariantStoreOptions) {
    this.#options = options
    this.#files = new ContentFiles({
      ...options,
      meaningOf: parseVariantFileName,
      onEvict: (name) => this.#drop(name),
    })
  }

  get sizeBytes(): number {
    return this.#files.sizeBytes
  }

  /** Once, before all else. */
  async takeUp(): Promise<void> {
    await this.#files.takeUp()
    for (const name of this.#files.names()) this.#add(name)
  }

  async get(key: string): Promise<Variant | undefined> {
    const name = this.#nameInUse(key)
    const bytes = name && (await this.#files.read(name))
    const file = name === undefined ? undefined : parseVariantFileName(name)
    if (!bytes || file === undefined) return undefined
    const { sizeBytes: _size, overlays: _overlays, ...rest } = file
    return { ...rest, bytes }
  }

  async put({ bytes, overlaySha256s = [], ...rest }: Variant): Promise<void> {
    if (bytes.length > this.#options.maxBytes) return await this.#forget(rest.key)
    const name = variantFileName({
      ...rest,
      sizeBytes: bytes.length,
      overlays: overlaySha256s.map(overlayName),
    })
    const incoming = this.#files.newPath()
    try {
      await writeFile(incoming, bytes)
      await this.#files.adopt(incoming, name)
    } catch (error) {
      await rm(incoming, { force: true })
      throw error
    }
    this.#add(name)
    const keys = this.#keysBySource.get(rest.sourceSha256) ?? new Set()
    for (const key of keys) {
      if (keys.size <= this.#options.maxPerSource) return
      await this.#forget(key)
    }
  }

  async path(key: string): Promise<string | undefined> {
    const name = this.#nameInUse(key)
    return name && (await this.#files.find(name))?.path
  }

  sources(): Iterable<string> {
    return this.#keysBySource.keys()
  }

  async removeSource(sourceSha256: string): Promise<void> {
    const made = this.#keysBySource.get(sourceSha256) ?? []
    const over = this.#keysByOverlay.get(overlayName(sourceSha256)) ?? []
    await Promise.all(Array.from([...made, ...over], (key) => this.#forget(key)))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#files[Symbol.asyncDispose]()
  }

  #nameInUse(key: string): string | undefined {
    const name = this.#nameByKey.get(key)
    if (name === undefined) return undefined
    if (!this.#files.touch(name)) {
      this.#drop(name)
      return undefined
    }
    const keys = this.#keysOf(parseVariantFileName(name)?.sourceSha256 ?? '')
    keys.delete(key)
    keys.add(key)
    return name
  }

  #add(name: string): void {
    const file = parseVariantFileName(name)
    if (file === undefined) return
    const twin = this.#nameByKey.get(file.key)
    if (twin !== undefined && twin !== name) void this.#forget(file.key)
    this.#nameByKey.set(file.key, name)
    this.#keysOf(file.sourceSha256).add(file.key)
    for (const overlay of file.overlays) {
      const keys = this.#keysByOverlay.get(overlay) ?? new Set<string>()
      this.#keysByOverlay.set(overlay, keys.add(file.key))
    }
  }

  async #forget(key: string): Promise<void> {
    const name = this.#nameByKey.get(key)
    if (name === undefined) return
    this.#drop(name)
    await this.#files.remove(name)
  }

  /** Unless another file has taken its place. */
  #drop(name: string): void {
    const file = parseVariantFileName(name)
    if (file === undefined || this.#nameByKey.get(file.key) !== name) return
    this.#nameByKey.delete(file.key)
    const keys = this.#keysOf(file.sourceSha256)
    keys.delete(file.key)
    if (keys.size === 0) this.#keysBySource.delete(file.sourceSha256)
    for (const overlay of file.overlays) {
      const over = this.#keysByOverlay.get(overlay)
      over?.delete(file.key)
      if (over?.size === 0) this.#keysByOverlay.delete(overlay)
    }
  }

  #keysOf(sourceSha256: string): Set<string> {
    const keys = this.#keysBySource.get(sourceSha256) ?? new Set<string>()
    this.#keysBySource.set(sourceSha256, keys)
    return keys
  }
}
