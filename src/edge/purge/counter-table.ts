/**
 * Counters by name, in bounded memory. When there are too many, those that came first are folded into a
 * fixed array of slots shared by hash: a folded counter can then be read too high (its slot's other
 * names may be newer), never too low. So a purge is never forgotten; at worst it covers a little more.
 */
export interface CounterTable {
  /** Sets the counter of `name` to `value`, which must be above every value before. */
  raise(name: string, value: number): void
  /** At least the value last given to `name`; 0 where it never was. */
  read(name: string): number
  /** How many counters are kept exactly. */
  readonly exactCount: number
}

export interface CounterTableBounds {
  readonly maxExact: number
  readonly slots: number
}

/** Few, so that no single purge waits long for it. */
const foldAtOnce = 256

export function createCounterTable({ maxExact, slots }: CounterTableBounds): CounterTable {
  const exact = new Map<string, number>()
  const folded = new Float64Array(slots)
  let hasFolded = false

  const slotOf = (name: string): number => Bun.hash.xxHash32(name) % slots

  function foldOldest(): void {
    hasFolded = true
    let left = foldAtOnce
    for (const [name, value] of exact) {
      const slot = slotOf(name)
      folded[slot] = Math.max(folded[slot] ?? 0, value)
      exact.delete(name)
      left -= 1
      if (left === 0) return
    }
  }

  return {
    raise(name, value) {
      // In its old place where it has one: taking it out and in again makes the map build itself anew often.
      exact.set(name, value)
      if (exact.size > maxExact) foldOldest()
    },
    read(name) {
      const value = exact.get(name)
      if (value !== undefined) return value
      return hasFolded ? (folded[slotOf(name)] ?? 0) : 0
    },
    get exactCount() {
      return exact.size
    },
  }
}
