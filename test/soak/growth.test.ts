import { expect, test } from 'bun:test'

import { growthByWork, growthOf } from './growth.ts'

const samples = (valueAt: (place: number) => number) =>
  Array.from({ length: 240 }, (_, place) => valueAt(place))

test('what fills in the first third and then stays has not grown', () => {
  expect(growthOf(samples((place) => Math.min(place, 70)))).toBe(0)
})

test('what grows by a little with each sample is seen through the saw of a collector', () => {
  const saw = (place: number) => (place % 7) * 10
  const growth = growthOf(samples((place) => 1_000 + place / 2 + saw(place)))

  expect(growth).toBeGreaterThan(0.05)
  expect(growth).toBeLessThan(0.09)
  expect(Math.abs(growthOf(samples((place) => 1_000 + saw(place))))).toBeLessThan(0.01)
})

test('one high sample is no growth', () => {
  expect(growthOf(samples((place) => (place === 230 ? 9_000 : 1_000)))).toBe(0)
})

test('nothing at all has not grown', () => {
  expect(growthOf([])).toBe(0)
  expect(growthOf(samples(() => 0))).toBe(0)
})

test('what grows with the work is told for each piece of it', () => {
  const work = samples((place) => place * 2)

  const [second, last] = growthByWork(
    samples((place) => place * 6),
    work,
  )
  expect([second, last]).toEqual([3, 3])
  expect(growthByWork([1, 2], [0, 0])).toEqual([0, 0])
})
