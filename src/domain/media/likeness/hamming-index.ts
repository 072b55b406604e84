import { createBitRecords } from './bit-records.ts'
import { type Bits, onesIn } from './bits.ts'
import { createSlotLists } from './slot-lists.ts'

export interface Neighbour {
  readonly slot: number
  /** How many bits differ. */
  readonly distance: number
}

interface Asking {
  /** How many bits may differ. */
  readonly distance: number
  /** The nearest so many. */
  readonly limit: number
  readonly accepts: (slot: number) => boolean
}

/** Finds, among many sets of 128 bits, those that differ from one in few. */
export interface HammingIndex {
  readonly size: number
  /** Answers the slot that it has until it is removed; slots are small numbers, and used again. */
  add(bits: Bits): number
  remove(slot: number): void
  bitsOf(slot: number): Bits
  /** The nearest first, then by slot. */
  nearest(bits: Bits, asking: Asking): readonly Neighbour[]
}

const chunks = 8
const chunkValues = 2 ** 16
/** Where lists would lead to a larger share of all, looking at all in their order is faster. */
const maxShare = 0.03

/**
 * Multi-index hashing (Norouzi, Punjani, Fleet: Fast Search in Hamming Space, 2012): the bits are cut
 * into eight chunks, and whatever differs in at most `r` bits differs in at most `r / 8` in one of them.
 * For each value of each chunk there is a list of the slots that have it.
 */
export function createHammingIndex(): HammingIndex {
  const lists = createSlotLists(chunks * chunkValues)
  const records = createBitRecords()
  let candidates = new Int32Array(1024)

  /** How many slots those lists have; the same one may be in several. `undefined` where they are too many. */
  function countCandidates(bits: Bits, radius: number): number | undefined {
    const most = records.end * maxShare
    if (listsWithin(radius) * (1 + records.end / chunkValues) > most) return undefined
    let count = 0
    for (const list of listsNear(bits, radius)) count += lists.sizeOf(list)
    return count > most ? undefined : count
  }

  function collectCandidates(bits: Bits, radius: number): Int32Array {
    let count = 0
    for (const list of listsNear(bits, radius)) count = lists.copy(list, candidates, count)
    return candidates.subarray(0, count)
  }

  /** Takes those that are near from some slots; from all where they are not said. */
  function takeNear(bits: Bits, asking: Asking, slots?: Int32Array): readonly Neighbour[] {
    const kept = createNearest(asking.limit)
    const { distance: reach, accepts } = asking
    records.scan(bits, {
      slots,
      reach,
      take(slot, distance) {
        if (!kept.has(slot) && accepts(slot)) kept.add({ slot, distance })
        return kept.reach ?? reach
      },
    })
    return kept.all
  }

  return {
    get size() {
      return records.size
    },
    bitsOf: (slot) => records.bitsOf(slot),
    add(bits) {
      const slot = records.add(bits)
      for (const list of listsOf(bits)) lists.add(list, slot)
      return slot
    },
    remove(slot) {
      if (!records.remove(slot)) return
      for (const list of listsOf(records.bitsOf(slot))) lists.remove(list, slot)
    },
    nearest(bits, asking) {
      const count = countCandidates(bits, asking.distance)
      if (count === undefined) return takeNear(bits, asking)
      if (count > candidates.length) candidates = new Int32Array(count * 2)
      return takeNear(bits, asking, collectCandidates(bits, asking.distance))
    },
  }
}

/** The lists that a slot with these bits is in. */
const listsOf = (bits: Bits): readonly number[] =>
  Array.from(
    { length: chunks },
    (_, chunk) => chunk * chunkValues + valueOf(bits[chunk >> 1] ?? 0, chunk),
  )

/** The lists that have all that differs in at most `radius` bits. */
function listsNear(bits: Bits, radius: number): Int32Array {
  const near = new Int32Array(listsWithin(radius))
  let end = 0
  for (const [chunk, list] of listsOf(bits).entries()) {
    const maskCount = masksUpTo(chunkRadius(radius, chunk))
    for (let index = 0; index < maskCount; index += 1) {
      // The masks have the bits of a chunk alone, which are the lowest.
      near[end] = list ^ (masks[index] ?? 0)
      end += 1
    }
  }
  return near
}

/** Each chunk is the upper or the lower half of a word. */
const valueOf = (word: number, chunk: number): number =>
  (chunk & 1) === 0 ? word >>> 16 : word & 0xff_ff

/** In how many bits of a chunk those are looked for that differ in `radius` at most; −1 for none. */
const chunkRadius = (radius: number, chunk: number): number =>
  Math.floor(radius / chunks) - (chunk <= radius % chunks ? 0 : 1)

/** Of how many values of 16 bits there are so many ones at most. */
const countsOfMasks = (() => {
  const counts = new Uint32Array(17)
  for (let value = 0; value < chunkValues; value += 1) counts[onesIn(value, 0)]! += 1
  for (let ones = 1; ones < counts.length; ones += 1) counts[ones]! += counts[ones - 1]!
  return counts
})()

/** Every value of 16 bits, those of fewest ones first. */
const masks = (() => {
  const sorted = new Uint16Array(chunkValues)
  const next = [0, ...countsOfMasks]
  for (let value = 0; value < chunkValues; value += 1) sorted[next[onesIn(value, 0)]!++] = value
  return sorted
})()
const masksUpTo = (radius: number): number =>
  radius < 0 ? 0 : (countsOfMasks[Math.min(16, radius)] ?? 0)

/** In how many lists those are looked for that differ in `radius` bits at most. */
function listsWithin(radius: number): number {
  let sum = 0
  for (let chunk = 0; chunk < chunks; chunk += 1) sum += masksUpTo(chunkRadius(radius, chunk))
  return sum
}

/** The nearest of those that are added. */
function createNearest(limit: number) {
  const all: Neighbour[] = []
  const isBefore = (a: Neighbour, b: Neighbour): boolean =>
    a.distance < b.distance || (a.distance === b.distance && a.slot < b.slot)
  return {
    all: all as readonly Neighbour[],
    /** What is farther is of no use; `undefined` while there is room. */
    get reach() {
      return all.length < limit ? undefined : all.at(-1)?.distance
    },
    has: (slot: number) => all.some((each) => each.slot === slot),
    add(neighbour: Neighbour): void {
      let place = all.length
      while (place > 0 && isBefore(neighbour, all[place - 1] ?? neighbour)) place -= 1
      all.splice(place, 0, neighbour)
      if (all.length > limit) all.pop()
    },
  }
}
