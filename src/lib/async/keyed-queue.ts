/** Runs tasks of one key one after another, in the order given; tasks of other keys run meanwhile. */
export class KeyedQueue {
  readonly #lastByKey = new Map<string, Promise<unknown>>()

  run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const mine = (this.#lastByKey.get(key) ?? Promise.resolve()).then(task)
    const settled: Promise<void> = mine.then(
      () => this.#forget(key, settled),
      () => this.#forget(key, settled),
    )
    this.#lastByKey.set(key, settled)
    return mine
  }

  /** Runs one task in the turn of all of these keys. */
  async runTogether(keys: readonly string[], task: () => Promise<void>): Promise<void> {
    const ended = Promise.withResolvers<void>()
    // All are queued at once, so that two who want the same keys can not wait for each other.
    const begun = keys.map((key) => {
      const turn = Promise.withResolvers<void>()
      void this.run(key, () => {
        turn.resolve()
        return ended.promise
      })
      return turn.promise
    })
    try {
      await Promise.all(begun)
      await task()
    } finally {
      ended.resolve()
    }
  }

  /** Resolves once every task given so far has ended. */
  async idle(): Promise<void> {
    await Promise.all(this.#lastByKey.values())
  }

  #forget(key: string, task: Promise<unknown>): void {
    if (this.#lastByKey.get(key) === task) this.#lastByKey.delete(key)
  }
}
