import { rm } from 'node:fs/promises'
import { join } from 'node:path'

import { sliceOf } from '../../lib/files/file-spans.ts'
import type { ContentFilesOptions } from '../../lib/files/content-files.ts'
import { FetchedFiles, type FetchedFilesOptions } from '../../lib/files/fetched-files.ts'
import { ifPresent } from '../../lib/files/file-faults.ts'
import type { BlobBytes, BlobRef, BlobStore, ByteRange } from '../../ports/content/blob-store.ts'
import { StoreUnavailableError } from '../../ports/store-unavailable-error.ts'

export interface DiskBlobCacheOptions extends Pick<
  ContentFilesOptions,
  'directory' | 'maxBytes' | 'now'
> {
  /** The bytes from elsewhere, or of a large blob their number; `undefined` where there are none. */
  readonly fetchBlob: FetchedFilesOptions['fetchFile']
  /** Some bytes of a large blob, checked by what their origin says of them. */
  readonly fetchSlice: FetchedFilesOptions['fetchSlice']
}

/** Files are named by them, and slices of files begin with them. */
const sha256Digits = 64

/** The directory must be nobody else's. */
export async function openDiskBlobCache({
  fetchBlob,
  fetchSlice,
  ...options
}: DiskBlobCacheOptions): Promise<DiskBlobCache> {
  // Files lay there once, where nobody would count them now.
  await rm(join(options.directory, 'sha256'), { recursive: true, force: true })
  const fetched = new FetchedFiles({
    ...options,
    fetchFile: fetchBlob,
    fetchSlice: (...asked) => fetchSlice(...asked).catch(unavailable),
  })
  await fetched.files.takeUp()
  return new DiskBlobCache(fetched)
}

/**
 * Bytes by their SHA-256, fetched when they are first asked for: small blobs whole, and checked, of large
 * ones those slices alone that are read.
 */
export class DiskBlobCache
  implements Pick<BlobStore, 'open' | 'read' | 'stat' | 'path' | 'dropDamagedCopy'>, AsyncDisposable
{
  readonly #fetched: FetchedFiles

  constructor(fetched: FetchedFiles) {
    this.#fetched = fetched
  }

  get sizeBytes(): number {
    return this.#fetched.files.sizeBytes
  }

  /**
   * Whether the bytes are here, and then stay for at least a minute more; or are those of a large blob,
   * of which nothing has to be here.
   */
  touch(sha256: string): boolean {
    return this.#fetched.touch(sha256)
  }

  async stat(sha256: string): Promise<BlobRef | undefined> {
    const sizeBytes = await this.#fetched.sizeOf(sha256).catch(unavailable)
    return sizeBytes === undefined ? undefined : { sha256, sizeBytes }
  }

  async read(sha256: string): Promise<Uint8Array | undefined> {
    const bytes = await this.open(sha256)
    return bytes && (await ifPresent(bytes.bytes()))
  }

  async open(sha256: string, range?: ByteRange): Promise<BlobBytes | undefined> {
    const bytes = await this.#fetched.open(sha256).catch(unavailable)
    return bytes && sliceOf<BlobBytes>(bytes, range)
  }

  /** Of a large blob there is no such file. */
  async path(sha256: string): Promise<string | undefined> {
    return await this.#fetched.path(sha256).catch(unavailable)
  }

  /** The SHA-256s of which something is on the disk, some more than once. */
  kept(): readonly string[] {
    return Array.from(this.#fetched.files.names(), (name) => name.slice(0, sha256Digits))
  }

  /** Takes the bytes off the disk. */
  async remove(sha256: string): Promise<void> {
    await this.#fetched.remove(sha256)
  }

  async dropDamagedCopy(sha256: string): Promise<boolean> {
    return await this.#fetched.files.removeIfDamaged(sha256)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#fetched[Symbol.asyncDispose]()
  }
}

function unavailable(cause: unknown): never {
  if (cause instanceof StoreUnavailableError) throw cause
  throw new StoreUnavailableError('The bytes cannot be had just now', {
    store: 'blobs',
    final: false,
    cause,
  })
}
