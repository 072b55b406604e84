/** Lets one in at a time, in the order of asking. */
export class Mutex {
  #last: Promise<void> = Promise.resolve()

  /** Resolves once every earlier holder has let go. Disposing what it answers lets the next one in. */
  async acquire(): Promise<Disposable> {
    const before = this.#last
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#last = promise
    await before
    return { [Symbol.dispose]: resolve }
  }
}
