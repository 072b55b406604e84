import type {
  BlobRef,
  BlobStore,
  ByteRange,
  IncomingBlob,
} from '../../../ports/content/blob-store.ts'

interface KeptBlob {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly keptAt: Date
}

/** A BlobStore for tests and demos. Nothing survives the process. */
export class MemoryBlobStore implements BlobStore {
  readonly #blobBySha256 = new Map<string, KeptBlob>()
  readonly #now: () => Date
  #mark: string | undefined

  constructor({ now = () => new Date() }: { readonly now?: () => Date } = {}) {
    this.#now = now
  }

  async receive(source: ReadableStream<Uint8Array> | Uint8Array): Promise<IncomingBlob> {
    const bytes = source instanceof Uint8Array ? Uint8Array.from(source) : await collect(source)
    return new MemoryIncomingBlob(bytes, (sha256) => {
      this.#blobBySha256.set(sha256, { bytes, keptAt: this.#now() })
    })
  }

  async stat(sha256: string): Promise<BlobRef | undefined> {
    const blob = this.#blobBySha256.get(sha256)
    return blob && { sha256, sizeBytes: blob.bytes.length }
  }

  async read(sha256: string): Promise<Uint8Array | undefined> {
    const blob = this.#blobBySha256.get(sha256)
    return blob && Uint8Array.from(blob.bytes)
  }

  readAtOnce(sha256: string, into: Uint8Array): boolean {
    const bytes = this.#blobBySha256.get(sha256)?.bytes
    if (bytes?.length !== into.length) return false
    into.set(bytes)
    return true
  }

  async open(sha256: string, range?: ByteRange): Promise<Blob | undefined> {
    const blob = this.#blobBySha256.get(sha256)
    return blob && new Blob([blob.bytes]).slice(range?.start ?? 0, range?.end ?? blob.bytes.length)
  }

  flush(sha256: string): Promise<BlobRef | undefined> {
    return this.stat(sha256)
  }

  async renew(sha256: string): Promise<BlobRef | undefined> {
    const blob = this.#blobBySha256.get(sha256)
    if (blob !== undefined) this.#blobBySha256.set(sha256, { ...blob, keptAt: this.#now() })
    return await this.stat(sha256)
  }

  async isIntact(sha256: string): Promise<boolean> {
    const blob = this.#blobBySha256.get(sha256)
    return blob !== undefined && sha256Of(blob.bytes) === sha256
  }

  async checkpoint(mark: string): Promise<void> {
    this.#mark = mark
  }

  async lastCheckpoint(): Promise<string | undefined> {
    return this.#mark
  }

  async *list(): AsyncIterable<BlobRef & { readonly keptAt: Date }> {
    for (const [sha256, { bytes, keptAt }] of this.#blobBySha256)
      yield { sha256, sizeBytes: bytes.length, keptAt }
  }

  async remove(sha256: string, keptBefore?: Date): Promise<boolean> {
    const blob = this.#blobBySha256.get(sha256)
    if (blob === undefined || (keptBefore && blob.keptAt >= keptBefore)) return false
    return this.#blobBySha256.delete(sha256)
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}

class MemoryIncomingBlob implements IncomingBlob {
  readonly sha256: string
  readonly sizeBytes: number
  readonly #keep: (sha256: string) => void
  #isKept = false
  #isDisposed = false

  constructor(bytes: Uint8Array, keep: (sha256: string) => void) {
    this.sha256 = sha256Of(bytes)
    this.sizeBytes = bytes.length
    this.#keep = keep
  }

  keepLazily(): Promise<BlobRef> {
    return this.keep()
  }

  async keep(): Promise<BlobRef> {
    if (this.#isDisposed) throw new Error('A disposed blob cannot be kept')
    if (!this.#isKept) this.#keep(this.sha256)
    this.#isKept = true
    return { sha256: this.sha256, sizeBytes: this.sizeBytes }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isDisposed = true
  }
}

async function collect(stream: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Uint8Array.from(Buffer.concat(chunks))
}

const sha256Of = (bytes: Uint8Array) => new Bun.CryptoHasher('sha256').update(bytes).digest('hex')
