const bucketCount = 1_024

/**
 * About the `limit` items with the greatest values, in their order. Values are from 0 to 1; those that
 * differ by less than a thousandth may count as equal, and of equals the first are taken. The cost grows
 * with the number of items alone.
 */
export function greatest(
  items: readonly number[],
  limit: number,
  valueOf: (item: number) => number,
): readonly number[] {
  if (items.length <= limit) return items
  const countByBucket = new Uint32Array(bucketCount + 1)
  const buckets = new Uint16Array(items.length)
  for (let place = 0; place < items.length; place += 1) {
    const value = Math.max(0, Math.min(1, valueOf(items[place] ?? 0)))
    const bucket = Math.floor(value * bucketCount)
    buckets[place] = bucket
    countByBucket[bucket] = (countByBucket[bucket] ?? 0) + 1
  }
  const { edge, roomAtEdge } = edgeOf(countByBucket, limit)
  let left = roomAtEdge
  return items.filter((_, place) => {
    const bucket = buckets[place] ?? 0
    if (bucket === edge) left -= 1
    return bucket > edge || (bucket === edge && left >= 0)
  })
}

/** The least bucket that is taken from, and how many are. */
function edgeOf(countByBucket: Uint32Array, limit: number) {
  let left = limit
  for (let edge = bucketCount; edge > 0; edge -= 1) {
    const count = countByBucket[edge] ?? 0
    if (count >= left) return { edge, roomAtEdge: left }
    left -= count
  }
  return { edge: 0, roomAtEdge: left }
}

/**
 * The `limit` largest of `items`, and the rest. Of equals those that come first are kept. Both parts
 * are in the order of size.
 */
export function keepLargest<Item>(
  items: readonly Item[],
  limit: number,
  sizeOf: (item: Item) => number,
): { readonly kept: readonly Item[]; readonly rest: readonly Item[] } {
  const sorted = items.toSorted((a, b) => sizeOf(b) - sizeOf(a))
  return { kept: sorted.slice(0, limit), rest: sorted.slice(limit) }
}
