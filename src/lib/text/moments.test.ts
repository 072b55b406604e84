import { expect, test } from 'bun:test'

import { readMoment, readQueryMoment } from './moments.ts'

test('a moment has a date, a time and an offset', () => {
  expect(readMoment('2026-01-31T12:00:00Z')?.getTime()).toBe(Date.UTC(2026, 0, 31, 12))
  expect(readMoment('2026-01-31T12:00:00.5+01:30')?.getTime()).toBe(
    Date.UTC(2026, 0, 31, 10, 30, 0, 500),
  )
  for (const text of ['2026-01-31', '2026-01-31T12:00:00', '2026-13-31T12:00:00Z', 'now', '', '0'])
    expect(readMoment(text)).toBeUndefined()
  expect(readMoment(`2026-01-31T12:00:00.${'0'.repeat(40)}Z`)).toBeUndefined()
})

test('in a query the plus of an offset may have been read as a space', () => {
  expect(readQueryMoment('2026-01-31T12:00:00 01:00')?.getTime()).toBe(Date.UTC(2026, 0, 31, 11))
  expect(readQueryMoment('2026-01-31 12:00:00 01:00')).toEqual(
    readMoment('2026-01-31 12:00:00+01:00'),
  )
})
