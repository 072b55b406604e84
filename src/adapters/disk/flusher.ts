import type { FileHandle } from 'node:fs/promises'

import { BlobStoreUnavailableError } from '../../ports/blob-store.ts'
import type { FileSystem } from './file-system.ts'

/**
 * Flushes files and directories. The first flush that fails is the last: the kernel may have dropped
 * the pages and call the next one a success, so from then on nothing is taken in any more.
 */
export class Flusher {
  readonly #files: FileSystem
  #failure: BlobStoreUnavailableError | undefined

  constructor(files: FileSystem) {
    this.#files = files
  }

  assertUsable(): void {
    if (this.#failure) throw this.#failure
  }

  /** The bytes and the length; times may be flushed later. */
  async flushFile(handle: FileHandle): Promise<void> {
    await this.#flush(() => handle.datasync())
  }

  /** The names in a directory. */
  async flushDirectory(path: string): Promise<void> {
    await using handle = await this.#files.open(path, 'r')
    await this.#flush(() => handle.sync())
  }

  async #flush(flush: () => Promise<void>): Promise<void> {
    this.assertUsable()
    try {
      await flush()
    } catch (cause) {
      this.#failure ??= new BlobStoreUnavailableError('A flush of the blob store failed', {
        final: true,
        cause,
      })
      throw this.#failure
    }
  }
}
