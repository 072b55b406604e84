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

  /** The same, but `undefined` where the turn has not come within `ms`; it is then passed on. */
  async acquireWithin(ms: number): Promise<Disposable | undefined> {
    const turn = this.acquire()
    const { promise: late, resolve } = Promise.withResolvers<undefined>()
    const timer = setTimeout(resolve, ms, undefined)
    const first = await Promise.race([turn, late])
    clearTimeout(timer)
    if (first === undefined) void turn.then((passed) => passed[Symbol.dispose]())
    return first
  }
}
