import { expect, test } from 'bun:test'
import fc from 'fast-check'

import { greatest } from './greatest.ts'

const values = fc.array(fc.integer({ min: 0, max: 1_000 }), { maxLength: 60 })

test('as many as asked for are taken, and none that is left is greater', () => {
  fc.assert(
    fc.property(values, fc.nat(70), (thousandths, limit) => {
      const items = thousandths.map((_, place) => place)
      const valueOf = (item: number) => (thousandths[item] ?? 0) / 1_000
      const taken = greatest(items, limit, valueOf)
      const left = items.filter((item) => !taken.includes(item))

      expect(taken.length).toBe(Math.min(limit, items.length))
      expect(taken).toEqual(taken.toSorted((a, b) => a - b))
      expect(Math.max(-1, ...left.map(valueOf))).toBeLessThanOrEqual(
        Math.min(2, ...taken.map(valueOf)),
      )
    }),
  )
})

test('of equals the first are taken, and what is out of range is at its end', () => {
  expect(greatest([4, 5, 6, 7], 2, () => 0.5)).toEqual([4, 5])
  expect(greatest([1, 2, 3], 1, (item) => item * 100)).toEqual([1])
  expect(greatest([1, 2, 3], 2, (item) => -item)).toEqual([1, 2])
})
