import type { ErasureStore } from '../../../ports/erasing/erasure-store.ts'
import type { ErasurePlace, ErasureRecord } from '../../../ports/records/erasure.ts'

/** An ErasureStore for tests and demos. Nothing survives the process. */
export class MemoryErasureStore implements ErasureStore {
  readonly #erasureById = new Map<string, ErasureRecord>()

  async add(erasure: ErasureRecord): Promise<void> {
    this.#erasureById.set(erasure.id, erasure)
  }

  async find(id: string): Promise<ErasureRecord | undefined> {
    return this.#erasureById.get(id)
  }

  async list({
    limit,
    before,
  }: Parameters<ErasureStore['list']>[0]): Promise<readonly ErasureRecord[]> {
    const all = this.#byTime().toReversed()
    if (before === undefined) return all.slice(0, limit)
    const place = all.findIndex(({ id }) => id === before)
    return place < 0 ? [] : all.slice(place + 1, place + 1 + limit)
  }

  async open(): Promise<readonly ErasureRecord[]> {
    return this.#byTime().filter(({ doneAt }) => doneAt === undefined)
  }

  async note(id: string, places: readonly ErasurePlace[]): Promise<ErasureRecord> {
    const byName = new Map(this.#known(id).places.map((place) => [place.name, place]))
    for (const place of places) byName.set(place.name, place)
    return this.#change(id, { places: [...byName.values()] })
  }

  async learn(...[id, facts]: Parameters<ErasureStore['learn']>): Promise<void> {
    this.#change(id, facts)
  }

  async finish(id: string, at: Date): Promise<void> {
    this.#change(id, { doneAt: at })
  }

  async reopen(id: string, places: readonly ErasurePlace[]): Promise<void> {
    await this.note(id, places)
    this.#change(id, { doneAt: undefined })
  }

  #byTime(): readonly ErasureRecord[] {
    return [...this.#erasureById.values()].toSorted(
      (one, other) => one.createdAt.getTime() - other.createdAt.getTime(),
    )
  }

  #known(id: string): ErasureRecord {
    const erasure = this.#erasureById.get(id)
    if (erasure === undefined) throw new Error(`There is no erasure "${id}"`)
    return erasure
  }

  #change(id: string, changes: Partial<ErasureRecord>): ErasureRecord {
    const changed = { ...this.#known(id), ...changes }
    this.#erasureById.set(id, changed)
    return changed
  }
}
