/** A packed vector is so much longer than it has parts. */
export const bytesBesideParts = 4

/** A vector as it is kept: each part as one byte of `scale`, the scale as a float at the end. */
export function packVector(vector: Float32Array): Uint8Array {
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1
  const packed = new Uint8Array(vector.length + bytesBesideParts)
  const view = new DataView(packed.buffer)
  for (const [place, value] of vector.entries())
    view.setInt8(place, Math.round((value / largest) * 127))
  view.setFloat32(vector.length, largest / 127, true)
  return packed
}

/** The vector that was packed, about as it was. */
export function unpackVector(packed: Uint8Array): Float32Array {
  const parts = new Int8Array(packed.buffer, packed.byteOffset, packed.length - bytesBesideParts)
  const view = new DataView(packed.buffer, packed.byteOffset)
  const scale = view.getFloat32(parts.length, true)
  return Float32Array.from(parts, (part) => part * scale)
}

/** Packed vectors by row. */
export interface PackedVectors {
  readonly count: number
  /** One past the last row that has a vector. */
  readonly end: number
  has(row: number): boolean
  /** Answers whether it was taken: what is damaged, or beyond the room, is not. */
  set(row: number, packed: Uint8Array): boolean
  /** Product with `query`; the cosine, where both have length 1. */
  dot(row: number, query: Float32Array): number
  part(row: number, place: number): number
}

const firstRows = 256

export function createPackedVectors(dimensions: number, maxRows: number): PackedVectors {
  let rows = 0
  let values = new Int8Array(0)
  let scales = new Float32Array(0)
  let count = 0
  let end = 0

  function grow(row: number): void {
    if (row < rows) return
    rows = Math.min(maxRows, Math.max(firstRows, 2 ** Math.ceil(Math.log2(row + 1))))
    const [oldValues, oldScales] = [values, scales]
    values = new Int8Array(rows * dimensions)
    scales = new Float32Array(rows)
    values.set(oldValues)
    scales.set(oldScales)
  }

  const has = (row: number): boolean => (scales[row] ?? 0) > 0
  return {
    get count() {
      return count
    },
    get end() {
      return end
    },
    has,
    set(row, packed) {
      if (row >= maxRows || packed.length !== dimensions + bytesBesideParts) return false
      const scale = new DataView(packed.buffer, packed.byteOffset).getFloat32(dimensions, true)
      if (!(scale > 0 && scale < 1)) return false
      grow(row)
      if (!has(row)) count += 1
      values.set(new Int8Array(packed.buffer, packed.byteOffset, dimensions), row * dimensions)
      scales[row] = scale
      end = Math.max(end, row + 1)
      return true
    },
    dot(row, query) {
      let sum = 0
      const start = row * dimensions
      for (let place = 0; place < dimensions; place += 1)
        sum += (values[start + place] ?? 0) * (query[place] ?? 0)
      return sum * (scales[row] ?? 0)
    },
    part: (row, place) => (values[row * dimensions + place] ?? 0) * (scales[row] ?? 0),
  }
}
