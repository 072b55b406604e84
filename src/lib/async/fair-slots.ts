import { type Patience, Slots } from './slots.ts'

interface Options extends Pick<Patience, 'maxWaiting' | 'maxWaitMs'> {
  /** How many are in at a time, of all and of one key. */
  readonly ofAll: number
  readonly ofEach: number
}

/** Lets so many in at a time, and of each key so few that others find room. */
export class FairSlots {
  readonly #options: Options
  readonly #all: Slots
  readonly #slotsByKey = new Map<string, { readonly slots: Slots; users: number }>()

  constructor(options: Options) {
    this.#options = options
    this.#all = new Slots(options.ofAll)
  }

  /**
   * Waits for room for each of the keys, then for room among all; where there is none in time, answers whose
   * is missing. Disposing what is answered makes room for the next.
   */
  async enter(
    keys: readonly string[],
    signal?: AbortSignal,
  ): Promise<Disposable | 'full for a key' | 'full for all'> {
    using opening = new DisposableStack()
    const patience = { ...this.#options, ...(signal && { signal }) }
    // In one order, so that no two wait for each other.
    for (const key of [...new Set(keys)].toSorted()) {
      const own = await this.#slotsOf(key, opening).takeWithin(patience)
      if (own === undefined) return 'full for a key'
      opening.use(own)
    }
    const shared = await this.#all.takeWithin(patience)
    if (shared === undefined) return 'full for all'
    opening.use(shared)
    return opening.move()
  }

  /** Forgotten with the last who uses them. */
  #slotsOf(key: string, opening: DisposableStack): Slots {
    const line = this.#slotsByKey.get(key) ?? { slots: new Slots(this.#options.ofEach), users: 0 }
    line.users += 1
    this.#slotsByKey.set(key, line)
    opening.defer(() => {
      line.users -= 1
      if (line.users === 0) this.#slotsByKey.delete(key)
    })
    return line.slots
  }
}
