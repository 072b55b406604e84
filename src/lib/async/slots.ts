/** Lets at most so many in at a time, in the order of asking. */
export class Slots {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(count: number) {
    this.#free = count
  }

  /** Resolves once there is room. Disposing what it answers makes room for the next. */
  async take(): Promise<Disposable> {
    if (this.#free > 0) this.#free -= 1
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    return { [Symbol.dispose]: () => this.#leave() }
  }

  #leave(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#free += 1
  }
}
