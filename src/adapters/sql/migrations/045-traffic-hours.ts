import type { Kysely } from 'kysely'

import type { Flavour } from '../flavour.ts'

/** Who asked, what was refused and which assets were asked for, by the hour; assets by the minute, too. */
export async function createTrafficHours(
  { schema }: Kysely<unknown>,
  flavour: Flavour,
): Promise<void> {
  const { text, bytes } = flavour
  await flavour
    .clustered(schema.createTable('traffic_hour_names'))
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('zone', text, (column) => column.notNull())
    .addColumn('hour', 'bigint', (column) => column.notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('requests', 'bigint', (column) => column.notNull())
    .addColumn('bytes', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('traffic_hour_names_by_zone', ['kind', 'zone', 'hour', 'name'])
    .execute()
  await flavour
    .clustered(schema.createTable('traffic_hour_errors'))
    .addColumn('zone', text, (column) => column.notNull())
    .addColumn('hour', 'bigint', (column) => column.notNull())
    .addColumn('status', 'integer', (column) => column.notNull())
    .addColumn('path', text, (column) => column.notNull())
    .addColumn('asset', 'integer', (column) => column.notNull())
    .addColumn('requests', 'bigint', (column) => column.notNull())
    .addColumn('bytes', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('traffic_hour_errors_by_zone', [
      'zone',
      'hour',
      'status',
      'path',
      'asset',
    ])
    .execute()
  await schema
    .createTable('traffic_path_steps')
    .addColumn('step', text, (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('zone', text, (column) => column.notNull())
    .addColumn('part', 'integer', (column) => column.notNull())
    .addColumn('entries', bytes, (column) => column.notNull())
    .addPrimaryKeyConstraint('traffic_path_steps_by_time', ['step', 'at', 'zone', 'part'])
    .execute()
}
