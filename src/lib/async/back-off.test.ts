import { expect, test } from 'bun:test'

import fc from 'fast-check'

import { backOffMs } from './back-off.ts'

test('the wait doubles with each failure, up to the longest', () => {
  const waits = [0, 1, 2, 3, 4, 5_000].map((failures) =>
    backOffMs(failures, { firstMs: 100, longestMs: 500, random: 1 }),
  )
  expect(waits).toEqual([100, 100, 200, 400, 500, 500])
})

test('property: it is never longer, and never shorter by more than the spread', () => {
  const share = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
  fc.assert(
    fc.property(fc.nat(100), share, share, (failures, spread, random) => {
      const settings = { firstMs: 100, longestMs: 60_000, spread }
      const longest = backOffMs(failures, { ...settings, random: 1 })
      const waitMs = backOffMs(failures, { ...settings, random })
      expect(waitMs).toBeLessThanOrEqual(longest)
      expect(waitMs).toBeGreaterThanOrEqual(longest * (1 - spread))
    }),
  )
})
