import { expect, test } from 'bun:test'

import { dateText } from '../../../domain/insights/period.ts'
import { usageMetrics } from './usage-metrics.ts'
import { perPageWithin, usagePeriodOf } from './usage-query.ts'

const now = new Date('2027-02-03T12:00:00Z')

const datesOf = (query: Partial<Parameters<typeof usagePeriodOf>[0]>) => {
  const { fromDay, toDay } = usagePeriodOf({ days: 0, ...query }, now)
  return [dateText(fromDay), dateText(toDay)]
}

test('a period is a month, days until today, or named days, and never goes beyond today', () => {
  expect(datesOf({})).toEqual(['2027-02-01', '2027-02-03'])
  expect(datesOf({ month: '2026-12' })).toEqual(['2026-12-01', '2026-12-31'])
  expect(datesOf({ days: 3 })).toEqual(['2027-02-01', '2027-02-03'])
  expect(datesOf({ days: 397 })).toEqual(['2026-02-01', '2027-02-03'])
  expect(datesOf({ from: '2027-01-30', to: '2027-01-31' })).toEqual(['2027-01-30', '2027-01-31'])
  expect(datesOf({ from: '2027-01-30' })).toEqual(['2027-01-30', '2027-02-03'])
  expect(datesOf({ from: '2027-01-30', to: '2027-12-31' })).toEqual(['2027-01-30', '2027-02-03'])
})

test('13 months can be asked for, and neither more nor what is to come', () => {
  expect(datesOf({ month: '2026-02' })).toEqual(['2026-02-01', '2026-02-28'])
  for (const query of [
    { month: '2026-01' },
    { month: '2027-03' },
    { from: '2026-01-31' },
    { from: '2027-02-04' },
    { from: '2027-01-02', to: '2027-01-01' },
    { to: '2027-01-01' },
  ])
    expect(() => datesOf(query)).toThrow()
})

test('a page of a long period has fewer zones', () => {
  expect(perPageWithin(1_000, { fromDay: 1, toDay: 1 })).toBe(1_000)
  expect(perPageWithin(1_000, { fromDay: 1, toDay: 397 })).toBe(50)
})

test('gauges are named in snake case, and no name of a zone ends its label', () => {
  const text = usageMetrics([
    { zone: 'a"b\\c\n', totals: { ...nothing, storedBytes: 7 }, daily: [] },
  ])
  expect(text).toContain('# TYPE sedge_usage_stored_bytes gauge\n')
  expect(text).toContain('sedge_usage_stored_bytes{zone="a\\"b\\\\c\\n"} 7\n')
  expect(text).toContain('sedge_usage_ai_calls{')
})

const nothing = {
  requests: 0,
  bytes: 0,
  hits: 0,
  transforms: 0,
  transformsMade: 0,
  uploads: 0,
  uploadedBytes: 0,
  visionCalls: 0,
  chatCalls: 0,
  embeddingCalls: 0,
  storedBytes: 0,
  files: 0,
  storedByteDays: 0,
}
