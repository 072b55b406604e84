import { expect, test } from 'bun:test'

import { nearestWord } from './nearest-word.ts'

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
