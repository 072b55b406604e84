import { keepLargest } from '../../../../lib/collections/greatest.ts'

/** Sums of one asset. The id 0 is the sum of those that are not told apart. */
export interface PathEntry {
  readonly id: number
  readonly requests: number
  readonly bytes: number
}

export const restId = 0

/** The columns of a block, ids ascending, just as they are stored. */
export interface PathEntries {
  readonly requests: Float64Array
  readonly bytes: Float64Array
  readonly ids: Uint32Array
}

const entryBytes = 2 * Float64Array.BYTES_PER_ELEMENT + Uint32Array.BYTES_PER_ELEMENT

/** In columns, so that reading is looking: a report over months reads millions of entries. */
export function encodeEntries(entries: readonly PathEntry[]): Uint8Array {
  const sorted = entries.toSorted((a, b) => a.id - b.id)
  const encoded = new Uint8Array(sorted.length * entryBytes)
  const { requests, bytes, ids } = decodeEntries(encoded)
  for (const [place, entry] of sorted.entries()) {
    requests[place] = entry.requests
    bytes[place] = entry.bytes
    ids[place] = entry.id
  }
  return encoded
}

/** A view, not a copy, where the bytes lie where numbers may. */
export function decodeEntries(encoded: Uint8Array): PathEntries {
  const count = encoded.byteLength / entryBytes
  const isAligned = encoded.byteOffset % Float64Array.BYTES_PER_ELEMENT === 0
  const { buffer, byteOffset } = isAligned ? encoded : encoded.slice()
  const width = Float64Array.BYTES_PER_ELEMENT
  return {
    requests: new Float64Array(buffer, byteOffset, count),
    bytes: new Float64Array(buffer, byteOffset + count * width, count),
    ids: new Uint32Array(buffer, byteOffset + count * 2 * width, count),
  }
}

/** The sum of blocks, with at most `limit` assets told apart. */
export function mergeEntries(blocks: readonly Uint8Array[], limit: number): Uint8Array {
  const entryById = new Map<number, { id: number; requests: number; bytes: number }>()
  for (const block of blocks) {
    const { requests, bytes, ids } = decodeEntries(block)
    for (const [place, id] of ids.entries()) {
      const sum = entryById.get(id) ?? { id, requests: 0, bytes: 0 }
      sum.requests += requests[place] ?? 0
      sum.bytes += bytes[place] ?? 0
      entryById.set(id, sum)
    }
  }
  return encodeEntries(limited([...entryById.values()], limit))
}

/** The block itself where it tells no more than `limit` assets apart. */
export const boundedEntries = (block: Uint8Array, limit: number): Uint8Array =>
  block.byteLength <= limit * entryBytes ? block : mergeEntries([block], limit)

function limited(entries: readonly PathEntry[], limit: number): readonly PathEntry[] {
  if (entries.length <= limit) return entries
  const { kept, rest } = keepLargest(entries, limit, ({ id, requests }) =>
    id === restId ? Number.POSITIVE_INFINITY : requests,
  )
  const sum = { id: restId, requests: 0, bytes: 0 }
  for (const { requests, bytes } of [...rest, ...kept.filter(({ id }) => id === restId)]) {
    sum.requests += requests
    sum.bytes += bytes
  }
  return [sum, ...kept.filter(({ id }) => id !== restId)]
}

/** What the block says of one asset. */
export function findEntry(block: Uint8Array, id: number): PathEntry | undefined {
  const { requests, bytes, ids } = decodeEntries(block)
  const place = ids.indexOf(id)
  return place < 0 ? undefined : { id, requests: requests[place] ?? 0, bytes: bytes[place] ?? 0 }
}
