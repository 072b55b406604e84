import { createByteSegments } from '../../lib/collections/byte-segments.ts'
import type { AssetRecord } from '../../ports/records/asset.ts'
import { type CountPlace, noPlace } from '../hits/asset-counts.ts'
import type { Finding } from './entry-validity.ts'

/** What the findings of all assets of a zone at one origin have in common. */
export interface SmallPlace extends Pick<Finding, 'site' | 'book' | 'url'> {
  readonly zone: Finding['located']['zone']
}

/** A response of 200 that is kept as the bytes it is sent as. */
export interface SmallRow {
  readonly record: AssetRecord
  readonly place: SmallPlace
  /** The newest purge that is known not to cover it. */
  readonly generation: number
  readonly headBytes: number
}

/** Responses with small bodies by their URLs, in rows: none has objects of its own. */
export interface SmallRows {
  find(url: string): number | undefined
  /** `undefined` where it is too large. Its bytes are to be written at once. */
  add(url: string, sizeBytes: number, row: SmallRow): number | undefined
  at(row: number): SmallRow
  /** Head and body, to be used at once. */
  bytesOf(row: number): Buffer
  use(row: number): void
  /** Where it was counted last, to be changed by whoever counts, and then given back to `keepCountPlace`. */
  countPlaceOf(row: number): CountPlace
  keepCountPlace(row: number): void
  keepGeneration(row: number, generation: number): void
  remove(row: number): void
  clear(): void
  readonly heldBytes: number
}

const largestSegmentBytes = 2 ** 20
const leastSegments = 8
/** URL, row and its share of the tables. */
const overheadShare = 1.1

export function createSmallRows(maxBytes: number): SmallRows {
  const segmentBytes = Math.min(largestSegmentBytes, Math.floor(maxBytes / leastSegments))
  const rowByUrl = new Map<string, number>()
  const urls: string[] = []
  const records: AssetRecord[] = []
  const places: SmallPlace[] = []
  const generations: number[] = []
  const headLengths: number[] = []
  const countEpochs: number[] = []
  const countRows: number[] = []
  const counted = noPlace()
  const segments = createByteSegments({
    maxBytes: maxBytes / overheadShare,
    segmentBytes,
    onGone: (row) => void rowByUrl.delete(urls[row]!),
  })

  function remove(row: number): void {
    rowByUrl.delete(urls[row]!)
    segments.remove(row)
  }

  return {
    find: (url) => rowByUrl.get(url),
    add(url, sizeBytes, { record, place, generation, headBytes }) {
      const former = rowByUrl.get(url)
      if (former !== undefined) remove(former)
      const row = segments.add(sizeBytes)
      if (row === undefined) return undefined
      rowByUrl.set(url, row)
      urls[row] = url
      records[row] = record
      places[row] = place
      generations[row] = generation
      headLengths[row] = headBytes
      countEpochs[row] = noPlace().epoch
      countRows[row] = 0
      return row
    },
    at: (row) => ({
      record: records[row]!,
      place: places[row]!,
      generation: generations[row]!,
      headBytes: headLengths[row]!,
    }),
    bytesOf: (row) => segments.bytesOf(row),
    use: (row) => segments.use(row),
    countPlaceOf(row) {
      counted.epoch = countEpochs[row]!
      counted.row = countRows[row]!
      return counted
    },
    keepCountPlace(row) {
      countEpochs[row] = counted.epoch
      countRows[row] = counted.row
    },
    keepGeneration: (row, generation) => void (generations[row] = generation),
    remove,
    clear() {
      segments.clear()
      rowByUrl.clear()
      urls.length = 0
      records.length = 0
      places.length = 0
    },
    get heldBytes() {
      return Math.ceil(segments.heldBytes * overheadShare)
    },
  }
}
