import { expect, test } from 'bun:test'

import { scaleTop } from './hour-chart.tsx'

test('the scale ends at a round number whose half is whole', () => {
  expect([0, 1, 3, 5, 11, 21, 99, 120, 41_000].map(scaleTop)).toEqual([
    2, 2, 4, 10, 20, 40, 100, 200, 100_000,
  ])
})
