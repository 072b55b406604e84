import { LruCache } from '../../../lib/collections/lru-cache.ts'
import type { PastStore } from '../../../ports/edges/past-store.ts'

type Kept = readonly [key: string, text: string]

const weigh = ([key, text]: Kept): number => key.length + text.length

/** What was told of former commits, in memory alone. */
export class MemoryPastStore implements PastStore {
  readonly #maxCharacters: number
  readonly #kept: LruCache<Kept>

  constructor({ maxCharacters }: { readonly maxCharacters: number }) {
    this.#maxCharacters = maxCharacters
    this.#kept = new LruCache({ maxWeight: maxCharacters, weigh })
  }

  async read(keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return new Map(keys.flatMap((key) => [this.#kept.get(key) ?? []].filter(isKept)))
  }

  async keep(texts: ReadonlyMap<string, string>): Promise<void> {
    for (const entry of texts) {
      this.#kept.delete(entry[0])
      if (weigh(entry) <= this.#maxCharacters) this.#kept.set(entry[0], entry)
    }
  }
}

const isKept = (entry: Kept | readonly []): entry is Kept => entry.length > 0
