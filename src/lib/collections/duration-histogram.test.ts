import { expect, test } from 'bun:test'
import fc from 'fast-check'

import {
  addHistograms,
  bucketOf,
  durationAt,
  durationOf,
  histogramError,
  lastBucket,
} from './duration-histogram.ts'

const histogramOf = (durations: readonly number[]) =>
  addHistograms(durations.map((duration) => [[bucketOf(duration), 1] as const]))

const duration = fc.double({ min: 0.001, max: 100_000, noNaN: true })

test('a percentile is off by no more than the error that is promised, in parts or in sum', () => {
  fc.assert(
    fc.property(
      fc.array(duration, { minLength: 1, maxLength: 40 }),
      fc.array(duration, { maxLength: 40 }),
      fc.constantFrom(0.5, 0.95, 0.99, 1),
      (some, others, share) => {
        const sorted = [...some, ...others].toSorted((a, b) => a - b)
        const exact = sorted[Math.ceil(sorted.length * share) - 1] ?? 0
        const read = durationAt(addHistograms([histogramOf(some), histogramOf(others)]), share) ?? 0
        const error = Math.max(read / exact, exact / read) - 1
        expect(error).toBeLessThanOrEqual(histogramError + 1e-9)
      },
    ),
  )
})

test('what is beyond the buckets counts in the first or last, and of nothing there is no percentile', () => {
  expect([bucketOf(0), bucketOf(-1), bucketOf(1e-9)]).toEqual([0, 0, 0])
  expect([bucketOf(1e9), bucketOf(Infinity)]).toEqual([lastBucket, lastBucket])
  expect(bucketOf(Number.NaN)).toBe(0)
  expect(durationOf(0)).toBe(0.001)
  expect(durationAt(new Map(), 0.5)).toBeUndefined()
})
