interface Options {
  /** How many may be in at a time. */
  readonly count: number
  /** How many may wait for them. */
  readonly maxWaiting: number
  readonly maxWaitMs: number
}

/** Lets at most so many in at a time, in the order of asking; nobody waits long, and not many do. */
export class BoundedSlots {
  readonly #options: Options
  readonly #waiting = new Set<(isIn: boolean) => void>()
  #taken = 0

  constructor(options: Options) {
    this.#options = options
  }

  /** How many are in. */
  get taken(): number {
    return this.#taken
  }

  /**
   * Disposing what it answers makes room for the next. `undefined` where there was no room in time,
   * too many were waiting already, or `signal` came first.
   */
  async take(signal?: AbortSignal): Promise<Disposable | undefined> {
    if (signal?.aborted) return undefined
    if (this.#taken < this.#options.count) this.#taken += 1
    else if (!(await this.#wait(signal))) return undefined
    let isIn = true
    return {
      [Symbol.dispose]: () => {
        if (isIn) this.#leave()
        isIn = false
      },
    }
  }

  async #wait(signal: AbortSignal | undefined): Promise<boolean> {
    if (this.#waiting.size >= this.#options.maxWaiting) return false
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const giveUp = () => {
      // At once: room that comes free in this very moment must go to somebody who still waits.
      this.#waiting.delete(resolve)
      resolve(false)
    }
    const timer = setTimeout(giveUp, this.#options.maxWaitMs)
    signal?.addEventListener('abort', giveUp, { once: true })
    this.#waiting.add(resolve)
    const isIn = await promise
    clearTimeout(timer)
    signal?.removeEventListener('abort', giveUp)
    return isIn
  }

  /** The room goes straight to whoever waits longest. */
  #leave(): void {
    const [next] = this.#waiting
    if (next === undefined) this.#taken -= 1
    else {
      this.#waiting.delete(next)
      next(true)
    }
  }
}
