import type { FileHandle } from 'node:fs/promises'

import { isFullDisk } from '../../lib/files/file-faults.ts'
import { FlushFault } from './blob-files/blob-files.ts'
import type { FileSystem } from './file-system.ts'
import { StoreUnavailableError } from '../../ports/store-unavailable-error.ts'

/**
 * Flushes files and directories. The first flush that fails is the last: the kernel may have dropped
 * the pages and call the next one a success, so from then on nothing is taken in any more.
 */
export class Flusher {
  readonly #files: FileSystem
  readonly #onFatal: (failure: StoreUnavailableError) => void
  #failure: StoreUnavailableError | undefined

  /** @param onFatal - called once, with the failure after which nothing is taken in any more. */
  constructor(files: FileSystem, onFatal: (failure: StoreUnavailableError) => void) {
    this.#files = files
    this.#onFatal = onFatal
  }

  assertUsable(): void {
    if (this.#failure) throw this.#failure
  }

  /**
   * The bytes of a file that nothing points to yet. Some file systems say only here that they are
   * full; such a file is thrown away, and the next may fit.
   */
  async flushNewFile(handle: FileHandle): Promise<void> {
    this.assertUsable()
    try {
      await handle.datasync()
    } catch (cause) {
      if (isFullDisk(cause)) throw cause
      throw this.#fail(cause)
    }
  }

  /** The bytes and the length of a file that is there; times may be flushed later. */
  async flushFile(path: string): Promise<void> {
    await this.#flush(path, (file) => this.#files.fdatasync(file))
  }

  /** The names in a directory. */
  async flushDirectory(path: string): Promise<void> {
    await this.#flush(path, (directory) => this.#files.fsync(directory))
  }

  /** Takes over what somebody else's flush ended with: where that failed, it is as one of these that did. */
  refuse(error: unknown): never {
    throw error instanceof FlushFault ? this.#fail(error.cause) : error
  }

  async #flush(path: string, flush: (descriptor: number) => Promise<void>): Promise<void> {
    const { open, close } = this.#files.sync
    const descriptor = open(path, 'r')
    try {
      this.assertUsable()
      await flush(descriptor).catch((cause: unknown) => {
        throw this.#fail(cause)
      })
    } finally {
      close(descriptor)
    }
  }

  #fail(cause: unknown): StoreUnavailableError {
    if (this.#failure) return this.#failure
    this.#failure = new StoreUnavailableError('A flush of the blob store failed', {
      store: 'blobs',
      final: true,
      cause,
    })
    this.#onFatal(this.#failure)
    return this.#failure
  }
}
