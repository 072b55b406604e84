import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { SqlTrafficStore } from '../src/adapters/sql/traffic/sql-traffic-store.ts'
import { openSqliteDatabase } from '../src/adapters/sql/sqlite/sqlite-database.ts'
import { createReports, type Reports } from '../src/domain/insights/reports.ts'
import { dayOf, periodOf, type ReportScope } from '../src/domain/insights/period.ts'
import type { TrafficRow } from '../src/ports/traffic/traffic-store.ts'
import { createRandom } from '../test/support/random.ts'
import { median, report, type Row } from './harness.ts'

/** Every asset is asked for on every day: the most that the blocks of a day can hold. */
const dayCount = Number(process.env['SEDGE_BENCH_DAYS'] ?? 90)
const zoneCount = 100
const pathsPerZone = 1_000
const missingPerZone = 250
const rounds = 9
const requiredMs = 50

const now = new Date('2026-11-20T12:00:00Z')
const countries = ['DE', 'FR', 'NL', 'US', 'JP', 'BR', 'IN', 'GB', 'PL', 'XX'] as const
const zones = Array.from({ length: zoneCount }, (_, zone) => `zone-${zone}`)
const random = createRandom(1)

/** Few assets are asked for often and most seldom, as it is. */
const requestsAt = (rank: number): number => Math.ceil(20_000 / (rank + 1)) + random.integer(0, 3)

function* rowsOfDay(): Generator<TrafficRow> {
  for (const [place, zone] of zones.entries()) {
    for (let path = 0; path < pathsPerZone; path += 1)
      yield {
        zone,
        path: `${zone}/v1/icons/icon-${path}.svg`,
        isAsset: true,
        status: 200,
        isHit: path % 10 !== 0,
        country: random.pick(countries),
        requests: requestsAt((path * 7 + place) % pathsPerZone),
        bytes: random.integer(1_000, 1_000_000),
      }
    for (let path = 0; path < missingPerZone; path += 1)
      yield {
        zone,
        path: `${zone}/v1/icons/missing-${random.integer(1, 2_000)}.svg`,
        isAsset: false,
        status: path % 5 === 0 ? 403 : 404,
        isHit: false,
        country: random.pick(countries),
        requests: random.integer(1, 5),
        bytes: 300,
      }
  }
}

async function fill(store: SqlTrafficStore): Promise<void> {
  const today = dayOf(now)
  for (let past = dayCount - 1; past >= 0; past -= 1) {
    const rows = [...rowsOfDay()]
    const hour = (today - past) * 24
    const number = dayCount - past
    await store.record({ process: 'bench', number, hour, rows, beacons: [] })
    if (past % 10 === 0) console.log(`${dayCount - past} of ${dayCount} days are there`)
  }
  const start = performance.now()
  await store.tidy(today)
  console.log(`tidied in ${Math.round(performance.now() - start)} ms`)
}

const all: ReportScope = { days: 90, zone: undefined, zones: undefined }

function scopes(): Readonly<Record<string, ReportScope>> {
  return {
    'all zones': all,
    'one zone': { ...all, zone: 'zone-42' },
    'a token for ten zones': { ...all, zones: new Set(zones.slice(20, 30)) },
    'all zones, 7 days': { ...all, days: 7 },
  }
}

const reportsToRun: Readonly<
  Record<string, (reports: Reports, scope: ReportScope) => Promise<unknown>>
> = {
  statistics: async (reports, scope) => [
    await reports.overview(scope),
    await reports.topAssets(scope, 50),
  ],
  summary: (reports, scope) => reports.overview(scope),
  'top assets': (reports, scope) => reports.topAssets(scope, 100),
  geography: (reports, scope) => reports.countries(scope),
  errors: (reports, scope) => reports.errors(scope),
  asset: (reports, { days }) =>
    reports.asset([{ path: 'zone-42/v1/icons/icon-7.svg' }], periodOf(days, new Date())),
  'analytics, 30 days': (reports, scope) =>
    reports.analytics({ ...scope, days: Math.min(scope.days, 30) }),
}

async function measure(run: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now()
    await run()
    times.push(performance.now() - start)
  }
  return times
}

const directory = await mkdtemp(join(tmpdir(), 'sedge-bench-insights-'))
try {
  await using database = await openSqliteDatabase({ file: join(directory, 'sedge.db') })
  const store = new SqlTrafficStore(database)
  await fill(store)
  const reports = createReports({ store, now: () => now })
  const rows: Row[] = []
  for (const [name, run] of Object.entries(reportsToRun))
    for (const [about, scope] of Object.entries(scopes())) {
      const times = await measure(() => run(reports, scope))
      rows.push({
        what: `${name}, ${about}`,
        figure: `≤ ${requiredMs} ms`,
        measured: `median ${median(times).toFixed(1)} ms, worst ${Math.max(...times).toFixed(1)} ms`,
      })
    }
  const size = Bun.file(join(directory, 'sedge.db')).size
  rows.push({
    what: `database of ${dayCount} days, ${zoneCount} zones, ${zoneCount * pathsPerZone} paths`,
    figure: '',
    measured: `${Math.round(size / 2 ** 20)} MB`,
  })
  await report('insights', rows)
} finally {
  await rm(directory, { recursive: true, force: true })
}
