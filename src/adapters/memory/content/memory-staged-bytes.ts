import type { BlobStore, IncomingBlob } from '../../../ports/content/blob-store.ts'
import type { StagedBytes, StagedPiece, StagedSize } from '../../../ports/content/staged-bytes.ts'

/** StagedBytes for tests and demos. Nothing survives the process. */
export class MemoryStagedBytes implements StagedBytes {
  readonly #blobs: Pick<BlobStore, 'receive'>
  readonly #bytesById = new Map<string, Buffer>()

  constructor(blobs: Pick<BlobStore, 'receive'>) {
    this.#blobs = blobs
  }

  async size(id: string): Promise<number> {
    return this.#bytesById.get(id)?.length ?? 0
  }

  async append(id: string, { offset, source, accept }: StagedPiece): Promise<number> {
    const before = this.#bytesById.get(id) ?? Buffer.alloc(0)
    if (offset !== before.length) throw new Error(`${offset} is not where ${id} ends`)
    const chunks: Uint8Array[] = []
    const keep = () => {
      const after = Buffer.concat([before, ...chunks])
      if (after.length > 0) this.#bytesById.set(id, after)
      return after.length
    }
    try {
      for await (const chunk of source) chunks.push(Uint8Array.from(chunk))
    } catch (error) {
      if (accept === undefined) keep()
      throw error
    }
    return accept?.() === false ? before.length : keep()
  }

  async first(id: string, count: number): Promise<Uint8Array> {
    return Uint8Array.from(this.#bytesById.get(id)?.subarray(0, count) ?? [])
  }

  async finish(id: string): Promise<IncomingBlob | undefined> {
    const bytes = this.#bytesById.get(id)
    if (bytes === undefined) return undefined
    return await this.#incoming(bytes, [id])
  }

  async join(ids: readonly string[]): Promise<IncomingBlob | undefined> {
    const all = ids.flatMap((id) => this.#bytesById.get(id) ?? [])
    return all.length === ids.length ? await this.#incoming(Buffer.concat(all), ids) : undefined
  }

  async drop(id: string): Promise<void> {
    this.#bytesById.delete(id)
  }

  async *list(): AsyncIterable<StagedSize> {
    for (const [id, bytes] of this.#bytesById) yield { id, sizeBytes: bytes.length }
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  async #incoming(bytes: Uint8Array, ids: readonly string[]): Promise<IncomingBlob> {
    const incoming = await this.#blobs.receive(bytes)
    const keep = async () => {
      const blob = await incoming.keep()
      for (const id of ids) this.#bytesById.delete(id)
      return blob
    }
    return {
      sha256: incoming.sha256,
      sizeBytes: incoming.sizeBytes,
      keep,
      keepLazily: keep,
      [Symbol.asyncDispose]: () => incoming[Symbol.asyncDispose](),
    }
  }
}
