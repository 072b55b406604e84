/**
 * Counters by name, in bounded memory. When there are too many, those that came first are folded into a
 * fixed array of slots shared by hash: a folded counter can then be read too high (its slot's other
 * names may be newer), never too low. So a purge is never forgotten; at worst it covers a little more.
 */
export interface CounterTable {
  /** Sets the counter of `name` to `value`, which must be above every value before. */
  raise(name: string, value: number): void
  /** The same for many, at the first step, however many there are; they come to their places in bounded steps. */
  raiseAll(names: ReadonlySet<string>, value: number): Iterable<void>
  /** At least the value last given to `name`; 0 where it never was. */
  read(name: string): number
  /** How many counters are kept exactly. */
  readonly exactCount: number
}

export interface CounterTableBounds {
  readonly maxExact: number
  readonly slots: number
}

/** Counters that were raised together and are not in their places yet. */
interface Batch {
  readonly names: ReadonlySet<string>
  readonly value: number
}

const namesPerStep = 1_000

/** Few, so that no single purge waits long for it. */
const foldAtOnce = 256

export function createCounterTable({ maxExact, slots }: CounterTableBounds): CounterTable {
  const exact = new Map<string, number>()
  const folded = new Float64Array(slots)
  const batches = new Set<Batch>()
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

  function raise(name: string, value: number): void {
    // In its old place where it has one: taking it out and in again makes the map build itself anew often.
    exact.set(name, value)
    if (exact.size > maxExact) foldOldest()
  }

  function placed(name: string): number {
    const value = exact.get(name)
    if (value !== undefined) return value
    return hasFolded ? (folded[slotOf(name)] ?? 0) : 0
  }

  return {
    raise,
    *raiseAll(names, value) {
      const batch = { names, value }
      batches.add(batch)
      let count = 0
      for (const name of names) {
        if (count++ % namesPerStep === 0) yield
        // It may have been raised further since.
        if (placed(name) < value) raise(name, value)
      }
      batches.delete(batch)
    },
    read(name) {
      let value = placed(name)
      for (const batch of batches)
        if (batch.value > value && batch.names.has(name)) ({ value } = batch)
      return value
    },
    get exactCount() {
      return exact.size
    },
  }
}
