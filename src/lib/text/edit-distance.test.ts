import { expect, test } from 'bun:test'
import fc from 'fast-check'

import { editDistance, nearestWord } from './edit-distance.ts'

for (const [a, b, distance] of [
  ['', '', 0],
  ['sync', 'sync', 0],
  ['', 'abc', 3],
  ['zone', 'zones', 1],
  ['webhoks', 'webhooks', 1],
  ['snyc', 'sync', 1],
  ['kitten', 'sitting', 3],
  // No letter of a swapped pair is touched again: without that rule it would be 2.
  ['ca', 'abc', 3],
] as const)
  test(`"${a}" and "${b}" are ${distance} apart`, () => {
    expect(editDistance(a, b)).toBe(distance)
  })

test('property: it is the same both ways, 0 for the same text alone, and never above the longer', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 })
  fc.assert(
    fc.property(word, word, (a, b) => {
      const distance = editDistance(a, b)
      expect(distance).toBe(editDistance(b, a))
      expect(distance === 0).toBe(a === b)
      expect(distance).toBeLessThanOrEqual(Math.max(a.length, b.length))
    }),
  )
})

const words = ['sync', 'sign', 'zones', 'webhooks', 'ls']

for (const [slip, meant] of [
  ['snyc', 'sync'],
  ['zone', 'zones'],
  ['webhoks', 'webhooks'],
  ['sl', 'ls'],
  ['sync', 'sync'],
] as const)
  test(`"${slip}" is taken for "${meant}"`, () => {
    expect(nearestWord(slip, words)).toBe(meant)
  })

test('what resembles nothing is taken for nothing', () => {
  expect(nearestWord('frobnicate', words)).toBeUndefined()
  expect(nearestWord('', words)).toBeUndefined()
})
