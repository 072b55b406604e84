import type { QuotaRequest, QuotaStore } from '../../../ports/access/quota-store.ts'
import type { MemoryDatabase } from '../content/memory-database.ts'

/** A QuotaStore for tests and demos. */
export class MemoryQuotaStore implements QuotaStore {
  readonly #database: MemoryDatabase

  constructor(database: MemoryDatabase) {
    this.#database = database
  }

  async take({ name, window, amount, limit }: QuotaRequest): Promise<number | undefined> {
    const { useByQuota } = this.#database
    const use = (useByQuota.get(keyOf(name, window)) ?? 0) + amount
    if (use > limit) return undefined
    useByQuota.set(keyOf(name, window), use)
    return use
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
