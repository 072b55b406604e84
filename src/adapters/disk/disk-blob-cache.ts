import { rm } from 'node:fs/promises'
import { join } from 'node:path'

import {
  type ContentFile,
  type ContentFiles,
  type ContentFilesOptions,
  openContentFiles,
} from '../../lib/files/content-files.ts'
import { ifPresent } from '../../lib/files/file-faults.ts'
import type { BlobRef, BlobStore, ByteRange } from '../../ports/content/blob-store.ts'
import { StoreUnavailableError } from '../../ports/store-unavailable-error.ts'

type FetchBlob = (sha256: string) => Promise<ReadableStream<Uint8Array> | undefined>

export interface DiskBlobCacheOptions extends Pick<
  ContentFilesOptions,
  'directory' | 'maxBytes' | 'now'
> {
  /** The bytes from elsewhere, not checked; `undefined` where there are none. */
  readonly fetchBlob: FetchBlob
}

/** The directory must be nobody else's. */
export async function openDiskBlobCache({
  fetchBlob,
  ...options
}: DiskBlobCacheOptions): Promise<DiskBlobCache> {
  // Files lay there once, where nobody would count them now.
  await rm(join(options.directory, 'sha256'), { recursive: true, force: true })
  return new DiskBlobCache(await openContentFiles(options), fetchBlob)
}

/**
 * Bytes by their SHA-256, fetched when they are first asked for, once for all who ask, and checked.
 * What does not hash to its name is never answered.
 */
export class DiskBlobCache
  implements Pick<BlobStore, 'open' | 'read' | 'stat' | 'path' | 'dropDamagedCopy'>, AsyncDisposable
{
  readonly #files: ContentFiles
  readonly #fetchBlob: FetchBlob

  constructor(files: ContentFiles, fetchBlob: FetchBlob) {
    this.#files = files
    this.#fetchBlob = fetchBlob
  }

  get sizeBytes(): number {
    return this.#files.sizeBytes
  }

  /** Whether the bytes are here; then they stay for at least a minute more. */
  touch(sha256: string): boolean {
    return this.#files.touch(sha256)
  }

  async stat(sha256: string): Promise<BlobRef | undefined> {
    const file = await this.#file(sha256)
    return file && { sha256, sizeBytes: file.sizeBytes }
  }

  async read(sha256: string): Promise<Uint8Array | undefined> {
    const path = await this.path(sha256)
    return path === undefined ? undefined : await ifPresent(Bun.file(path).bytes())
  }

  async open(sha256: string, range?: ByteRange): Promise<Blob | undefined> {
    const path = await this.path(sha256)
    if (path === undefined) return undefined
    const file = Bun.file(path)
    return range ? file.slice(range.start, range.end) : file
  }

  async path(sha256: string): Promise<string | undefined> {
    return (await this.#file(sha256))?.path
  }

  async dropDamagedCopy(sha256: string): Promise<boolean> {
    return await this.#files.removeIfDamaged(sha256)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#files[Symbol.asyncDispose]()
  }

  async #file(sha256: string): Promise<ContentFile | undefined> {
    try {
      return await this.#files.fill(sha256, () => this.#fetchBlob(sha256))
    } catch (cause) {
      throw new StoreUnavailableError('The bytes cannot be had just now', {
        store: 'blobs',
        final: false,
        cause,
      })
    }
  }
}
