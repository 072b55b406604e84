import { sortedInSteps } from '../../../lib/collections/sorted-in-steps.ts'

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
  const texts = new Set<string>()
  for (let place = 0; place < size; place += 1) {
    texts.add(keyAt(place))
    if (isStepOver(place)) yield
  }
  const rankByText = new Map<string, number>()
  for (const text of yield* sortedInSteps([...texts])) {
    if (isStepOver(rankByText.size)) yield
    rankByText.set(text, rankByText.size)
  }
  const ranks = new Uint32Array(size)
  for (let place = 0; place < size; place += 1) {
    ranks[place] = rankByText.get(keyAt(place))!
    if (isStepOver(place)) yield
  }
  return { ranks, count: texts.size }
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
