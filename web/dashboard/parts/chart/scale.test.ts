import { expect, test } from 'bun:test'

import { byteScaleTop, countScaleTop, scaleTop } from './scale.ts'

test('a scale ends at a round number that no bar is above', () => {
  expect([0.3, 1, 3, 41, 5_900].map(scaleTop)).toEqual([0.4, 1, 4, 100, 10_000])
  expect([0, 1, 3, 9].map(countScaleTop)).toEqual([2, 2, 4, 10])
  expect([0, 900, 3_000, 5_000_000].map(byteScaleTop)).toEqual([2, 1_000, 4_096, 10_485_760])
})
