/**
 * Whoever brings objects into the repository shares it until a branch leads to them; whoever takes away what no
 * branch leads to has it alone. Who waits to be alone goes before those who come after.
 */
export class Landing {
  #sharing = 0
  #wantAlone = 0
  #gate: Promise<void> = Promise.resolve()
  #onEmpty: (() => void) | undefined
  #epoch = 0

  /** Grows each time somebody was alone: commits may have other ids then. */
  get epoch(): number {
    return this.#epoch
  }

  async share<T>(work: () => Promise<T>): Promise<T> {
    while (this.#wantAlone > 0) await this.#gate
    this.#sharing += 1
    try {
      return await work()
    } finally {
      this.#sharing -= 1
      if (this.#sharing === 0) this.#onEmpty?.()
    }
  }

  async alone<T>(work: () => Promise<T>): Promise<T> {
    const before = this.#gate
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#gate = promise
    this.#wantAlone += 1
    await before
    try {
      if (this.#sharing > 0)
        await new Promise<void>((empty) => {
          this.#onEmpty = empty
        })
      this.#onEmpty = undefined
      return await work()
    } finally {
      this.#epoch += 1
      this.#wantAlone -= 1
      resolve()
    }
  }
}
