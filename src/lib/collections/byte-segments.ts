import { grownTo } from './grown-array.ts'

interface Options {
  readonly maxBytes: number
  readonly segmentBytes: number
  /** A row whose bytes are gone. */
  readonly onGone: (row: number) => void
}

interface Segment {
  readonly bytes: Buffer
  /** In the order of their bytes. */
  rows: number[]
  endsAt: number
}

const maxUses = 3
const firstRows = 1024
/** The size of what is not there any more; its row is free once its segment is filled anew. */
const removed = 0

/**
 * Small runs of bytes, each known by a row, in a few large buffers: what is kept of one is its bytes and a dozen more.
 * Segments are filled one after the other. Once there are as many as there may be, the oldest is filled anew: what
 * has been used since it came there stays, up to a half of it.
 */
export class ByteSegments {
  readonly #options: Options
  readonly #maxSegments: number
  readonly #segments: Segment[] = []
  readonly #freeRows: number[] = []
  #current = -1
  #rowCount = 0
  #segmentOf = new Uint32Array(firstRows)
  #starts = new Uint32Array(firstRows)
  #sizes = new Uint32Array(firstRows)
  #uses = new Uint8Array(firstRows)

  constructor(options: Options) {
    this.#options = options
    this.#maxSegments = Math.floor(options.maxBytes / options.segmentBytes)
  }

  /**
   * A row with room for so many bytes, of which nothing is known yet. Others may have to go for it. `undefined` for
   * more than an eighth of a segment.
   */
  add(sizeBytes: number): number | undefined {
    const { segmentBytes } = this.#options
    if (this.#maxSegments === 0 || sizeBytes === removed || sizeBytes > segmentBytes / 8)
      return undefined
    const segment = this.#segmentWithRoom(sizeBytes)
    const row = this.#newRow()
    this.#segmentOf[row] = this.#current
    this.#uses[row] = 0
    this.#place(segment, row, sizeBytes)
    return row
  }

  /** The bytes themselves, to be used before the next `add`. */
  bytesOf(row: number): Buffer {
    const start = this.#starts[row]!
    return this.#segmentAt(row).bytes.subarray(start, start + this.#sizes[row]!)
  }

  /** What is used now and then is kept for longer. */
  use(row: number): void {
    if (this.#uses[row]! < maxUses) this.#uses[row]! += 1
  }

  /** The row may be another's from now on. */
  remove(row: number): void {
    this.#sizes[row] = removed
    this.#uses[row] = 0
    const segment = this.#segmentAt(row)
    if (segment.rows.at(-1) !== row) return
    segment.rows.pop()
    segment.endsAt = this.#starts[row]!
    this.#freeRows.push(row)
  }

  clear(): void {
    this.#segments.length = 0
    this.#freeRows.length = 0
    this.#rowCount = 0
    this.#current = -1
  }

  /** What all buffers take. */
  get heldBytes(): number {
    return this.#segments.length * this.#options.segmentBytes
  }

  #segmentAt(row: number): Segment {
    return this.#segments[this.#segmentOf[row]!]!
  }

  #newRow(): number {
    const free = this.#freeRows.pop()
    if (free !== undefined) return free
    const count = (this.#rowCount += 1)
    this.#segmentOf = grownTo(this.#segmentOf, count)
    this.#starts = grownTo(this.#starts, count)
    this.#sizes = grownTo(this.#sizes, count)
    this.#uses = grownTo(this.#uses, count)
    return count - 1
  }

  #segmentWithRoom(sizeBytes: number): Segment {
    const { segmentBytes } = this.#options
    const filled = this.#segments[this.#current]
    if (filled !== undefined && filled.endsAt + sizeBytes <= segmentBytes) return filled
    if (this.#segments.length < this.#maxSegments) {
      const added = { bytes: Buffer.allocUnsafeSlow(segmentBytes), rows: [], endsAt: 0 }
      this.#current = this.#segments.push(added) - 1
      return added
    }
    this.#current = (this.#current + 1) % this.#segments.length
    const oldest = this.#segments[this.#current]!
    this.#condense(oldest)
    return oldest
  }

  /** Moves what stays to the front. */
  #condense(segment: Segment): void {
    const former = segment.rows
    segment.rows = []
    segment.endsAt = 0
    for (const row of former) {
      const size = this.#sizes[row]!
      const fits = segment.endsAt + size <= this.#options.segmentBytes / 2
      if (this.#uses[row]! > 0 && fits) {
        this.#keepIn(segment, row)
        continue
      }
      if (size !== removed) this.#options.onGone(row)
      this.#freeRows.push(row)
    }
  }

  #keepIn(segment: Segment, row: number): void {
    const [start, size] = [this.#starts[row]!, this.#sizes[row]!]
    segment.bytes.copyWithin(segment.endsAt, start, start + size)
    this.#uses[row]! -= 1
    this.#place(segment, row, size)
  }

  #place(segment: Segment, row: number, size: number): void {
    this.#starts[row] = segment.endsAt
    this.#sizes[row] = size
    segment.endsAt += size
    segment.rows.push(row)
  }
}
