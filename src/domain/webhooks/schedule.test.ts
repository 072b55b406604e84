import { expect, test } from 'bun:test'

import { delayAfter } from './schedule.ts'

const seconds = (random: number) =>
  Array.from({ length: 11 }, (_, failures) => {
    const delay = delayAfter(failures, () => random)
    return delay === undefined ? undefined : delay / 1000
  })

test('there are ten attempts, over about 76 hours', () => {
  const hour = 3600
  const expected = [0, 5, 300, 1800, 2, 5, 10, 14, 20, 24].map((each, place) =>
    place < 4 ? each : each * hour,
  )

  expect(seconds(0.5)).toEqual([...expected, undefined])
  const total = expected.reduce((sum, each) => sum + each, 0)
  expect(total / hour).toBeCloseTo(75.6, 1)
})

test('each pause is up to a tenth shorter or longer', () => {
  expect(seconds(0)[3]).toBe(1620)
  expect(seconds(0.999_999)[3]).toBeCloseTo(1980, 1)
})
