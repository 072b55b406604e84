interface Waiting {
  readonly weight: number
  readonly enter: () => void
}

/**
 * Lets in as many as weigh no more than all may, in the order of asking: who is heavy waits until
 * there is room, and is not overtaken for ever by who is light.
 */
export class WeightedSlots {
  readonly #capacity: number
  #taken = 0
  readonly #waiting: Waiting[] = []

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  /** Disposing what it answers makes room. Who weighs more than all may counts as much as all. */
  async take(asked: number): Promise<Disposable> {
    const weight = Math.min(asked, this.#capacity)
    if (!this.#enter(weight))
      await new Promise<void>((enter) => this.#waiting.push({ weight, enter }))
    return this.#slot(weight)
  }

  /** The same for whoever does not wait longer: `undefined` where there was no room in time. */
  async takeWithin(asked: number, maxWaitMs: number): Promise<Disposable | undefined> {
    const weight = Math.min(asked, this.#capacity)
    return this.#enter(weight) || (await this.#waitWithin(weight, maxWaitMs))
      ? this.#slot(weight)
      : undefined
  }

  #enter(weight: number): boolean {
    if (this.#waiting.length > 0 || this.#taken + weight > this.#capacity) return false
    this.#taken += weight
    return true
  }

  async #waitWithin(weight: number, maxWaitMs: number): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const waiting = { weight, enter: () => resolve(true) }
    this.#waiting.push(waiting)
    const timer = setTimeout(() => {
      const place = this.#waiting.indexOf(waiting)
      if (place < 0) return
      this.#waiting.splice(place, 1)
      // Whoever is behind may have waited for this one alone.
      this.#leave(0)
      resolve(false)
    }, maxWaitMs)
    const isIn = await promise
    clearTimeout(timer)
    return isIn
  }

  #slot(weight: number): Disposable {
    let isIn = true
    return {
      [Symbol.dispose]: () => {
        if (isIn) this.#leave(weight)
        isIn = false
      },
    }
  }

  #leave(weight: number): void {
    this.#taken -= weight
    for (let [next] = this.#waiting; next !== undefined; [next] = this.#waiting) {
      if (this.#taken + next.weight > this.#capacity) return
      this.#waiting.shift()
      this.#taken += next.weight
      next.enter()
    }
  }
}
