import { expect, test } from 'bun:test'

import fc from 'fast-check'

import { MemoryTrafficStore } from '../../adapters/memory/traffic/memory-traffic-store.ts'
import type { TrafficRow } from '../../ports/traffic/traffic-store.ts'
import { dayStarts, isTimeZone } from './local-time.ts'
import { createSeriesReports, firstKept } from './series.ts'

const now = new Date('2026-11-20T10:30:30.000Z')
const minuteOf = (text: string): number => Date.parse(text) / 60_000

const row = (fields: Partial<TrafficRow> = {}): TrafficRow => ({
  zone: 'acme',
  path: 'acme/v1/a',
  isAsset: true,
  status: 200,
  isHit: true,
  country: 'DE',
  requests: 1,
  bytes: 10,
  ...fields,
})

function setUp() {
  const store = new MemoryTrafficStore()
  let number = 0
  const count = async (at: number, fields: Partial<TrafficRow> = {}) => {
    number += 1
    const latencies = [[number % 9, 1]] as const
    const audience = [{ zone: 'acme', latencies, referrers: [], agents: [] }]
    const when = { hour: Math.floor(at / 60), minute: at % 60 }
    await store.record({
      process: 'p',
      number,
      ...when,
      rows: [row(fields)],
      beacons: [],
      audience,
    })
  }
  return { count, series: createSeriesReports({ store, now: () => now }) }
}

const utc = { timeZone: 'UTC', zones: undefined }

test('minutes, hours and days are told each, also those without traffic', async () => {
  const { count, series } = setUp()
  await count(minuteOf('2026-11-20T10:28Z'))
  await count(minuteOf('2026-11-20T10:30Z'), { requests: 4 })
  const from = new Date('2026-11-20T10:27:10Z')
  const minutes = await series({ ...utc, step: 'minute', from, to: now })
  expect(minutes.bars.map(({ requests }) => requests)).toEqual([0, 1, 0, 4])
  expect(minutes.from.toISOString()).toBe('2026-11-20T10:27:00.000Z')
  expect(minutes.to.toISOString()).toBe('2026-11-20T10:31:00.000Z')
  expect(minutes.totals).toMatchObject({ requests: 5, bytes: 20, hits: 5, status2xx: 5 })
  expect((await series({ ...utc, step: 'hour', from, to: now })).bars).toHaveLength(1)
  const days = await series({ ...utc, step: 'day', from, to: now })
  expect(days.bars.map((bar) => [bar.from.toISOString(), bar.requests])).toEqual([
    ['2026-11-20T00:00:00.000Z', 5],
  ])
})

test('the time before is as long, and its last step is counted as far as that of now', async () => {
  const { count, series } = setUp()
  await count(minuteOf('2026-11-19T09:00Z'), { requests: 2 })
  await count(minuteOf('2026-11-19T11:00Z'), { requests: 40 })
  await count(minuteOf('2026-11-20T01:00Z'), { requests: 3 })
  const from = new Date('2026-11-20T00:00Z')
  const { totals, former } = await series({ ...utc, step: 'day', from, to: now })
  expect(totals.requests).toBe(3)
  expect(former?.totals.requests).toBe(2)
  expect(former?.from.toISOString()).toBe('2026-11-19T00:00:00.000Z')
  const past = { step: 'day', from: new Date('2026-11-19T00:00Z'), to: from } as const
  expect((await series({ ...utc, ...past })).totals.requests).toBe(42)
  const [older] = [
    await series({ ...utc, step: 'minute', from: firstKept('minute', now), to: from }),
  ]
  expect(older.former).toBeUndefined()
})

test('days begin at midnight of the time zone, also where clocks are changed', async () => {
  const { count, series } = setUp()
  await count(minuteOf('2026-10-24T22:30Z'), { requests: 5 })
  await count(minuteOf('2026-10-25T22:30Z'), { requests: 7 })
  const { bars } = await series({
    step: 'day',
    timeZone: 'Europe/Berlin',
    zones: undefined,
    from: new Date('2026-10-24T22:00Z'),
    to: new Date('2026-10-26T00:00Z'),
  })
  expect(bars.map((bar) => [bar.from.toISOString(), bar.requests])).toEqual([
    ['2026-10-24T22:00:00.000Z', 12],
    ['2026-10-25T23:00:00.000Z', 0],
  ])
  const kolkata = dayStarts(0, 24, 'Asia/Kolkata')
  expect(kolkata).toEqual([-5, 19, 43])
  expect(isTimeZone('Europe/Berlin')).toBeTrue()
  for (const name of ['', 'Mars/Olympus', 'x'.repeat(100)]) expect(isTimeZone(name)).toBeFalse()
})

test('however the time is cut, its parts come to the same sum', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.integer({ min: 0, max: 360 }), fc.integer({ min: 1, max: 999 }))),
      fc.constantFrom('UTC', 'Europe/Berlin', 'America/St_Johns', 'Asia/Kathmandu'),
      async (hits, timeZone) => {
        const { count, series } = setUp()
        const first = minuteOf('2026-11-20T04:30Z')
        for (const [minute, bytes] of hits) await count(first + minute, { bytes })
        const sum = hits.reduce((total, [, bytes]) => total + bytes, 0)
        const from = new Date(first * 60_000)
        for (const step of ['minute', 'hour', 'day'] as const) {
          const { totals, bars } = await series({ step, timeZone, from, to: now, zones: undefined })
          expect(totals).toMatchObject({ requests: hits.length, bytes: sum })
          expect(bars.reduce((total, { bytes }) => total + bytes, 0)).toBe(sum)
        }
      },
    ),
    { numRuns: 30 },
  )
})
