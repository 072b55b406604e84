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
    if (this.#waiting.length > 0 || this.#taken + weight > this.#capacity)
      await new Promise<void>((enter) => this.#waiting.push({ weight, enter }))
    else this.#taken += weight
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
