export interface Patience {
  /** How many may wait before one more is sent away. */
  readonly maxWaiting: number
  readonly maxWaitMs: number
  readonly signal?: AbortSignal
}

/** Lets at most so many in at a time, in the order of asking. */
export class Slots {
  readonly #count: number
  readonly #waiting = new Set<(isIn: boolean) => void>()
  #taken = 0

  constructor(count: number) {
    this.#count = count
  }

  /** How many are in. */
  get taken(): number {
    return this.#taken
  }

  /** Resolves once there is room. Disposing what it answers makes room for the next. */
  async take(): Promise<Disposable> {
    if (this.#isFull) await new Promise((resolve) => this.#waiting.add(resolve))
    else this.#taken += 1
    return this.#slot()
  }

  /**
   * The same for whoever does not wait for ever: `undefined` where there was no room in time, too many
   * were waiting already, or the signal came first.
   */
  async takeWithin(patience: Patience): Promise<Disposable | undefined> {
    if (patience.signal?.aborted) return undefined
    if (this.#isFull) {
      if (!(await this.#waitWithin(patience))) return undefined
    } else this.#taken += 1
    return this.#slot()
  }

  get #isFull(): boolean {
    return this.#taken >= this.#count
  }

  #slot(): Disposable {
    let isIn = true
    return {
      [Symbol.dispose]: () => {
        if (isIn) this.#leave()
        isIn = false
      },
    }
  }

  async #waitWithin({ maxWaiting, maxWaitMs, signal }: Patience): Promise<boolean> {
    if (this.#waiting.size >= maxWaiting) return false
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const giveUp = () => {
      // At once: room that comes free in this very moment must go to somebody who still waits.
      this.#waiting.delete(resolve)
      resolve(false)
    }
    const timer = setTimeout(giveUp, maxWaitMs)
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
