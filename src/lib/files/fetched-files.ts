import { createSingleFlight, type SingleFlight } from '../async/single-flight.ts'
import { LruCache } from '../collections/lru-cache.ts'
import {
  type ContentFile,
  ContentFiles,
  type ContentFilesOptions,
  namedBySha256,
} from './content-files.ts'
import { wholeFile } from './file-spans.ts'
import type { FetchSlice, SlicedBytes } from './sliced-bytes.ts'
import { SlicedFiles, sliceMeaning } from './sliced-files.ts'

/** What is elsewhere: all bytes of a small file, not checked, and of a large one how many they are. */
export type FoundElsewhere =
  | { readonly kind: 'whole'; readonly body: AsyncIterable<Uint8Array> }
  | { readonly kind: 'large'; readonly sizeBytes: number }

export interface FetchedFilesOptions extends Omit<ContentFilesOptions, 'meaningOf' | 'onEvict'> {
  /** `undefined` where there is no such file. */
  readonly fetchFile: (sha256: string) => Promise<FoundElsewhere | undefined>
  /** Some bytes of a large file, checked by what whoever has it says of them. */
  readonly fetchSlice: FetchSlice
}

/** A whole file, or the size of a large one. */
type Located = ContentFile | { readonly sizeBytes: number }

/** Up to here a file is fetched whole, and checked: images are made of whole files, and of no larger ones. */
export const maxWholeBytes = 25 * 2 ** 20

const maxKnownSizes = 20_000

/**
 * Files by their SHA-256 that are elsewhere, fetched when they are first asked for and once for all who
 * ask: small ones whole, and checked, so that what does not hash to its name is never answered; of large
 * ones those slices alone that are read. Both are kept within one bound.
 */
export class FetchedFiles implements AsyncDisposable {
  /** The whole files, and between them the slices. */
  readonly files: ContentFiles
  readonly #slices: SlicedFiles
  readonly #fetchFile: FetchedFilesOptions['fetchFile']
  readonly #lookUps: SingleFlight<Located | undefined> = createSingleFlight()
  readonly #largeSizes = new LruCache<number>({ maxWeight: maxKnownSizes, weigh: () => 1 })

  constructor({ fetchFile, fetchSlice, ...options }: FetchedFilesOptions) {
    this.files = new ContentFiles({
      ...options,
      meaningOf: (name) => namedBySha256(name) ?? sliceMeaning(name),
      // Whoever still reads one fetches it again; were they to linger, one video would pass any bound.
      onEvict: (name) => void (sliceMeaning(name) && this.files.remove(name)),
    })
    this.#fetchFile = fetchFile
    this.#slices = new SlicedFiles({ files: this.files, fetchSlice })
  }

  /**
   * Whether the file is here, and then stays for its grace; or is a large one that is known, of which
   * nothing has to be here.
   */
  touch(sha256: string): boolean {
    return this.files.touch(sha256) || this.#largeSizes.get(sha256) !== undefined
  }

  async sizeOf(sha256: string): Promise<number | undefined> {
    return (await this.#locate(sha256))?.sizeBytes
  }

  /** Nothing of a large file is fetched before it is read. */
  async open(sha256: string): Promise<Blob | SlicedBytes | undefined> {
    const located = await this.#locate(sha256)
    if (located === undefined) return undefined
    return 'path' in located
      ? wholeFile(located.path, located.sizeBytes)
      : this.#slices.open({ sha256, sizeBytes: located.sizeBytes })
  }

  /** Of a large file there is none. */
  async path(sha256: string): Promise<string | undefined> {
    const located = await this.#locate(sha256)
    return located && 'path' in located ? located.path : undefined
  }

  async remove(sha256: string): Promise<void> {
    // What is on its way would be there afterwards.
    await this.files.fill(sha256, async () => undefined).catch(() => {})
    this.#largeSizes.delete(sha256)
    await this.#slices.remove(sha256)
    await this.files.remove(sha256)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#slices[Symbol.dispose]()
    await this.files[Symbol.asyncDispose]()
  }

  async #locate(sha256: string): Promise<Located | undefined> {
    const sizeBytes = this.#largeSizes.get(sha256)
    if (sizeBytes !== undefined) return { sizeBytes }
    return await this.#lookUps.share(sha256, () => this.#lookUp(sha256))
  }

  async #lookUp(sha256: string): Promise<Located | undefined> {
    if (namedBySha256(sha256) === undefined) return undefined
    const whole = await this.files.find(sha256)
    if (whole !== undefined) return whole
    const sizeBytes = await this.#slices.sizeOf(sha256)
    return sizeBytes === undefined ? await this.#fetch(sha256) : this.#large(sha256, sizeBytes)
  }

  async #fetch(sha256: string): Promise<Located | undefined> {
    const found = await this.#fetchFile(sha256)
    if (found?.kind === 'large') return this.#large(sha256, found.sizeBytes)
    return await this.files.fill(sha256, async () => found?.body)
  }

  #large(sha256: string, sizeBytes: number): Located {
    this.#largeSizes.set(sha256, sizeBytes)
    return { sizeBytes }
  }
}
