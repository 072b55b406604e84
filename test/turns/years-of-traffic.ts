import { join } from 'node:path'

import { openSqliteDatabase } from '../../src/adapters/sql/sqlite/sqlite-database.ts'
import { SqlTrafficStore } from '../../src/adapters/sql/traffic/sql-traffic-store.ts'

interface Traffic {
  readonly dataDirectory: string
  readonly days: number
  readonly zones: number
}

const dayMs = 86_400_000
const countries = ['DE', 'FR', 'US', 'BR', 'IN', 'ID', 'JP', 'NG']

/** Counts as they would be had each zone been asked every day, for a service that is not running. */
export async function writeTraffic({ dataDirectory, days, zones }: Traffic): Promise<void> {
  await using database = await openSqliteDatabase({ file: join(dataDirectory, 'sedge.db') })
  const store = new SqlTrafficStore(database)
  const today = Math.floor(Date.now() / dayMs)
  for (let past = days - 1; past >= 0; past -= 1) {
    const day = today - past
    await store.record({
      process: 'years',
      number: days - past,
      hour: day * 24,
      beacons: [],
      rows: Array.from({ length: zones }, (_, zone) => ({
        zone: `zone-${zone}`,
        path: `zone-${zone}/v1/icons/${(day + zone) % 50}.svg`,
        isAsset: true,
        status: 200,
        isHit: zone % 10 !== 0,
        country: countries[(day + zone) % countries.length] ?? 'DE',
        requests: 1 + ((zone * 7 + day) % 1_000),
        bytes: 1_000 * (zone + 1),
      })),
    })
  }
}
