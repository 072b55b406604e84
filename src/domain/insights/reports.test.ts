import { expect, test } from 'bun:test'

import { MemoryTrafficStore } from '../../adapters/memory/traffic/memory-traffic-store.ts'
import type { TrafficRow } from '../../ports/traffic/traffic-store.ts'
import { periodOf } from './period.ts'
import { createReports, hitRatio } from './reports.ts'

const now = new Date('2026-11-20T10:00:00.000Z')
const hour = Date.parse('2026-11-20T00:00:00Z') / 3_600_000

const row = (fields: Partial<TrafficRow>): TrafficRow => ({
  zone: 'akande',
  path: 'akande/v1/a',
  isAsset: true,
  status: 200,
  isHit: true,
  country: 'DE',
  requests: 1,
  bytes: 10,
  ...fields,
})

async function setUp() {
  const store = new MemoryTrafficStore()
  const beacons = [{ path: '/akande/v1/a', country: 'DE', isHit: true, requests: 4, bytes: 9 }]
  await store.record({
    process: 'p',
    number: 1,
    hour,
    beacons,
    rows: [
      row({ requests: 3 }),
      row({ country: 'XX', isHit: false }),
      row({ zone: 'aka', path: 'aka/v1/b', country: 'FR' }),
      row({ zone: '', path: 'x', status: 404, isAsset: false, isHit: false, country: 'US' }),
    ],
  })
  const yesterday = { process: 'p', number: 2, hour: hour - 1, beacons: [] }
  await store.record({ ...yesterday, rows: [row({ status: 416, requests: 2 })] })
  return createReports({ store, now: () => now })
}

const all = { days: 3, zone: undefined, zones: undefined }

test('every day of the period is there, oldest first', async () => {
  const { daily } = await (await setUp()).overview(all)

  const day = Math.floor(hour / 24)
  expect(daily.map((each) => [each.day, each.requests])).toEqual([
    [day - 2, 0],
    [day - 1, 2],
    [day, 6],
  ])
})

test('sums are of the zones that are asked for and may be seen', async () => {
  const reports = await setUp()
  const requests = async (scope: object) => (await reports.overview({ ...all, ...scope })).requests

  expect(await requests({})).toBe(8)
  expect(await requests({ zone: 'aka' })).toBe(1)
  expect(await requests({ zone: 'akande' })).toBe(6)
  expect(await requests({ zones: new Set(['aka']) })).toBe(1)
  expect(await requests({ zones: new Set(['aka', 'akande']) })).toBe(7)
  expect(await requests({ zone: 'akande', zones: new Set(['aka']) })).toBe(0)
  expect(await requests({ zones: new Set() })).toBe(0)
})

test('unknown countries are counted as requests and not as a country', async () => {
  const overview = await (await setUp()).overview({ ...all, zone: 'akande' })

  expect(overview.uniqueCountries).toBe(1)
  expect(overview.countries.map(({ country }) => country)).toEqual(['DE', 'XX'])
})

test('an asset’s report has its requests and errors by day', async () => {
  const report = await (await setUp()).asset([{ path: 'akande/v1/a' }], periodOf(2, now))

  expect(report).toMatchObject({
    requests: 6,
    errors: new Map([[416, 2]]),
    daily: [
      { requests: 2, errors: 2 },
      { requests: 4, errors: 0 },
    ],
  })
})

test('analytics go day by day, newest first, with beacons apart and only of zones in sight', async () => {
  const reports = await setUp()
  const [today, yesterday, ...before] = await reports.analytics(all)

  expect(today).toMatchObject({ requests: 6, hits: 4, beacons: [{ requests: 4 }] })
  expect(today?.topAssets[0]).toMatchObject({ path: 'akande/v1/a', requests: 4 })
  expect(yesterday).toMatchObject({ requests: 2, beacons: [] })
  expect(before).toHaveLength(1)
  const narrowed = await reports.analytics({ ...all, zones: new Set(['aka']) })
  expect(narrowed[0]).toMatchObject({ requests: 1, beacons: [] })
})

test('without traffic there is no hit ratio', () => {
  expect(hitRatio({ requests: 0, bytes: 0, hits: 0 })).toBeUndefined()
  expect(hitRatio({ requests: 4, bytes: 0, hits: 3 })).toBe(0.75)
})
