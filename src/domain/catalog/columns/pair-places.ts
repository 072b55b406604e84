import { grownTo } from '../../../lib/collections/grown-array.ts'

export interface PairPlaces {
  readonly counts: Uint32Array
  /** The places of a pair: the first `counts[pair]` of these, in no order. */
  of(pair: number): Uint32Array
  add(pair: number, place: number): void
  /** Takes away the places that leave, in bounded steps. Places that are added meanwhile must stay. */
  remove(isLeaving: (place: number) => boolean): Iterable<void>
}

const pairCount = 2 ** 16
/** How many places one step of a removal looks at, at least. */
const stepPlaces = 50_000
const nowhere = new Uint32Array(0)

/** Places of pairs of bytes. A pair is a number of 16 bits, its first byte the higher one. */
export function createPairPlaces(): PairPlaces {
  const placesByPair = new Map<number, Uint32Array<ArrayBuffer>>()
  const counts = new Uint32Array(pairCount)

  function* remove(isLeaving: (place: number) => boolean) {
    let seen = 0
    for (const pair of placesByPair.keys()) {
      seen += counts[pair]!
      removeFrom(pair, isLeaving)
      if (seen < stepPlaces) continue
      seen = 0
      yield
    }
  }

  function removeFrom(pair: number, isLeaving: (place: number) => boolean) {
    const places = placesByPair.get(pair)!
    const count = counts[pair]!
    let kept = 0
    for (let index = 0; index < count; index += 1)
      if (!isLeaving(places[index]!)) places[kept++] = places[index]!
    counts[pair] = kept
    if (kept === 0) placesByPair.delete(pair)
    else if (kept * 4 < places.length) placesByPair.set(pair, places.slice(0, kept))
  }

  return {
    counts,
    of: (pair) => placesByPair.get(pair) ?? nowhere,
    add(pair, place) {
      const count = counts[pair]!
      let places = placesByPair.get(pair) ?? nowhere
      if (places.length === count) {
        places = grownTo(places, count + 2)
        placesByPair.set(pair, places)
      }
      places[count] = place
      counts[pair] = count + 1
    },
    remove,
  }
}
