import { type Kysely, sql } from 'kysely'

import type { Flavour } from '../flavour.ts'

const sums = [
  'stored_bytes',
  'files',
  'uploads',
  'uploaded_bytes',
  'vision_calls',
  'chat_calls',
  'embedding_calls',
] as const

/** What zones store and use beside what is delivered, by day. It begins with what is stored now. */
export async function createUsageTable(tables: Kysely<unknown>, flavour: Flavour): Promise<void> {
  let table = flavour
    .clustered(tables.schema.createTable('usage_days'))
    .addColumn('zone', flavour.text, (column) => column.notNull())
    .addColumn('day', 'bigint', (column) => column.notNull())
  for (const name of sums)
    table = table.addColumn(name, 'bigint', (column) => column.notNull().defaultTo(0))
  await table.addPrimaryKeyConstraint('usage_days_by_zone', ['zone', 'day']).execute()
  await sql`insert into usage_days (zone, day, stored_bytes, files)
    select zone, cast(${flavour.nowMs} as bigint) / 86400000, sum(size_bytes), count(*)
    from assets group by zone`.execute(tables)
}
