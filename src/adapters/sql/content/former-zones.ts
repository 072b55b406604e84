import { sql, type Transaction } from 'kysely'

import type { FeedEntry } from '../../../ports/records/feed.ts'
import type { Schema } from '../schema.ts'

const trafficTables = [
  'traffic_minutes',
  'traffic_hours',
  'traffic_days',
  'traffic_names',
  'traffic_hour_names',
  'traffic_countries',
  'traffic_errors',
  'traffic_hour_errors',
  'traffic_path_steps',
  'traffic_path_blocks',
  'traffic_day_tops',
] as const

/**
 * A zone that is made anew under a name that was used before begins without anything counted or logged
 * under it: that is put under a name no zone can have. The sums of all zones stay as they are.
 */
export async function setFormerZonesApart(
  transaction: Transaction<Schema>,
  entries: readonly FeedEntry[],
): Promise<void> {
  for (const { event, zone, seq } of entries)
    if (event === 'zone.created' && zone !== undefined)
      await setApart(transaction, zone, `${zone}~${seq}`)
}

async function setApart(
  transaction: Transaction<Schema>,
  zone: string,
  formerName: string,
): Promise<void> {
  for (const table of (await hasTraffic(transaction, zone)) ? trafficTables : [])
    await transaction
      .updateTable(table)
      .set({ zone: formerName })
      .where('zone', '=', zone)
      .execute()
  await transaction
    .updateTable('usage_days')
    .set({ zone: formerName })
    .where('zone', '=', zone)
    .execute()
  await transaction
    .updateTable('log_records')
    .set({ zone: formerName })
    .where('zone', '=', zone)
    .execute()
  for (const before of ['', '/'])
    await transaction
      .updateTable('traffic_beacons')
      .set({
        path: sql<string>`cast(${before + formerName} as text) || substr(path, ${before.length + zone.length + 1})`,
      })
      .where((row) =>
        row.or([row('path', '=', before + zone), row('path', 'like', `${before}${zone}/%`)]),
      )
      .execute()
}

/** Whatever is counted is in a sum of its day, too. */
async function hasTraffic(transaction: Transaction<Schema>, zone: string): Promise<boolean> {
  const row = await transaction
    .selectFrom('traffic_days')
    .select('day')
    .where('zone', '=', zone)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
