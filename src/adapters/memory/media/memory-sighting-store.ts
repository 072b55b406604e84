import type {
  KeptSighting,
  SettledSuggestion,
  SightingStore,
} from '../../../ports/vision/sighting-store.ts'
import type { Safety } from '../../../ports/records/vision/sighting.ts'

/** A SightingStore for tests. */
export class MemorySightingStore implements SightingStore {
  readonly #keptBySha256 = new Map<string, KeptSighting>()
  readonly #settledByPath = new Map<string, SettledSuggestion>()

  async find(sha256: string): Promise<KeptSighting | undefined> {
    return this.#keptBySha256.get(sha256)
  }

  async save(sha256: string, kept: KeptSighting): Promise<void> {
    this.#keptBySha256.set(sha256, kept)
  }

  async countSince(moment: Date): Promise<number> {
    return this.#keptBySha256
      .values()
      .filter(({ seenAt }) => seenAt >= moment)
      .toArray().length
  }

  async flagged(): Promise<ReadonlyMap<string, Exclude<Safety, 'safe'>>> {
    const flagged = new Map<string, Exclude<Safety, 'safe'>>()
    for (const [sha256, { sighting }] of this.#keptBySha256)
      if (sighting !== undefined && sighting.safety !== 'safe') flagged.set(sha256, sighting.safety)
    return flagged
  }

  async settled(path: string, sha256: string): Promise<SettledSuggestion['members']> {
    const settled = this.#settledByPath.get(path)
    return settled?.sha256 === sha256 ? settled.members : []
  }

  async settle(suggestion: SettledSuggestion): Promise<void> {
    this.#settledByPath.set(suggestion.path, suggestion)
  }

  async remove(sha256: string): Promise<void> {
    this.#keptBySha256.delete(sha256)
    for (const [path, settled] of this.#settledByPath)
      if (settled.sha256 === sha256) this.#settledByPath.delete(path)
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}
