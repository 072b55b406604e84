import { Slots } from './slots.ts'

interface Options {
  /** How many work at a time, of all and of one key. */
  readonly atOnce: number
  readonly atOncePerKey: number
  /** How many of one key may be there, at work or waiting, and how many of all may wait. */
  readonly maxPerKey: number
  readonly maxWaiting: number
  readonly maxWaitMs: number
}

interface Line {
  readonly slots: Slots
  count: number
}

/** Lets in so many at a time, and of each key so few that others have their turn. */
export class SharedTurns {
  readonly #options: Options
  readonly #all: Slots
  readonly #lineByKey = new Map<string, Line>()

  constructor(options: Options) {
    this.#options = options
    this.#all = new Slots(options.atOnce)
  }

  /** What `work` answers once it has had its turn; `undefined` where it did not get one. */
  async run<T>(key: string, work: () => Promise<T>): Promise<{ readonly value: T } | undefined> {
    const { atOncePerKey, maxPerKey, maxWaiting, maxWaitMs } = this.#options
    const line = this.#lineByKey.get(key) ?? { slots: new Slots(atOncePerKey), count: 0 }
    if (line.count >= maxPerKey) return undefined
    line.count += 1
    this.#lineByKey.set(key, line)
    try {
      using own = await line.slots.takeWithin({ maxWaiting: maxPerKey, maxWaitMs })
      if (own === undefined) return undefined
      using turn = await this.#all.takeWithin({ maxWaiting, maxWaitMs })
      return turn && { value: await work() }
    } finally {
      line.count -= 1
      if (line.count === 0) this.#lineByKey.delete(key)
    }
  }
}
