import { decodeEntries, type PathEntry, restId } from './path-entries.ts'

/** Sums of every asset, by id. */
export class PathSums {
  readonly #requests: Float64Array
  readonly #bytes: Float64Array

  constructor(largestId: number) {
    this.#requests = new Float64Array(largestId + 1)
    this.#bytes = new Float64Array(largestId + 1)
  }

  add(block: Uint8Array): void {
    const { requests, bytes, ids } = decodeEntries(block)
    const [requestSums, byteSums] = [this.#requests, this.#bytes]
    // Millions of times a report: an iterator, or `+=` on what may be undefined, would be its whole cost.
    for (let place = 0; place < ids.length; place += 1) {
      const id = ids[place] as number
      requestSums[id] = (requestSums[id] as number) + (requests[place] as number)
      byteSums[id] = (byteSums[id] as number) + (bytes[place] as number)
    }
  }

  /** Most requests first; of equals the smaller id. */
  largest(limit: number): readonly PathEntry[] {
    const requests = this.#requests
    const ranked: number[] = []
    let least = 0
    for (let id = restId + 1; id < requests.length; id += 1) {
      const sum = requests[id] as number
      if (sum <= least) continue
      ranked.splice(placeOf(sum, ranked, requests), 0, id)
      if (ranked.length > limit) ranked.pop()
      if (ranked.length === limit) least = requests[ranked[limit - 1] as number] as number
    }
    return ranked.map((id) => ({
      id,
      requests: requests[id] ?? 0,
      bytes: this.#bytes[id] ?? 0,
    }))
  }
}

/** After all that are as large or larger. */
function placeOf(sum: number, ranked: readonly number[], sums: Float64Array): number {
  let [low, high] = [0, ranked.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sums[ranked[middle] as number] as number) >= sum) low = middle + 1
    else high = middle
  }
  return low
}
