import { grownTo } from './grown-array.ts'

/** Small runs of bytes, each known by a row, in a few large buffers: what is kept of one is its bytes and ten more. */
export interface ByteSegments {
  /**
   * A row with room for so many bytes, of which nothing is known yet. Others may have to go for it. `undefined` for
   * more than an eighth of a segment.
   */
  add(sizeBytes: number): number | undefined
  /** The bytes themselves, to be used before the next `add`. */
  bytesOf(row: number): Buffer
  /** What is used now and then is kept for longer. */
  use(row: number): void
  /** The row may be another's from now on. */
  remove(row: number): void
  clear(): void
  /** What all buffers take. */
  readonly heldBytes: number
}

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

/**
 * Segments are filled one after the other. Once there are as many as there may be, the oldest is filled anew: what
 * has been used since it came there stays, up to a half of it.
 */
export function createByteSegments({ maxBytes, segmentBytes, onGone }: Options): ByteSegments {
  const maxSegments = Math.floor(maxBytes / segmentBytes)
  const segments: Segment[] = []
  const freeRows: number[] = []
  let current = -1
  let rowCount = 0
  let segmentOf = new Uint32Array(firstRows)
  let starts = new Uint32Array(firstRows)
  let sizes = new Uint32Array(firstRows)
  let uses = new Uint8Array(firstRows)

  function newRow(): number {
    const free = freeRows.pop()
    if (free !== undefined) return free
    rowCount += 1
    segmentOf = grownTo(segmentOf, rowCount)
    starts = grownTo(starts, rowCount)
    sizes = grownTo(sizes, rowCount)
    uses = grownTo(uses, rowCount)
    return rowCount - 1
  }

  function segmentWithRoom(sizeBytes: number): Segment {
    const filled = segments[current]
    if (filled !== undefined && filled.endsAt + sizeBytes <= segmentBytes) return filled
    if (segments.length < maxSegments) {
      current = segments.push({ bytes: newBuffer(segmentBytes), rows: [], endsAt: 0 }) - 1
      return segments[current]!
    }
    current = (current + 1) % segments.length
    const oldest = segments[current]!
    condense(oldest)
    return oldest
  }

  /** Moves what stays to the front. */
  function condense(segment: Segment): void {
    const former = segment.rows
    segment.rows = []
    segment.endsAt = 0
    for (const row of former) {
      const size = sizes[row]!
      const stays = uses[row]! > 0 && segment.endsAt + size <= segmentBytes / 2
      if (stays) keepIn(segment, row)
      else if (sizes[row] === removed) freeRows.push(row)
      else {
        onGone(row)
        freeRows.push(row)
      }
    }
  }

  function keepIn(segment: Segment, row: number): void {
    const [start, size] = [starts[row]!, sizes[row]!]
    segment.bytes.copyWithin(segment.endsAt, start, start + size)
    uses[row]! -= 1
    place(segment, row, size)
  }

  function place(segment: Segment, row: number, size: number): void {
    starts[row] = segment.endsAt
    sizes[row] = size
    segment.endsAt += size
    segment.rows.push(row)
  }

  return {
    add(sizeBytes) {
      if (maxSegments === 0 || sizeBytes === removed || sizeBytes > segmentBytes / 8)
        return undefined
      const segment = segmentWithRoom(sizeBytes)
      const row = newRow()
      segmentOf[row] = current
      uses[row] = 0
      place(segment, row, sizeBytes)
      return row
    },
    bytesOf(row) {
      const start = starts[row]!
      return segments[segmentOf[row]!]!.bytes.subarray(start, start + sizes[row]!)
    },
    use(row) {
      if (uses[row]! < maxUses) uses[row]! += 1
    },
    remove(row) {
      sizes[row] = removed
      uses[row] = 0
      const segment = segments[segmentOf[row]!]!
      if (segment.rows.at(-1) !== row) return
      segment.rows.pop()
      segment.endsAt = starts[row]!
      freeRows.push(row)
    },
    clear() {
      segments.length = 0
      freeRows.length = 0
      rowCount = 0
      current = -1
    },
    get heldBytes() {
      return segments.length * segmentBytes
    },
  }
}

/** The size of what is not there any more; its row is free once its segment is filled anew. */
const removed = 0

const newBuffer = (sizeBytes: number): Buffer => Buffer.allocUnsafeSlow(sizeBytes)
