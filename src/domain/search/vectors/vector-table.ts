import { takeTurns } from '../../../lib/async/turns.ts'
import { grownTo } from '../../../lib/collections/grown-array.ts'
import { bytesBesideParts, createPackedVectors } from './packed-vectors.ts'

export interface VectorTable {
  readonly count: number
  has(row: number): boolean
  /** Answers whether it was taken: what is damaged, or beyond the room, is not. */
  set(row: number, packed: Uint8Array): boolean
  /**
   * To be awaited after some were set: the mean of few says little of many, so it is taken again each time there are
   * twice as many, in turns.
   */
  centre(): Promise<void>
  /** Of the vector in a row with `query`, which has length 1. */
  cosine(row: number, query: Float32Array): number
  /** About the nearest of the rows that are wanted, at most `limit`, in no order. */
  nearest(query: Float32Array, limit: number, isWanted: (row: number) => boolean): readonly number[]
}

/** From so many vectors on, their mean is not taken again. */
const steadyCount = 20_000
const rowsPerTurn = 500

/** A table of vectors that have as many parts as the first one. */
export function createVectorTable(maxRows: number): VectorTable {
  let dimensions = 0
  let table: VectorTable | undefined

  return {
    get count() {
      return table?.count ?? 0
    },
    has: (row) => table?.has(row) ?? false,
    cosine: (row, query) => (query.length === dimensions ? (table?.cosine(row, query) ?? 0) : 0),
    set(row, packed) {
      if (table !== undefined && table.count > 0) return table.set(row, packed)
      dimensions = Math.max(0, packed.length - bytesBesideParts)
      table = createSizedTable(dimensions, maxRows)
      return table.set(row, packed)
    },
    centre: async () => await table?.centre(),
    nearest: (query, limit, isWanted) =>
      query.length === dimensions ? (table?.nearest(query, limit, isWanted) ?? []) : [],
  }
}

/**
 * Vectors by row: one bit a part to find about the nearest by, one byte a part to compare those. The
 * bits say on which side of the mean a part lies, because the parts of all vectors lean one way.
 */
function createSizedTable(dimensions: number, maxRows: number): VectorTable {
  const vectors = createPackedVectors(dimensions, maxRows)
  const sums = new Float64Array(dimensions)
  let codes = createCodes(new Float32Array(dimensions))
  /** Those that are to take their place, while they are made. */
  let next: Codes | undefined
  let nextMeanAt = 64

  function add(row: number, sign: 1 | -1): void {
    for (let place = 0; place < dimensions; place += 1)
      sums[place] = (sums[place] ?? 0) + sign * vectors.part(row, place)
  }

  const encode = (row: number, into: Codes): void =>
    into.set(row, (place) => vectors.part(row, place))

  return {
    get count() {
      return vectors.count
    },
    has: (row) => vectors.has(row),
    cosine: (row, query) => vectors.dot(row, query),
    set(row, packed) {
      if (vectors.has(row)) add(row, -1)
      const isTaken = vectors.set(row, packed)
      if (vectors.has(row)) add(row, 1)
      if (!isTaken) return false
      encode(row, codes)
      if (next) encode(row, next)
      return true
    },
    async centre() {
      if (vectors.count < nextMeanAt || next !== undefined) return
      nextMeanAt = vectors.count < steadyCount ? vectors.count * 2 : Infinity
      const turns = takeTurns(rowsPerTurn)
      next = createCodes(Float32Array.from(sums, (each) => each / vectors.count))
      for (let row = 0; row < vectors.end; row += 1) {
        if (vectors.has(row)) encode(row, next)
        await turns.after(1)
      }
      codes = next
      next = undefined
    },
    nearest(query, limit, isWanted) {
      const code = codes.of((place) => query[place] ?? 0)
      const distances = new Uint16Array(vectors.end).fill(dimensions + 1)
      const countByDistance = new Uint32Array(dimensions + 2)
      for (let row = 0; row < vectors.end; row += 1) {
        if (!vectors.has(row) || !isWanted(row)) continue
        const distance = codes.differingBits(row, code)
        distances[row] = distance
        countByDistance[distance] = (countByDistance[distance] ?? 0) + 1
      }
      return rowsWithin(distances, radiusOf(countByDistance, limit), limit)
    },
  }
}

type Parts = (place: number) => number

interface Codes {
  of(part: Parts): Uint32Array
  set(row: number, part: Parts): void
  /** Between the code of a row and another. */
  differingBits(row: number, code: Uint32Array): number
}

/** By row, on which side of a mean each part lies. */
function createCodes(mean: Float32Array): Codes {
  const wordsPerCode = Math.ceil(mean.length / 32)
  let words = new Uint32Array(0)

  function of(part: Parts): Uint32Array {
    const code = new Uint32Array(wordsPerCode)
    for (let place = 0; place < mean.length; place += 1)
      if (part(place) > (mean[place] ?? 0))
        code[place >> 5] = (code[place >> 5] ?? 0) | (1 << (place & 31))
    return code
  }

  return {
    of,
    set(row, part) {
      words = grownTo(words, (row + 1) * wordsPerCode)
      words.set(of(part), row * wordsPerCode)
    },
    differingBits(row, code) {
      const start = row * wordsPerCode
      let distance = 0
      for (let word = 0; word < code.length; word += 1)
        distance += bitCount((words[start + word] ?? 0) ^ (code[word] ?? 0))
      return distance
    },
  }
}

/** The greatest distance at which not more than `limit` are closer. */
function radiusOf(countByDistance: Uint32Array, limit: number): number {
  let seen = 0
  for (let distance = 0; distance < countByDistance.length - 1; distance += 1) {
    seen += countByDistance[distance] ?? 0
    if (seen >= limit) return distance
  }
  return countByDistance.length - 2
}

function rowsWithin(distances: Uint16Array, radius: number, limit: number): readonly number[] {
  const inside: number[] = []
  const onEdge: number[] = []
  for (let row = 0; row < distances.length; row += 1) {
    const distance = distances[row] ?? Infinity
    if (distance < radius) inside.push(row)
    else if (distance === radius && onEdge.length < limit) onEdge.push(row)
  }
  return [...inside, ...onEdge].slice(0, limit)
}

function bitCount(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555)
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
