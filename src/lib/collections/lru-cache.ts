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

  clear(): void {
    this.#valueByKey.clear()
    this.#weight = 0
  }

  delete(key: string): void {
    const value = this.#valueByKey.get(key)
    if (value === undefined) return
    this.#valueByKey.delete(key)
    this.#weight -= this.#weigh(value)
  }
}

/**
 * `compute`, with the results for what it was asked last remembered. For pure functions. What is known is
 * only looked up, not moved to the front as an `LruCache` would: this is asked with every request.
 */
export function rememberRecent<K, T>(compute: (asked: K) => T, maxCount: number): (asked: K) => T {
  const answers = new Map<K, T>()
  return (asked) => {
    const known = answers.get(asked)
    if (known !== undefined) return known
    const answer = compute(asked)
    const [oldest] = answers.keys()
    if (answers.size >= maxCount && oldest !== undefined) answers.delete(oldest)
    answers.set(asked, answer)
    return answer
  }
}
