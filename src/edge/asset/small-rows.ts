import { ByteSegments } from '../../lib/collections/byte-segments.ts'
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

const largestSegmentBytes = 2 ** 20
const leastSegments = 8
/** URL, row and its share of the tables. */
const overheadShare = 1.1

/** Responses with small bodies by their URLs, in rows: none has objects of its own. */
export class SmallRows {
  readonly #segments: ByteSegments
  readonly #rowByUrl = new Map<string, number>()
  readonly #urls: string[] = []
  readonly #records: AssetRecord[] = []
  readonly #places: SmallPlace[] = []
  readonly #generations: number[] = []
  readonly #headLengths: number[] = []
  readonly #countEpochs: number[] = []
  readonly #countRows: number[] = []
  readonly #counted = noPlace()

  constructor(maxBytes: number) {
    this.#segments = new ByteSegments({
      maxBytes: maxBytes / overheadShare,
      segmentBytes: Math.min(largestSegmentBytes, Math.floor(maxBytes / leastSegments)),
      onGone: (row) => void this.#rowByUrl.delete(this.#urls[row]!),
    })
  }

  find(url: string): number | undefined {
    return this.#rowByUrl.get(url)
  }

  /** `undefined` where it is too large. Its bytes are to be written at once. */
  add(url: string, sizeBytes: number, about: SmallRow): number | undefined {
    const former = this.#rowByUrl.get(url)
    if (former !== undefined) this.remove(former)
    const row = this.#segments.add(sizeBytes)
    if (row === undefined) return undefined
    this.#rowByUrl.set(url, row)
    this.#urls[row] = url
    this.#records[row] = about.record
    this.#places[row] = about.place
    this.#generations[row] = about.generation
    this.#headLengths[row] = about.headBytes
    const { epoch, row: countRow } = noPlace()
    this.#countEpochs[row] = epoch
    this.#countRows[row] = countRow
    return row
  }

  at(row: number): SmallRow {
    return {
      record: this.#records[row]!,
      place: this.#places[row]!,
      generation: this.#generations[row]!,
      headBytes: this.#headLengths[row]!,
    }
  }

  /** Head and body, to be used at once. */
  bytesOf(row: number): Buffer {
    return this.#segments.bytesOf(row)
  }

  use(row: number): void {
    this.#segments.use(row)
  }

  /** Where it was counted last, to be changed by whoever counts, and then given back to `keepCountPlace`. */
  countPlaceOf(row: number): CountPlace {
    this.#counted.epoch = this.#countEpochs[row]!
    this.#counted.row = this.#countRows[row]!
    return this.#counted
  }

  keepCountPlace(row: number): void {
    this.#countEpochs[row] = this.#counted.epoch
    this.#countRows[row] = this.#counted.row
  }

  keepGeneration(row: number, generation: number): void {
    this.#generations[row] = generation
  }

  remove(row: number): void {
    this.#rowByUrl.delete(this.#urls[row]!)
    this.#segments.remove(row)
  }

  clear(): void {
    this.#segments.clear()
    this.#rowByUrl.clear()
    this.#urls.length = 0
    this.#records.length = 0
    this.#places.length = 0
  }

  get heldBytes(): number {
    return Math.ceil(this.#segments.heldBytes * overheadShare)
  }
}
