import { expect, test } from 'bun:test'

import fc from 'fast-check'

import { keptDetailHourDays } from '../../ports/traffic/traffic-store.ts'
import { boundsOf, dayOf, periodBetween } from './period.ts'

const now = new Date('2026-11-20T10:20:00.000Z')
const between = (from: string, to: string) => periodBetween(new Date(from), new Date(to), now)
const day = (text: string) => dayOf(new Date(text))
const hour = (text: string) => Date.parse(text) / 3_600_000

test('a period is whole days and the hours at its ends', () => {
  expect(between('2026-11-16T22:00:00Z', '2026-11-19T03:30:00Z')).toEqual({
    fromDay: day('2026-11-17'),
    toDay: day('2026-11-18'),
    hours: [
      { fromHour: hour('2026-11-16T22:00Z'), toHour: hour('2026-11-17T00:00Z') },
      { fromHour: hour('2026-11-19T00:00Z'), toHour: hour('2026-11-19T04:00Z') },
    ],
  })
  expect(between('2026-11-18T02:00:00Z', '2026-11-18T03:00:00Z').hours).toEqual([
    { fromHour: hour('2026-11-18T02:00Z'), toHour: hour('2026-11-18T03:00Z') },
  ])
})

test('what reaches to now has all of today, or its hours until the end of today', () => {
  expect(between('2026-11-20T00:00:00Z', '2026-11-20T10:20:00Z')).toEqual({
    fromDay: day('2026-11-20'),
    toDay: day('2026-11-20'),
    hours: [],
  })
  const { hours } = between('2026-11-20T09:21:00Z', '2026-11-20T10:20:00Z')
  expect(hours).toEqual([
    { fromHour: hour('2026-11-20T09:00Z'), toHour: hour('2026-11-21T00:00Z') },
  ])
})

test('each hour counts once, and none that is kept is missing', () => {
  const hourMs = 3_600_000
  const present = now.getTime() / hourMs
  fc.assert(
    fc.property(fc.nat(60 * 24), fc.nat(60 * 24), (past, length) => {
      const from = Math.floor(present) - past
      const to = Math.min(Math.ceil(present), from + 1 + length)
      const found = periodBetween(new Date(from * hourMs), new Date(to * hourMs), now)
      const count = (each: number) =>
        Number(each >= found.fromDay * 24 && each < (found.toDay + 1) * 24) +
        (found.hours ?? []).filter(({ fromHour, toHour }) => each >= fromHour && each < toHour)
          .length
      const firstTold = (dayOf(now) - keptDetailHourDays + 1) * 24
      for (let each = from - 48; each < to + 48; each += 1) {
        const isIn = each >= from && each < to
        if (isIn) expect(count(each)).toBe(1)
        else if (each >= firstTold && each <= present) expect(count(each)).toBe(0)
      }
      const [first, end] = boundsOf(found)
      expect(+first).toBeLessThanOrEqual(from * hourMs)
      expect(+end).toBeGreaterThanOrEqual(to * hourMs)
    }),
  )
})
