import type { BlobRef, IncomingBlob } from '../../ports/blob-store.ts'
import type { Spool } from './spool.ts'

interface Parts {
  readonly blob: BlobRef
  readonly spool: Spool
  readonly keep: () => Promise<BlobRef>
}

export class DiskIncomingBlob implements IncomingBlob {
  readonly sha256: string
  readonly sizeBytes: number
  readonly #spool: Spool
  readonly #keep: () => Promise<BlobRef>
  #kept: Promise<BlobRef> | undefined
  #isDisposed = false

  constructor({ blob, spool, keep }: Parts) {
    this.sha256 = blob.sha256
    this.sizeBytes = blob.sizeBytes
    this.#spool = spool
    this.#keep = keep
  }

  async keep(): Promise<BlobRef> {
    if (this.#isDisposed) throw new Error('A disposed blob cannot be kept')
    this.#kept ??= this.#keep()
    return await this.#kept
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true
    await this.#kept?.catch(() => {})
    await this.#spool.discard()
  }
}
