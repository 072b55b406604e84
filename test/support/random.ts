/** A small seeded generator (mulberry32): the same seed gives the same run. */
export interface Random {
  /** 0 ≤ x < 1. */
  next(): number
  /** A whole number, `min` and `max` included. */
  integer(min: number, max: number): number
  pick<const T>(items: readonly [T, ...T[]]): T
  bytes(length: number): Uint8Array<ArrayBuffer>
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const integer = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  return {
    next,
    integer,
    pick: (items) => items[integer(0, items.length - 1)] ?? items[0],
    bytes: (length) => Uint8Array.from({ length }, () => integer(0, 255)),
  }
}

/** From the environment, so that a failing run can be repeated; else a new one. Printed either way. */
export function seedOf(what: string): number {
  const seed = Number(process.env['SEDGE_TEST_SEED'] ?? Date.now() % 2 ** 31)
  console.log(`${what}: SEDGE_TEST_SEED=${seed}`)
  return seed
}
