import type { QuotaRequest, QuotaStore, TakenQuotas } from '../../../ports/access/quota-store.ts'
import type { MemoryDatabase } from '../content/memory-database.ts'

/** A QuotaStore for tests and demos. */
export class MemoryQuotaStore implements QuotaStore {
  readonly #database: MemoryDatabase

  constructor(database: MemoryDatabase) {
    this.#database = database
  }

  async take(request: QuotaRequest): Promise<number | undefined> {
    return this.#add(request)
  }

  #add({ name, window, amount, limit }: QuotaRequest): number | undefined {
    const { useByQuota } = this.#database
    const use = (useByQuota.get(keyOf(name, window)) ?? 0) + amount
    if (use > limit) return undefined
    useByQuota.set(keyOf(name, window), use)
    return use
  }

  async takeAll(requests: readonly QuotaRequest[]): Promise<TakenQuotas> {
    const before = new Map(this.#database.useByQuota)
    const used: number[] = []
    for (const request of requests) {
      const use = this.#add(request)
      if (use === undefined) {
        this.#database.useByQuota.clear()
        for (const [key, value] of before) this.#database.useByQuota.set(key, value)
        return { kind: 'refused', place: used.length }
      }
      used.push(use)
    }
    return { kind: 'granted', used }
  }

  async refund({ name, window, amount }: Omit<QuotaRequest, 'limit'>): Promise<void> {
    const { useByQuota } = this.#database
    const key = keyOf(name, window)
    useByQuota.set(key, Math.max(0, (useByQuota.get(key) ?? 0) - amount))
  }

  async used(name: string, window: string): Promise<number> {
    return this.#database.useByQuota.get(keyOf(name, window)) ?? 0
  }
}

const keyOf = (name: string, window: string) => JSON.stringify([name, window])
