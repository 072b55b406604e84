import { expect, test } from 'bun:test'
import * as fc from 'fast-check'

import { retryInMs, recheckInMs, renewAt } from './schedule.ts'

const dayMs = 86_400_000
const day = (number: number) => new Date(number * dayMs)
const certificate = { from: day(0), until: day(90) }
const shares = fc.double({ min: 0, max: 0.999, noNaN: true })

test('for a month a name is looked up at least every minute, then every hour', () => {
  expect(recheckInMs(0)).toBe(2_000)
  for (const ageMs of [0, 600_000, 3_600_000, 29 * dayMs])
    expect(recheckInMs(ageMs)).toBeLessThanOrEqual(45_000)
  expect(recheckInMs(31 * dayMs)).toBe(3_600_000)
  // A clock that was set back makes nobody wait.
  expect(recheckInMs(-dayMs)).toBe(2_000)
})

test('failures are answered with longer and longer waits, up to twelve hours', () => {
  const waits = [1, 2, 3, 4].map((failures) => retryInMs(failures, { random: 1 }))
  expect(waits).toEqual([5_000, 10_000, 20_000, 40_000])
  expect(retryInMs(1_000, { random: 1 })).toBe(12 * 3_600_000)
})

test('an authority is never asked earlier than it said', () => {
  fc.assert(
    fc.property(fc.nat(50), fc.nat(10 ** 9), shares, (failures, retryAfterMs, random) => {
      const waitMs = retryInMs(failures, { retryAfterMs, random })
      expect(waitMs).toBeGreaterThanOrEqual(Math.max(retryAfterMs, 3_750))
    }),
  )
})

test('a certificate is renewed with a third of its life left, and not all at one moment', () => {
  fc.assert(
    fc.property(shares, (random) => {
      const at = renewAt(certificate, { random })
      expect(at >= day(57) && at <= day(60)).toBe(true)
    }),
  )
})

test('the window that an authority suggests counts, unless it is upside down', () => {
  const window = { start: day(10), end: day(12) }
  expect(renewAt(certificate, { window, random: 0.5 })).toEqual(day(11))
  const wrong = { start: day(12), end: day(10) }
  expect(renewAt(certificate, { window: wrong, random: 0 })).toEqual(day(57))
})

test('no window has certificates ordered one after another, or renewed at the last moment', () => {
  const past = { start: day(-3), end: day(-2) }
  expect(renewAt(certificate, { window: past, random: 0.5 })).toEqual(
    new Date(day(0).getTime() + 3_600_000),
  )
  const wide = { start: day(-100), end: day(300) }
  expect(renewAt(certificate, { window: wide, random: 1 })).toEqual(day(81))
})
