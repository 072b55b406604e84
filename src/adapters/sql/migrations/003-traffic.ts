import type { Kysely } from 'kysely'

import type { Flavour } from '../flavour.ts'

/** What was delivered, added up. Zones come first: reports are about one, or about the sum of all. */
export async function createTrafficTables(
  { schema }: Kysely<unknown>,
  flavour: Flavour,
): Promise<void> {
  const { text } = flavour
  const table = (name: string) => flavour.clustered(schema.createTable(name))

  await table('traffic_flushes')
    .addColumn('process', text, (column) => column.primaryKey().notNull())
    .addColumn('number', 'bigint', (column) => column.notNull())
    .addColumn('day', 'bigint', (column) => column.notNull())
    .execute()
  for (const period of ['hour', 'day'] as const)
    await table(`traffic_${period}s`)
      .addColumn('zone', text, (column) => column.notNull())
      .addColumn(period, 'bigint', (column) => column.notNull())
      .addColumn('requests', 'bigint', (column) => column.notNull())
      .addColumn('bytes', 'bigint', (column) => column.notNull())
      .addColumn('hits', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint(`traffic_${period}s_by_zone`, ['zone', period])
      .execute()
  await table('traffic_countries')
    .addColumn('zone', text, (column) => column.notNull())
    .addColumn('day', 'bigint', (column) => column.notNull())
    .addColumn('country', text, (column) => column.notNull())
    .addColumn('requests', 'bigint', (column) => column.notNull())
    .addColumn('bytes', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('traffic_countries_by_zone', ['zone', 'day', 'country'])
    .execute()
  await table('traffic_errors')
    .addColumn('zone', text, (column) => column.notNull())
    .addColumn('day', 'bigint', (column) => column.notNull())
    .addColumn('status', 'integer', (column) => column.notNull())
    .addColumn('path', text, (column) => column.notNull())
    .addColumn('asset', 'integer', (column) => column.notNull())
    .addColumn('requests', 'bigint', (column) => column.notNull())
    .addColumn('bytes', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('traffic_errors_by_zone', ['zone', 'day', 'status', 'path', 'asset'])
    .execute()
  await table('traffic_beacons')
    .addColumn('day', 'bigint', (column) => column.notNull())
    .addColumn('path', text, (column) => column.notNull())
    .addColumn('country', text, (column) => column.notNull())
    .addColumn('hit', 'integer', (column) => column.notNull())
    .addColumn('requests', 'bigint', (column) => column.notNull())
    .addColumn('bytes', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('traffic_beacons_by_day', ['day', 'path', 'country', 'hit'])
    .execute()
  await createPathTables({ schema }, flavour)
}

/** A row for each asset and day would be ten million; so each zone's assets of a day share one. */
async function createPathTables(
  { schema }: Pick<Kysely<unknown>, 'schema'>,
  flavour: Flavour,
): Promise<void> {
  const { text, bytes } = flavour
  await schema
    .createTable('traffic_paths')
    .addColumn('id', 'integer', (column) => column.primaryKey().notNull())
    .addColumn('path', text, (column) => column.notNull().unique())
    .execute()
  await schema
    .createTable('traffic_path_blocks')
    .addColumn('span_days', 'integer', (column) => column.notNull())
    .addColumn('day', 'bigint', (column) => column.notNull())
    .addColumn('zone', text, (column) => column.notNull())
    .addColumn('part', 'integer', (column) => column.notNull())
    .addColumn('entries', bytes, (column) => column.notNull())
    .addPrimaryKeyConstraint('traffic_path_blocks_by_day', ['span_days', 'day', 'zone', 'part'])
    .execute()
  await flavour
    .clustered(schema.createTable('traffic_spans'))
    .addColumn('span_days', 'integer', (column) => column.notNull())
    .addColumn('day', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('traffic_spans_by_length', ['span_days', 'day'])
    .execute()
  await flavour
    .clustered(schema.createTable('traffic_day_tops'))
    .addColumn('zone', text, (column) => column.notNull())
    .addColumn('day', 'bigint', (column) => column.notNull())
    .addColumn('id', 'integer', (column) => column.notNull())
    .addColumn('requests', 'bigint', (column) => column.notNull())
    .addColumn('bytes', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('traffic_day_tops_by_zone', ['zone', 'day', 'id'])
    .execute()
}
