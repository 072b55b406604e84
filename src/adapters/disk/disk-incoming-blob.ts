import type { BlobRef, IncomingBlob } from '../../ports/content/blob-store.ts'
import type { Movable } from './spool.ts'

/** Whether the response waits until the bytes would survive a power cut. */
export type Flushing = 'at once' | 'later'

interface Parts {
  readonly blob: BlobRef
  readonly spool: Movable
  readonly keep: (flushing: Flushing) => Promise<BlobRef>
}

export class DiskIncomingBlob implements IncomingBlob {
  readonly sha256: string
  readonly sizeBytes: number
  readonly #spool: Movable
  readonly #keep: (flushing: Flushing) => Promise<BlobRef>
  #kept: Promise<BlobRef> | undefined
  #keptLazily: Promise<BlobRef> | undefined
  #isDisposed = false

  constructor({ blob, spool, keep }: Parts) {
    this.sha256 = blob.sha256
    this.sizeBytes = blob.sizeBytes
    this.#spool = spool
    this.#keep = keep
  }

  async keep(): Promise<BlobRef> {
    if (this.#isDisposed) throw new Error('A disposed blob cannot be kept')
    this.#kept ??= this.#afterLazily()
    return await this.#kept
  }

  async keepLazily(): Promise<BlobRef> {
    if (this.#isDisposed) throw new Error('A disposed blob cannot be kept')
    this.#keptLazily ??= this.#kept ?? this.#keep('later')
    return await this.#keptLazily
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true
    await Promise.allSettled([this.#kept, this.#keptLazily])
    await this.#spool.discard()
  }

  /** What was moved to its place already is found there, and flushed. */
  async #afterLazily(): Promise<BlobRef> {
    await this.#keptLazily
    return await this.#keep('at once')
  }
}
