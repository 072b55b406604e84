import { sortedPlaces } from '../../../lib/collections/sorted-in-steps.ts'

/** Which of all distinct keys, in their order, each of many has. */
export interface Ranks {
  readonly ranks: Uint32Array
  /** Every rank is below this. */
  readonly count: number
}

export function rankNumbers(size: number, keyAt: (place: number) => number): Ranks {
  const keys = new Float64Array(size)
  for (let place = 0; place < size; place += 1) keys[place] = keyAt(place)
  if (keys.every((key) => key === keys[0])) return { ranks: new Uint32Array(size), count: 1 }
  const sorted = keys.toSorted()
  const distinct = sorted.filter((key, place) => place === 0 || key !== sorted[place - 1])
  const ranks = new Uint32Array(size)
  for (let place = 0; place < size; place += 1)
    ranks[place] = lowerBound(distinct.length, (other) => distinct[other]! < keys[place]!)
  return { ranks, count: distinct.length }
}

const stepPlaces = 4_096
const isStepOver = (place: number): boolean => place % stepPlaces === stepPlaces - 1

/** For texts of which many are equal. In bounded steps. */
export function* rankTexts(size: number, keyAt: (place: number) => string): Generator<void, Ranks> {
  const idByText = new Map<string, number>()
  const ranks = new Uint32Array(size)
  for (let place = 0; place < size; place += 1) {
    const text = keyAt(place)
    const known = idByText.get(text)
    if (known === undefined) idByText.set(text, idByText.size)
    ranks[place] = known ?? idByText.size - 1
    if (isStepOver(place)) yield
  }
  const rankById = inverse(yield* sortedPlaces([...idByText.keys()]))
  for (let place = 0; place < size; place += 1) ranks[place] = rankById[ranks[place]!]!
  return { ranks, count: rankById.length }
}

/** By what stands at a place: that place. */
function inverse(places: Uint32Array): Uint32Array {
  const inverted = new Uint32Array(places.length)
  for (let place = 0; place < places.length; place += 1) inverted[places[place]!] = place
  return inverted
}

/** A counting sort: stable, so that those of one rank stay as they were. */
export function sortedByRank(
  items: Uint32Array,
  { ranks, count }: Ranks,
  direction: 'asc' | 'desc',
): Uint32Array<ArrayBuffer> {
  if (count === 1) return items.slice()
  const first = direction === 'asc' ? 0 : count - 1
  const step = direction === 'asc' ? 1 : -1
  const nextPlace = new Uint32Array(count + 1)
  for (let at = 0; at < items.length; at += 1) nextPlace[first + step * ranks[at]! + 1]! += 1
  for (let bucket = 1; bucket <= count; bucket += 1) nextPlace[bucket]! += nextPlace[bucket - 1]!
  const sorted = new Uint32Array(items.length)
  for (let at = 0; at < items.length; at += 1) {
    const bucket = first + step * ranks[at]!
    sorted[nextPlace[bucket]!] = items[at]!
    nextPlace[bucket]! += 1
  }
  return sorted
}

/** Up to so many of the first in an order, sorted, without sorting the others. In bounded steps. */
export function* firstOf(
  items: Uint32Array,
  compare: (a: number, b: number) => number,
  most: number,
): Generator<void, Uint32Array<ArrayBuffer>> {
  const first = new Uint32Array(Math.min(most, items.length))
  let count = 0
  for (let at = 0; at < items.length; at += 1) {
    if (isStepOver(at)) yield
    const item = items[at]!
    if (count === most && compare(first[count - 1]!, item) < 0) continue
    const place = lowerBound(count, (other) => compare(first[other]!, item) < 0)
    first.copyWithin(place + 1, place, count)
    first[place] = item
    count = Math.min(count + 1, most)
  }
  return first
}

/** The first place below `end` that is not before, where all that are come first; else `end`. */
export function lowerBound(end: number, isBefore: (place: number) => boolean): number {
  let low = 0
  let high = end
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBefore(middle)) low = middle + 1
    else high = middle
  }
  return low
}
