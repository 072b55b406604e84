import type {
  FoundFacts,
  MediaFacts,
  MediaFactsStore,
} from '../../../ports/media/media-facts-store.ts'
import type { ImageSummary } from '../../../ports/media/image-summary.ts'

/** A MediaFactsStore for tests and demos. Nothing survives the process. */
export class MemoryMediaFactsStore implements MediaFactsStore {
  readonly #factsBySha256 = new Map<string, MediaFacts>()

  async find(sha256: string): Promise<MediaFacts | undefined> {
    return this.#factsBySha256.get(sha256)
  }

  async findAll(sha256s: readonly string[]): Promise<ReadonlyMap<string, MediaFacts>> {
    const found = sha256s.flatMap((sha256) => this.#factsBySha256.get(sha256) ?? [])
    return new Map(found.map((facts) => [facts.sha256, facts]))
  }

  async save(facts: FoundFacts): Promise<void> {
    const { text, summary } = this.#factsBySha256.get(facts.sha256) ?? {}
    this.#factsBySha256.set(facts.sha256, { ...facts, text, summary })
  }

  async likenesses(sha256s: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const known = sha256s.flatMap((sha256) => {
      const likeness = this.#factsBySha256.get(sha256)?.analysis?.likeness
      return likeness === undefined ? [] : [[sha256, likeness] as const]
    })
    return new Map(known)
  }

  async setSummary(sha256: string, summary: ImageSummary): Promise<boolean> {
    return this.#change(sha256, { summary })
  }

  async setText(sha256: string, text: string): Promise<boolean> {
    return this.#change(sha256, { text })
  }

  async forgetFound(): Promise<void> {
    for (const sha256 of this.#factsBySha256.keys())
      this.#change(sha256, { summary: undefined, analysis: undefined, text: undefined })
  }

  async remove(sha256: string): Promise<void> {
    for (const name of this.#factsBySha256.keys())
      if (name === sha256 || name.startsWith(`${sha256}-`)) this.#factsBySha256.delete(name)
  }

  async removeAll(): Promise<void> {
    this.#factsBySha256.clear()
  }

  #change(sha256: string, change: Partial<MediaFacts>): boolean {
    const facts = this.#factsBySha256.get(sha256)
    if (facts === undefined) return false
    this.#factsBySha256.set(sha256, { ...facts, ...change })
    return true
  }
}
