/** Keeps what was used last, up to a weight; the least recently used goes first. */
export class LruCache<V> {
  readonly #maxWeight: number
  readonly #weigh: (value: V) => number
  readonly #valueByKey = new Map<string, V>()
  #weight = 0

  constructor({ maxWeight, weigh }: { maxWeight: number; weigh: (value: V) => number }) {
    this.#maxWeight = maxWeight
    this.#weigh = weigh
  }

  get weight(): number {
    return this.#weight
  }

  get(key: string): V | undefined {
    const value = this.#valueByKey.get(key)
    if (value === undefined) return undefined
    this.#valueByKey.delete(key)
    this.#valueByKey.set(key, value)
    return value
  }

  /** A value that weighs more than everything may is not kept. */
  set(key: string, value: V): void {
    this.delete(key)
    this.#valueByKey.set(key, value)
    this.#weight += this.#weigh(value)
    for (const oldest of this.#valueByKey.keys()) {
      if (this.#weight <= this.#maxWeight) return
      this.delete(oldest)
    }
  }

  delete(key: string): void {
    const value = this.#valueByKey.get(key)
    if (value === undefined) return
    this.#valueByKey.delete(key)
    this.#weight -= this.#weigh(value)
  }
}
