import type { VectorStore } from '../../../ports/media/vector-store.ts'

/** A VectorStore for tests and demos. Nothing survives the process. */
export class MemoryVectorStore implements VectorStore {
  readonly #vectorsBySpace = new Map<string, Map<string, Uint8Array>>()

  async find(space: string, keys: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
    const kept = this.#vectorsBySpace.get(space)
    return new Map(
      keys.flatMap((key) => {
        const vector = kept?.get(key)
        return vector ? [[key, vector] as const] : []
      }),
    )
  }

  async save(space: string, vectors: ReadonlyMap<string, Uint8Array>): Promise<void> {
    const kept = this.#vectorsBySpace.get(space) ?? new Map<string, Uint8Array>()
    for (const [key, vector] of vectors) kept.set(key, vector)
    this.#vectorsBySpace.set(space, kept)
  }

  async spaces(): Promise<readonly string[]> {
    return [...this.#vectorsBySpace.keys()]
  }

  async forgetOthers(space: string): Promise<void> {
    for (const each of this.#vectorsBySpace.keys())
      if (each !== space) this.#vectorsBySpace.delete(each)
  }
}
