import type { StreamIndexStore } from '../../../ports/media/stream-index-store.ts'

/** A StreamIndexStore for tests and demos. Nothing survives the process. */
export class MemoryStreamIndexStore implements StreamIndexStore {
  readonly #bytesBySha256 = new Map<string, Uint8Array>()

  async find(sha256: string): Promise<Uint8Array | undefined> {
    return this.#bytesBySha256.get(sha256)
  }

  async save(sha256: string, bytes: Uint8Array): Promise<void> {
    this.#bytesBySha256.set(sha256, Uint8Array.from(bytes))
  }

  async remove(sha256: string): Promise<void> {
    this.#bytesBySha256.delete(sha256)
  }
}
