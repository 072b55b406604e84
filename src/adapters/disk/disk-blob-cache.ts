import { rm } from 'node:fs/promises'
import { join } from 'node:path'

import { createSingleFlight, type SingleFlight } from '../../lib/async/single-flight.ts'
import { LruCache } from '../../lib/collections/lru-cache.ts'
import {
  type ContentFile,
  type ContentFiles,
  type ContentFilesOptions,
  namedBySha256,
  openContentFiles,
} from '../../lib/files/content-files.ts'
import { ifPresent } from '../../lib/files/file-faults.ts'
import { type FetchSlice, SlicedFiles, sliceMeaning } from '../../lib/files/sliced-files.ts'
import type { BlobBytes, BlobRef, BlobStore, ByteRange } from '../../ports/content/blob-store.ts'
import { StoreUnavailableError } from '../../ports/store-unavailable-error.ts'

/** What is elsewhere: all bytes of a small blob, not checked, and of a large one how many they are. */
export type FoundElsewhere =
  | { readonly kind: 'whole'; readonly body: ReadableStream<Uint8Array> }
  | { readonly kind: 'large'; readonly sizeBytes: number }

export interface DiskBlobCacheOptions extends Pick<
  ContentFilesOptions,
  'directory' | 'maxBytes' | 'now'
> {
  /** `undefined` where there is no such blob. */
  readonly fetchBlob: (sha256: string) => Promise<FoundElsewhere | undefined>
  /** Some bytes of a large blob, checked by what their origin says of them. */
  readonly fetchSlice: FetchSlice
}

/** The directory must be nobody else's. */
export async function openDiskBlobCache(options: DiskBlobCacheOptions): Promise<DiskBlobCache> {
  // Files lay there once, where nobody would count them now.
  await rm(join(options.directory, 'sha256'), { recursive: true, force: true })
  const files: ContentFiles = await openContentFiles({
    ...options,
    meaningOf: (name) => namedBySha256(name) ?? sliceMeaning(name),
    // Whoever still reads one fetches it again; were they to linger, one video would pass any bound.
    onEvict: (name) => void (sliceMeaning(name) && files.remove(name)),
  })
  return new DiskBlobCache(files, options)
}

const maxKnownSizes = 20_000

/**
 * Bytes by their SHA-256, fetched when they are first asked for and once for all who ask: small blobs
 * whole, and checked, so that what does not hash to its name is never answered; of large ones those
 * slices alone that are read.
 */
export class DiskBlobCache
  implements Pick<BlobStore, 'open' | 'read' | 'stat' | 'path' | 'dropDamagedCopy'>, AsyncDisposable
{
  readonly #files: ContentFiles
  readonly #slices: SlicedFiles
  readonly #fetchBlob: DiskBlobCacheOptions['fetchBlob']
  readonly #lookUps: SingleFlight<Located | undefined> = createSingleFlight()
  readonly #largeSizes = new LruCache<number>({ maxWeight: maxKnownSizes, weigh: () => 1 })

  constructor(
    files: ContentFiles,
    { fetchBlob, fetchSlice }: Pick<DiskBlobCacheOptions, 'fetchBlob' | 'fetchSlice'>,
  ) {
    this.#files = files
    this.#fetchBlob = fetchBlob
    this.#slices = new SlicedFiles({
      files,
      fetchSlice: (...asked) => fetchSlice(...asked).catch(unavailable),
    })
  }

  get sizeBytes(): number {
    return this.#files.sizeBytes
  }

  /**
   * Whether the bytes are here, and then stay for at least a minute more; or are those of a large blob,
   * of which nothing has to be here.
   */
  touch(sha256: string): boolean {
    return this.#files.touch(sha256) || this.#largeSizes.get(sha256) !== undefined
  }

  async stat(sha256: string): Promise<BlobRef | undefined> {
    const located = await this.#locate(sha256)
    return located && { sha256, sizeBytes: located.sizeBytes }
  }

  async read(sha256: string): Promise<Uint8Array | undefined> {
    const located = await this.#locate(sha256)
    if (located === undefined) return undefined
    return 'path' in located
      ? await ifPresent(Bun.file(located.path).bytes())
      : await this.#slices.open({ sha256, ...located }).bytes()
  }

  async open(sha256: string, range?: ByteRange): Promise<BlobBytes | undefined> {
    const located = await this.#locate(sha256)
    if (located === undefined) return undefined
    const bytes =
      'path' in located ? Bun.file(located.path) : this.#slices.open({ sha256, ...located })
    return range ? bytes.slice(range.start, range.end) : bytes
  }

  /** Of a large blob there is no such file. */
  async path(sha256: string): Promise<string | undefined> {
    const located = await this.#locate(sha256)
    return located && 'path' in located ? located.path : undefined
  }

  async dropDamagedCopy(sha256: string): Promise<boolean> {
    return await this.#files.removeIfDamaged(sha256)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#files[Symbol.asyncDispose]()
  }

  async #locate(sha256: string): Promise<Located | undefined> {
    const sizeBytes = this.#largeSizes.get(sha256)
    if (sizeBytes !== undefined) return { sizeBytes }
    return await this.#lookUps.share(sha256, () => this.#lookUp(sha256).catch(unavailable))
  }

  async #lookUp(sha256: string): Promise<Located | undefined> {
    if (namedBySha256(sha256) === undefined) return undefined
    const whole = await this.#files.find(sha256)
    if (whole !== undefined) return whole
    const sizeBytes = await this.#slices.sizeOf(sha256)
    return sizeBytes === undefined ? await this.#fill(sha256) : this.#large(sha256, sizeBytes)
  }

  async #fill(sha256: string): Promise<Located | undefined> {
    const found = await this.#fetchBlob(sha256)
    if (found?.kind === 'large') return this.#large(sha256, found.sizeBytes)
    return await this.#files.fill(sha256, async () => found?.body)
  }

  #large(sha256: string, sizeBytes: number): Located {
    this.#largeSizes.set(sha256, sizeBytes)
    return { sizeBytes }
  }
}

/** A whole file, or the size of a large one. */
type Located = ContentFile | { readonly sizeBytes: number }

function unavailable(cause: unknown): never {
  if (cause instanceof StoreUnavailableError) throw cause
  throw new StoreUnavailableError('The bytes cannot be had just now', {
    store: 'blobs',
    final: false,
    cause,
  })
}
