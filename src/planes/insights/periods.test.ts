import { expect, test } from 'bun:test'

import { MemoryTrafficStore } from '../../adapters/memory/traffic/memory-traffic-store.ts'
import { createAssetSeries } from '../../domain/insights/asset-series.ts'
import { createReports } from '../../domain/insights/reports.ts'
import { createSeriesReports } from '../../domain/insights/series.ts'
import { createUsageReports } from '../../domain/insights/usage.ts'
import { createEventStreams } from '../../http/response/event-streams.ts'
import { testApp, testKeys } from '../../http/testing.ts'
import { insightsOperations } from './operations.ts'

const now = new Date('2026-11-20T10:20:30.000Z')
const hourMs = 3_600_000
const path = 'acme/v1/a.svg'

/** One request in each minute of the last sixty hours, and a missing path at each full hour. */
async function setUp() {
  const store = new MemoryTrafficStore()
  let number = 0
  const last = Math.floor(now.getTime() / 60_000)
  for (let minute = last - 60 * 60 + 1; minute <= last; minute += 1) {
    const row = { zone: 'acme', isHit: true, country: 'DE', requests: 1, bytes: 10 }
    const missing = { ...row, path: 'acme/v1/no.svg', isAsset: false, status: 404 }
    await store.record({
      process: 'p',
      number: (number += 1),
      hour: Math.floor(minute / 60),
      minute: minute % 60,
      rows: [{ ...row, path, isAsset: true, status: 200 }, ...(minute % 60 === 0 ? [missing] : [])],
      beacons: [],
      audience: [
        {
          zone: 'acme',
          latencies: [],
          referrers: [{ name: 'shop.example', requests: 1, bytes: 10 }],
          agents: [{ name: 'curl', requests: 1, bytes: 10 }],
          ownRequests: 2,
        },
      ],
    })
  }
  const dependencies = {
    reports: createReports({ store, now: () => now }),
    series: createSeriesReports({ store, now: () => now }),
    assetSeries: createAssetSeries({ store }),
    usage: createUsageReports({
      store: {
        zones: async () => [],
        days: async () => ({ before: { storedBytes: 0, files: 0 }, days: [] }),
        sums: async () => new Map(),
        zoneDays: async () => new Map(),
      },
    }),
    formerNames: { of: async () => [] },
    flushTraffic: async () => {},
    watchTraffic: () => ({ [Symbol.dispose]() {} }),
    eventStreams: createEventStreams(),
    now: () => now,
  }
  const app = testApp(
    insightsOperations.map((each) => each.endpoint(dependencies)),
    { now: () => now },
  )
  const ask = async (query: string) => {
    const url = `http://sedge.test/api/insights/${query}`
    const headers = { AccessKey: testKeys.access }
    return await app.fetch(new Request(url, { headers }), '192.0.2.1')
  }
  return { ask, json: async (query: string) => (await (await ask(query)).json()) as Answer }
}

interface Answer {
  readonly Period: { readonly FromTime: string; readonly ToTime: string; readonly Days: number }
  readonly Assets: readonly { readonly Requests: number }[]
  readonly Agents: readonly { readonly Requests: number }[]
  readonly Referrers: readonly { readonly Requests: number }[]
  readonly Countries: readonly { readonly Requests: number }[]
  readonly Errors: readonly { readonly Count: number }[]
  readonly Statuses: readonly { readonly StatusCode: number; readonly Requests: number }[]
  readonly LeftOut: number
  readonly Step: string | null
  readonly TotalRequests: number
  readonly Points: readonly {
    readonly From: string
    readonly Requests: number
    readonly Bytes: number
    readonly Errors: number | null
  }[]
}

const between = (from: string, to: string): string => `from=${from}&to=${to}`

test('lists are of the hours that are asked for, over midnight too', async () => {
  const { json } = await setUp()
  const period = between('2026-11-18T22:30:00Z', '2026-11-20T02:00:00Z')
  const minutes = 28 * 60
  expect((await json(`top-assets?${period}`)).Assets[0]?.Requests).toBe(minutes)
  expect((await json(`agents?${period}`)).Agents[0]?.Requests).toBe(minutes)
  expect((await json(`referrers?${period}&zone=acme`)).Referrers[0]?.Requests).toBe(minutes)
  expect((await json(`geography?${period}`)).Countries[0]?.Requests).toBe(minutes + 28)
  expect((await json(`errors?${period}`)).Errors).toMatchObject([{ Count: 28 }])
  const { Statuses, LeftOut, Period } = await json(`statuses?${period}`)
  expect(Statuses.map(({ StatusCode, Requests }) => [StatusCode, Requests])).toEqual([
    [200, minutes],
    [404, 28],
  ])
  expect(LeftOut).toBe(2 * minutes)
  expect(Period).toMatchObject({
    Days: 3,
    FromTime: '2026-11-18T22:00:00.000Z',
    ToTime: '2026-11-20T02:00:00.000Z',
  })
})

test('dates are whole days, the last one among them', async () => {
  const { json } = await setUp()
  const { Assets, Period } = await json(`top-assets?${between('2026-11-19', '2026-11-19')}`)
  expect(Assets[0]?.Requests).toBe(24 * 60)
  expect(Period).toMatchObject({ Days: 1, ToTime: '2026-11-20T00:00:00.000Z' })
  expect((await json('top-assets?days=1')).Assets[0]?.Requests).toBe(10 * 60 + 21)
})

test('an asset’s requests are told by minute, hour and day, as text too', async () => {
  const { ask, json } = await setUp()
  const asset = `asset?path=${path}`
  const minutes = await json(`${asset}&period=1h`)
  expect(minutes.Step).toBe('minute')
  expect(minutes.Points).toHaveLength(60)
  expect(minutes.Points.every(({ Requests, Errors }) => Requests === 1 && Errors === null)).toBe(
    true,
  )
  const hours = await json(`${asset}&period=24h&step=hour`)
  expect(hours.Points).toHaveLength(24)
  expect(hours.Points[0]).toEqual({
    From: '2026-11-19T11:00:00.000Z',
    Requests: 60,
    Bytes: 600,
    Errors: 0,
  })
  const days = await json(`${asset}&step=day&days=2&timeZone=Asia/Kolkata`)
  expect(days.Points.map(({ From }) => From)).toEqual(
    ['18', '19', '20'].map((day) => `2026-11-${day}T19:00:00.000Z`).slice(0, days.Points.length),
  )
  const missing = await json('asset?path=acme/v1/no.svg&period=24h')
  expect(missing.Points[0]).toMatchObject({ Requests: 1, Errors: 1 })
  expect((await json(`${asset}&days=2`)).Points).toBeNull()

  const csv = await ask(`${asset}&period=24h&format=csv`)
  expect(csv.headers.get('content-type')).toContain('text/csv')
  const lines = (await csv.text()).trim().split('\r\n')
  expect([lines[0], lines.length]).toEqual(['From,Requests,Bytes,Errors', 25])
  expect(await (await ask(`${asset}&days=2&format=csv`)).text()).toStartWith('Date,Requests')
})

test('what is not kept, too fine or backwards is refused', async () => {
  const { ask } = await setUp()
  const from = new Date(now.getTime() - 60 * hourMs).toISOString()
  for (const query of [
    `asset?path=${path}&step=minute&from=${from}&to=${new Date(now.getTime() - 59 * hourMs).toISOString()}`,
    `asset?path=${path}&step=minute&days=2`,
    `asset?path=${path}&period=1y`,
    `top-assets?${between('2026-11-20T02:00:00Z', '2026-11-20T02:00:00Z')}`,
    `top-assets?${between('2026-01-01T00:00:00Z', '2026-11-20T02:00:00Z')}`,
    'top-assets?from=yesterday',
  ])
    expect({ query, status: (await ask(query)).status }).toEqual({ query, status: 400 })
})
