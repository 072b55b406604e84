import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { openSqliteDatabase } from '../src/adapters/sql/sqlite/sqlite-database.ts'
import { SqlTrafficStore } from '../src/adapters/sql/traffic/sql-traffic-store.ts'
import { SqlUsageStore } from '../src/adapters/sql/usage/sql-usage-store.ts'
import { dayOf } from '../src/domain/insights/period.ts'
import { createUsageReports, type UsageQuery } from '../src/domain/insights/usage.ts'
import type { Database } from '../src/adapters/sql/database.ts'
import type { TrafficRow } from '../src/ports/traffic/traffic-store.ts'
import { costsOfCounting } from './counted-edge.ts'
import { median, report, type Row } from './harness.ts'

/** What usage costs: each hot request, and whoever reads a year of many zones, each used on every day. */
const dayCount = Number(process.env['SEDGE_BENCH_DAYS'] ?? 397)
const zoneCount = 1_000
const rounds = 7
/** As the API bounds a page. */
const rowsAPage = 20_000

const today = dayOf(new Date('2026-11-24T12:00:00Z'))
const zones = Array.from(
  { length: zoneCount },
  (_, zone) => `zone-${String(zone).padStart(4, '0')}`,
)

const rowsOfDay = (day: number): readonly TrafficRow[] =>
  zones.map((zone, place) => ({
    zone,
    path: `${zone}/v1/a.svg`,
    isAsset: true,
    status: 200,
    isHit: place % 10 !== 0,
    country: 'DE',
    requests: 1 + ((place * 7 + day) % 1_000),
    bytes: 1_000 * (place + 1),
  }))

async function fill(database: Database): Promise<void> {
  const store = new SqlTrafficStore(database)
  for (let past = dayCount - 1; past >= 0; past -= 1) {
    const day = today - past
    const rows = rowsOfDay(day)
    const flush = { process: 'bench', number: dayCount - past, hour: day * 24, rows, beacons: [] }
    const calls = zones.map((zone) => ({ zone, kind: 'vision' as const, calls: 1 }))
    await store.record({ ...flush, calls })
    if (past % 50 === 0) console.log(`${dayCount - past} of ${dayCount} days are there`)
  }
  await database.queries
    .updateTable('usage_days')
    .set({ stored_bytes: 10_000, files: 2, uploads: 3, uploaded_bytes: 15_000 })
    .execute()
}

const whole = { fromDay: today - dayCount + 1, toDay: today, zones: undefined }
const month = { ...whole, fromDay: today - 30 }
const pageOf = ({ fromDay, toDay }: typeof whole): number =>
  Math.floor(rowsAPage / (toDay - fromDay + 1))

const readings: Readonly<Record<string, UsageQuery>> = {
  'all zones, 13 months, a page of 50': { ...whole, page: 1, perPage: pageOf(whole) },
  'all zones, 31 days, a page of 645': { ...month, page: 1, perPage: pageOf(month) },
  'all zones, 31 days, the sums alone': { ...month, page: 1, perPage: 1 },
  'one zone, 13 months': { ...whole, zones: new Set(zones.slice(42, 43)), page: 1, perPage: 50 },
  'a token for ten zones, 13 months': {
    ...whole,
    zones: new Set(zones.slice(20, 30)),
    page: 1,
    perPage: 50,
  },
}

async function measure(run: () => Promise<unknown>): Promise<string> {
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now()
    await run()
    times.push(performance.now() - start)
  }
  return `median ${median(times).toFixed(0)} ms, worst ${Math.max(...times).toFixed(0)} ms`
}

async function read(directory: string): Promise<readonly Row[]> {
  const file = join(directory, 'sedge.db')
  await using database = await openSqliteDatabase({ file })
  await fill(database)
  const reports = createUsageReports({ store: new SqlUsageStore(database) })
  const rows: Row[] = []
  for (const [what, query] of Object.entries(readings))
    rows.push({ what, figure: '', measured: await measure(() => reports.report(query)) })
  const everyPage = async () => {
    const perPage = pageOf(whole)
    for (let page = 1; page <= Math.ceil(zoneCount / perPage); page += 1)
      await reports.report({ ...whole, page, perPage })
  }
  const start = performance.now()
  await everyPage()
  const seconds = ((performance.now() - start) / 1_000).toFixed(1)
  const pages = Math.ceil(zoneCount / pageOf(whole))
  return [
    ...rows,
    {
      what: `all zones, 13 months, all ${pages} pages`,
      figure: '',
      measured: `${seconds} s`,
    },
    {
      what: `database of ${dayCount} days, ${zoneCount} zones, one path each`,
      figure: '',
      measured: `${Math.round(Bun.file(file).size / 2 ** 20)} MB`,
    },
  ]
}

const { counting } = await costsOfCounting({ rounds: 11 })
const directory = await mkdtemp(join(tmpdir(), 'sedge-bench-usage-'))
try {
  await report('usage', [
    {
      what: 'cost of counting a hot request, of the edge’s requests per CPU-second (1 KB assets, 25 pipelined)',
      figure: '≤ 5 %',
      measured: `${(counting * 100).toFixed(1)} %`,
    },
    ...(await read(directory)),
  ])
} finally {
  await rm(directory, { recursive: true, force: true })
}
