import { expect, test } from 'bun:test'

import { SqlTrafficStore } from '../../src/adapters/sql/traffic/sql-traffic-store.ts'
import { openSqliteDatabase } from '../../src/adapters/sql/sqlite/sqlite-database.ts'
import { createReports } from '../../src/domain/insights/reports.ts'
import { createTrafficCollector } from '../../src/domain/insights/traffic-collector.ts'
import type { HitKey } from '../../src/edge/hits/hit-counter.ts'
import { createHitTap } from '../../src/edge/hits/hit-tap.ts'
import { temporaryDirectory } from '../support/service-process.ts'

const floodSize = 1_000_000
const assetCount = 500
/**
 * The process is that of every test before, so its collector may leave this much lying about; kept
 * URLs would take four times as much.
 */
const maxGrowthBytes = 64 * 2 ** 20

const now = () => new Date('2026-11-20T12:00:00Z')

const keyOf = (fields: Partial<HitKey>): HitKey => ({
  zone: 'acme',
  path: '',
  status: 200,
  method: 'GET',
  cache: 'HIT',
  country: 'DE',
  ...fields,
})

function residentBytes(): number {
  Bun.gc(true)
  return process.memoryUsage.rss()
}

test('a million URLs that do not exist take a bounded memory, and assets stay exact', async () => {
  await using directory = await temporaryDirectory()
  await using database = await openSqliteDatabase({ file: `${directory.path}/sedge.db` })
  const tap = createHitTap()
  const store = new SqlTrafficStore(database)
  const warnings: string[] = []
  await using collector = createTrafficCollector({
    store,
    drain: () => tap.drain(),
    process: 'flooded',
    now,
    log: { warn: (message) => void warnings.push(message) },
  })
  const count = (fields: Partial<HitKey>) => {
    const counter = tap.counter(keyOf(fields))
    counter.requests += 1
    counter.bytes += 100
  }
  const broken = 'acme/v1/icons/really-broken.svg'
  // Once around, so that what any run needs is not taken for growth.
  for (let made = 0; made < 20_000; made += 1) count({ status: 404, path: `acme/warm-up/${made}` })
  await collector.flush()
  const before = residentBytes()
  let largest = 0
  for (let made = 0; made < floodSize; made += 1) {
    const path = `acme/v1/icons/${made}-${'x'.repeat(60)}.svg`
    count({ status: 404, cache: 'MISS', path })
    if (made % 100 === 0) count({ status: 404, cache: 'MISS', path: broken })
    if (made % 10 === 0) count({ path: `acme/v1/icons/${(made / 10) % assetCount}.svg` })
    if (made % 100_000 === 50_000) largest = Math.max(largest, residentBytes() - before)
    if (made % 200_000 === 199_999) await collector.flush()
  }
  await collector.flush()
  largest = Math.max(largest, residentBytes() - before)
  console.log(`memory grew by ${(largest / 2 ** 20).toFixed(1)} MB`)
  expect(warnings).toEqual([])
  expect(largest).toBeLessThan(maxGrowthBytes)

  const reports = createReports({ store, now })
  const all = { days: 1, zone: undefined, zones: undefined }
  const assets = await reports.topAssets(all, assetCount)
  expect(assets).toHaveLength(assetCount)
  for (const asset of assets) expect(asset).toMatchObject({ requests: 200, bytes: 20_000 })
  const [errors] = await reports.errors(all)
  expect(errors?.requests).toBe(20_000 + floodSize + floodSize / 100)
  expect(errors?.paths[0]).toEqual({ path: broken, requests: floodSize / 100 })
  expect({ dropped: tap.dropped }).toEqual({ dropped: 0 })
}, 60_000)
