import { expect, test } from 'bun:test'

import { packVector } from './packed-vectors.ts'
import { createVectorTable, type VectorTable } from './vector-table.ts'

const dimensions = 96
const seed = 7

function createRandomVectors(): () => Float32Array {
  let state = seed
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32 - 0.5
  }
  return () => {
    // All lean one way, as those of a model do.
    const vector = Float32Array.from(
      { length: dimensions },
      (_, place) => next() + (place % 3) * 0.1,
    )
    const length = Math.hypot(...vector)
    return vector.map((value) => value / length)
  }
}

const dot = (a: Float32Array, b: Float32Array) =>
  a.reduce((sum, value, place) => sum + value * (b[place] ?? 0), 0)

/** Which part of the ten nearest is among the two hundred that the table answers, over ten questions. */
function foundBy(table: VectorTable, vectors: readonly Float32Array[], random: () => Float32Array) {
  let found = 0
  for (let round = 0; round < 10; round += 1) {
    const query = random()
    const exact = [...vectors.keys()]
      .toSorted((a, b) => dot(query, vectors[b] ?? query) - dot(query, vectors[a] ?? query))
      .slice(0, 10)
    const near = new Set(table.nearest(query, 200, () => true))
    expect(near.size).toBe(200)
    found += exact.filter((row) => near.has(row)).length
  }
  return found / 100
}

test(`the bits find most of the ten nearest among six hundred (seed ${seed})`, async () => {
  const random = createRandomVectors()
  const vectors = Array.from({ length: 600 }, random)
  const table = createVectorTable(5_000)
  for (const [row, vector] of vectors.entries()) {
    table.set(row, packVector(vector))
    await table.centre()
  }

  expect(foundBy(table, vectors, random)).toBeGreaterThan(0.85)
})

test(`what is set while the mean is taken again is found by the new one (seed ${seed})`, async () => {
  const random = createRandomVectors()
  const vectors = Array.from({ length: 1_200 }, random)
  const table = createVectorTable(5_000)
  // Others at first, which lean the other way.
  for (const [row, vector] of vectors.entries())
    table.set(row, packVector(vector.map((part) => -part)))
  const centred = table.centre()
  for (const [row, vector] of vectors.entries()) table.set(row, packVector(vector))
  await centred
  const again = Array.from({ length: 1_200 }, random)
  for (const [index, vector] of again.entries()) table.set(1_200 + index, packVector(vector))
  await table.centre()

  expect(foundBy(table, [...vectors, ...again], random)).toBeGreaterThan(0.75)
})

test('packed vectors keep their cosines to a hundredth', () => {
  const random = createRandomVectors()
  const [a, b] = [random(), random()]
  const table = createVectorTable(10)
  table.set(3, packVector(a))

  expect(table.cosine(3, b)).toBeCloseTo(dot(a, b), 2)
  expect(table.has(2)).toBe(false)
})

test('only rows that are wanted and have a vector are near', () => {
  const random = createRandomVectors()
  const table = createVectorTable(100)
  for (const row of [1, 4, 9]) table.set(row, packVector(random()))

  expect(table.nearest(random(), 10, (row) => row !== 4)).toEqual([1, 9])
})

test('damaged vectors, and those there is no room for, are not taken', () => {
  const table = createVectorTable(10)
  const good = packVector(createRandomVectors()())
  table.set(1, good)

  expect(table.set(0, good.slice(1))).toBe(false)
  expect(table.set(0, new Uint8Array(dimensions + 4))).toBe(false)
  expect(table.set(0, new Uint8Array(dimensions + 4).fill(255))).toBe(false)
  expect(table.set(10, good)).toBe(false)
  expect(table.count).toBe(1)
})
