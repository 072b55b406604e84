import type { Kysely } from 'kysely'

import type { Flavour } from '../flavour.ts'

const sums = [
  'status_2xx',
  'status_3xx',
  'status_4xx',
  'status_5xx',
  'transforms',
  'transforms_made',
] as const

/** What charts tell of a minute, an hour and a day; and who asked, by day. */
export async function createTrafficSeries(
  { schema }: Kysely<unknown>,
  flavour: Flavour,
): Promise<void> {
  const { text } = flavour
  for (const table of ['traffic_hours', 'traffic_days']) {
    for (const name of sums)
      await schema
        .alterTable(table)
        .addColumn(name, 'bigint', (column) => column.notNull().defaultTo(0))
        .execute()
    await schema.alterTable(table).addColumn('latencies', text).execute()
  }
  let minutes = flavour
    .clustered(schema.createTable('traffic_minutes'))
    .addColumn('zone', text, (column) => column.notNull())
    .addColumn('minute', 'bigint', (column) => column.notNull())
  for (const name of ['requests', 'bytes', 'hits', ...sums])
    minutes = minutes.addColumn(name, 'bigint', (column) => column.notNull())
  await minutes
    .addColumn('latencies', text)
    .addPrimaryKeyConstraint('traffic_minutes_by_zone', ['zone', 'minute'])
    .execute()
  await flavour
    .clustered(schema.createTable('traffic_names'))
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('zone', text, (column) => column.notNull())
    .addColumn('day', 'bigint', (column) => column.notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('requests', 'bigint', (column) => column.notNull())
    .addColumn('bytes', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('traffic_names_by_zone', ['kind', 'zone', 'day', 'name'])
    .execute()
}
