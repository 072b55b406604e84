import type { MediaFacts, MediaFactsStore } from '../../ports/media-facts-store.ts'
import type { Point } from '../../ports/renderer.ts'

/** A MediaFactsStore for tests and demos. Nothing survives the process. */
export class MemoryMediaFactsStore implements MediaFactsStore {
  readonly #factsBySha256 = new Map<string, MediaFacts>()

  async find(sha256: string): Promise<MediaFacts | undefined> {
    return this.#factsBySha256.get(sha256)
  }

  async save(facts: Omit<MediaFacts, 'focalPoint'>): Promise<void> {
    const focalPoint = this.#factsBySha256.get(facts.sha256)?.focalPoint
    this.#factsBySha256.set(facts.sha256, { ...facts, focalPoint })
  }

  async setFocalPoint(sha256: string, focalPoint: Point | undefined): Promise<boolean> {
    const facts = this.#factsBySha256.get(sha256)
    if (facts === undefined) return false
    this.#factsBySha256.set(sha256, { ...facts, focalPoint })
    return true
  }

  async remove(sha256: string): Promise<void> {
    this.#factsBySha256.delete(sha256)
  }

  async removeAll(): Promise<void> {
    this.#factsBySha256.clear()
  }
}
