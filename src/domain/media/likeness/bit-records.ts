import { type Bits, onesIn } from './bits.ts'

/** Sets of 128 bits by slot, in typed arrays. */
export interface BitRecords {
  /** One more than the largest slot that was ever taken. */
  readonly end: number
  readonly size: number
  add(bits: Bits): number
  /** Answers whether it was there. */
  remove(slot: number): boolean
  bitsOf(slot: number): Bits
  /**
   * Tells which of some slots, or of all, differ in at most `reach` bits, and in at most `maxHalfDistance`
   * of either half. `take` answers the reach from then on.
   */
  scan(bits: Bits, options: ScanOptions): void
}

interface ScanOptions {
  /** All where left out. */
  readonly slots?: Int32Array | undefined
  readonly reach: number
  readonly take: (slot: number, distance: number) => number
}

/** Whatever differs in more bits of one half is not near, however near the other half is. */
export const maxHalfDistance = 22

const firstCapacity = 1024

export function createBitRecords(): BitRecords {
  /** Two words of each slot; apart, since the second half alone tells most that are far. */
  let firstHalves = new Int32Array(firstCapacity * 2)
  let secondHalves = new Int32Array(firstCapacity * 2)
  let taken = new Uint8Array(firstCapacity)
  const free: number[] = []
  let end = 0

  function grow(): void {
    firstHalves = larger(firstHalves)
    secondHalves = larger(secondHalves)
    const marks = new Uint8Array(taken.length * 2)
    marks.set(taken)
    taken = marks
  }

  return {
    get end() {
      return end
    },
    get size() {
      return end - free.length
    },
    add([a, b, c, d]) {
      const slot = free.pop() ?? end
      if (slot === end) end += 1
      if (end > taken.length) grow()
      firstHalves.set([a, b], slot * 2)
      secondHalves.set([c, d], slot * 2)
      taken[slot] = 1
      return slot
    },
    remove(slot) {
      if (taken[slot] !== 1) return false
      taken[slot] = 0
      free.push(slot)
      return true
    },
    bitsOf(slot) {
      const place = slot * 2
      return [
        at(firstHalves, place),
        at(firstHalves, place + 1),
        at(secondHalves, place),
        at(secondHalves, place + 1),
      ]
    },
    scan([a, b, c, d], { slots, reach: firstReach, take }) {
      const [firsts, seconds] = [firstHalves, secondHalves]
      const count = slots === undefined ? end : slots.length
      let reach = firstReach
      for (let index = 0; index < count; index += 1) {
        const slot = slots === undefined ? index : at(slots, index)
        const place = slot * 2
        const second = onesIn(at(seconds, place) ^ c, at(seconds, place + 1) ^ d)
        if (second > maxHalfDistance || second > reach) continue
        const first = onesIn(at(firsts, place) ^ a, at(firsts, place + 1) ^ b)
        const isNear = first <= maxHalfDistance && first + second <= reach
        if (isNear && taken[slot] === 1) reach = take(slot, first + second)
      }
    },
  }
}

/** Within the bounds. */
const at = (words: Int32Array, index: number): number => words[index] as number

function larger(words: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const copy = new Int32Array(words.length * 2)
  copy.set(words)
  return copy
}
