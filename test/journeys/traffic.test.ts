import { expect, test } from 'bun:test'
import { join } from 'node:path'

import { createRandom, seedOf } from '../support/random.ts'
import {
  access,
  account,
  type ServiceProcess,
  startService,
  temporaryDirectory,
  testKeys,
} from '../support/service-process.ts'
import { type Sums, TrafficLedger } from '../support/traffic-ledger.ts'
import { storeAssets, visit, zones } from '../support/traffic-replay.ts'

const requestCount = Number(process.env['SEDGE_TRAFFIC_REQUESTS'] ?? 8_000)
const clientCount = 8

interface CountryRow {
  readonly CountryCode: string
  readonly Requests: number
}

interface Summary {
  readonly TotalRequests: number
  readonly TotalBandwidthBytes: number
  readonly CacheHitRate: string
  readonly UniqueCountries: number
}

interface Statistics {
  readonly Summary: Summary & { readonly TotalBandwidth: number }
  readonly Daily: readonly {
    readonly Date: string
    readonly TotalRequests: number
    readonly Bandwidth: number
    readonly CacheHit: number
  }[]
  readonly GeoDistribution: readonly CountryRow[]
}

interface TopAssets {
  readonly Assets: readonly { readonly Path: string; Requests: number; Bytes: number }[]
}

interface Geography {
  readonly Countries: readonly CountryRow[]
}

interface Errors {
  readonly Errors: readonly { readonly StatusCode: number; readonly Count: number }[]
}

interface Analytics {
  readonly data: readonly {
    readonly date: string
    readonly hits: number
    readonly bandwidth: { readonly bytes: number }
    readonly cache: { readonly hit: number }
  }[]
}

interface SeriesSums {
  readonly Requests: number
  readonly Bytes: number
  readonly CacheHit: number
  readonly Status: Readonly<Record<string, number>>
}

interface Series {
  readonly Totals: SeriesSums
  readonly Points: readonly SeriesSums[]
}

interface Usage {
  readonly Totals: Partial<SeriesSums>
  readonly Zones: readonly { readonly Zone: string; readonly Totals: Partial<SeriesSums> }[]
}

interface Names {
  readonly Referrers?: readonly { readonly Requests: number; readonly Bytes: number }[]
  readonly Agents?: readonly { readonly Requests: number; readonly Bytes: number }[]
  readonly Others: { readonly Requests: number; readonly Bytes: number }
}

/** However the time is cut, and whoever asked: the same sums to the byte. */
async function compareSeries({ url }: ServiceProcess, zone: string, sums: Sums): Promise<void> {
  const read = async (path: string) =>
    await (await fetch(`${url}/api/insights/${path}&zone=${zone}`, { headers: access })).json()
  for (const cut of [
    'period=1h',
    'period=24h',
    'period=7d&step=day&timeZone=Asia/Kolkata',
    'period=7d&step=hour&timeZone=America/New_York',
    'period=90d',
  ]) {
    const { Totals: totals, Points: points } = (await read(`series?${cut}`)) as Series
    const total = (of: (each: SeriesSums) => number) => sum(points.map(of))
    const expected = {
      cut,
      requests: sums.requests,
      bytes: sums.bytes,
      hits: sums.hits,
      statuses: classesOf(sums),
    }
    expect({
      cut,
      requests: totals.Requests,
      bytes: totals.Bytes,
      hits: totals.CacheHit,
      statuses: totals.Status,
    }).toEqual(expected)
    expect({
      cut,
      requests: total((each) => each.Requests),
      bytes: total((each) => each.Bytes),
      hits: total((each) => each.CacheHit),
      statuses: Object.fromEntries(
        Object.keys(totals.Status).map((name) => [name, total((each) => each.Status[name] ?? 0)]),
      ),
    }).toEqual(expected)
  }
  for (const kind of ['referrers', 'agents']) {
    const { Referrers = [], Agents = [], Others } = (await read(`${kind}?days=2`)) as Names
    const rows = [...Referrers, ...Agents, Others]
    expect({
      kind,
      requests: sum(rows.map(({ Requests: requests }) => requests)),
      bytes: sum(rows.map(({ Bytes: bytes }) => bytes)),
    }).toEqual({ kind, requests: sums.requests, bytes: sums.bytes })
  }
}

function classesOf({ statuses }: Sums): Record<string, number> {
  const classes: Record<string, number> = { '2xx': 0, '3xx': 0, '4xx': 0, '5xx': 0 }
  for (const [status, count] of statuses)
    classes[`${Math.floor(status / 100)}xx`] =
      (classes[`${Math.floor(status / 100)}xx`] ?? 0) + count
  return classes
}

/** The same ledger as a bill: to the byte, of all and of each zone. */
async function compareUsage({ url }: ServiceProcess, ledger: TrafficLedger): Promise<void> {
  const response = await fetch(`${url}/api/billing/usage?days=2`, { headers: access })
  const { Totals: totals, Zones: used } = (await response.json()) as Usage
  const expected = ({ requests, bytes, hits }: Sums) => ({
    Requests: requests,
    Bytes: bytes,
    CacheHit: hits,
  })
  expect(totals).toMatchObject(expected(ledger.all))
  const byZone = used.map(({ Zone: zone, Totals: sums }) => [zone, sums] as const)
  for (const zone of ['', ...zones])
    expect(Object.fromEntries(byZone)[zone]).toMatchObject(expected(ledger.zone(zone)))
}

/** All that the reports say. */
async function reportsOf({ url }: ServiceProcess, zone: string) {
  const query = `days=2&zone=${zone}`
  async function read<Report>(path: string, headers: Record<string, string>): Promise<Report> {
    const signal = AbortSignal.timeout(20_000)
    const response = await fetch(`${url}/api/${path}`, { headers, signal })
    expect({ path, status: response.status }).toEqual({ path, status: 200 })
    return (await response.json()) as Report
  }
  return {
    statistics: await read<Statistics>(`core/statistics?${query}`, account),
    summary: await read<Summary>(`insights/summary?${query}`, access),
    top: await read<TopAssets>(`insights/top-assets?${query}&limit=100`, access),
    geography: await read<Geography>(`insights/geography?${query}`, access),
    errors: await read<Errors>(`insights/errors?${query}`, access),
    analytics: await read<Analytics>(`analytics?${query}`, { 'x-api-key': testKeys.ANALYTICS_KEY }),
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)

const percent = ({ hits, requests }: Sums) => `${((hits / requests) * 100).toFixed(1)}%`

async function compare(service: ServiceProcess, zone: string, sums: Sums): Promise<void> {
  const { statistics, summary, top, geography, errors, analytics } = await reportsOf(service, zone)
  const countries = Object.fromEntries(sums.countries)
  const known = [...sums.countries.keys()].filter((country) => country !== 'XX').length
  const totals = { requests: sums.requests, bytes: sums.bytes, rate: percent(sums), known }

  expect({
    requests: statistics.Summary.TotalRequests,
    bytes: statistics.Summary.TotalBandwidth,
    rate: statistics.Summary.CacheHitRate,
    known: statistics.Summary.UniqueCountries,
  }).toEqual(totals)
  expect({
    requests: summary.TotalRequests,
    bytes: summary.TotalBandwidthBytes,
    rate: summary.CacheHitRate,
    known: summary.UniqueCountries,
  }).toEqual(totals)
  const { Daily: daily } = statistics
  expect(sum(daily.map((day) => day.TotalRequests))).toBe(sums.requests)
  expect(sum(daily.map((day) => day.CacheHit))).toBe(sums.hits)
  expect(sum(daily.map((day) => day.Bandwidth))).toBe(sums.bytes)
  const { data: days } = analytics
  expect(sum(days.map(({ hits }) => hits))).toBe(sums.requests)
  expect(sum(days.map(({ bandwidth }) => bandwidth.bytes))).toBe(sums.bytes)
  expect(sum(days.map(({ cache }) => cache.hit))).toBe(sums.hits)
  expect(days.map(({ date }) => date)).toEqual(daily.map(({ Date: date }) => date).toReversed())

  expect(byCountry(geography.Countries)).toEqual(countries)
  expect(byCountry(statistics.GeoDistribution)).toEqual(countries)
  const paths = top.Assets.map(({ Path: path, Requests: requests, Bytes: bytes }) => [
    path,
    { requests, bytes },
  ])
  expect(Object.fromEntries(paths)).toEqual(Object.fromEntries(sums.paths))
  await compareSeries(service, zone, sums)
  const refused = [...sums.statuses].filter(([status]) => status >= 400)
  const statuses = errors.Errors.map(({ StatusCode: status, Count: count }) => [status, count])
  expect(Object.fromEntries(statuses)).toEqual(Object.fromEntries(refused))
}

const byCountry = (rows: readonly CountryRow[]): Record<string, number> =>
  Object.fromEntries(rows.map((row) => [row.CountryCode, row.Requests]))

async function replay(service: ServiceProcess, ledger: TrafficLedger, seed: number) {
  const assets = await storeAssets(service)
  const [first, ...others] = assets
  if (first === undefined) throw new Error('nothing was stored')
  let left = requestCount
  const work = async (client: number) => {
    const random = createRandom(seed + client)
    for (; left > 0;) {
      left -= 1
      ledger.note(await visit({ url: service.url, assets: [first, ...others], random }))
    }
  }
  await Promise.all(Array.from({ length: clientCount }, (_, client) => work(client)))
}

test(
  `${requestCount} mixed requests of ${clientCount} clients are reported exactly as the clients saw them`,
  async () => {
    const seed = seedOf('traffic')
    await using directory = await temporaryDirectory()
    const dataDirectory = join(directory.path, 'data')
    const environment = { TRUSTED_PROXIES: '127.0.0.1' }
    const ledger = new TrafficLedger()
    const first = await startService({ dataDirectory, environment })
    await replay(first, ledger, seed)
    await compare(first, 'all', ledger.all)
    for (const zone of zones) await compare(first, zone, ledger.zone(zone))
    await compareUsage(first, ledger)

    // Beacons, and what a stranger claims, raise none of these figures.
    for (let beacon = 0; beacon < 20; beacon += 1)
      await fetch(`${first.url}/api/analytics`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({
          path: '/aka/v1/icons/small.bin',
          bytes: 1e9,
          country: 'AQ',
          cache: 'HIT',
        }),
      })
    await compare(first, 'all', ledger.all)

    // A clean stop loses nothing, and a start doubles nothing.
    ledger.note({ ...last, bytes: (await visitMissing(first)).byteLength })
    expect(await first.stop()).toBe(0)
    await using second = await startService({ dataDirectory, environment })
    await compare(second, 'all', ledger.all)
    for (const zone of zones) await compare(second, zone, ledger.zone(zone))
    await compareUsage(second, ledger)
    expect(ledger.zone('aka').requests).toBeGreaterThan(0)
  },
  60_000 + requestCount * 5,
)

const last = {
  zone: 'aka',
  path: 'aka/v1/icons/just-before-the-stop',
  isAsset: false,
  status: 404,
  isHit: false,
  country: 'XX',
}

const visitMissing = async ({ url }: ServiceProcess): Promise<ArrayBuffer> =>
  await (await fetch(`${url}/${last.path}`)).arrayBuffer()
