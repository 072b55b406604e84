import type { Kysely } from 'kysely'

import type { Flavour } from '../flavour.ts'

/** What the control plane knows of edges; and, at an edge, where it stands and what it has not handed over. */
export async function createEdgeTables(
  { schema }: Kysely<unknown>,
  flavour: Flavour,
): Promise<void> {
  const { text } = flavour
  await flavour
    .clustered(schema.createTable('edges'))
    .addColumn('name', text, (column) => column.primaryKey().notNull())
    .addColumn('seq', 'bigint', (column) => column.notNull())
    .addColumn('since', 'bigint', (column) => column.notNull())
    .addColumn('first_seen_at', 'bigint', (column) => column.notNull())
    .addColumn('last_seen_at', 'bigint', (column) => column.notNull())
    .addColumn('via', text)
    .execute()
  await schema.createIndex('feed_by_commit').on('feed').columns(['commit_id', 'seq']).execute()
  await schema
    .createTable('replica_position')
    .addColumn('id', 'integer', (column) => column.primaryKey().notNull())
    .addColumn('seq', 'bigint', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .execute()
  await flavour
    .clustered(schema.createTable('replica_hosts'))
    .addColumn('hostname', text, (column) => column.primaryKey().notNull())
    .addColumn('zone', text, (column) => column.notNull())
    .execute()
  await flavour
    .clustered(schema.createTable('traffic_spool'))
    .addColumn('place', 'bigint', (column) => column.primaryKey().notNull())
    .addColumn('size_characters', 'bigint', (column) => column.notNull())
    .addColumn('flush', text, (column) => column.notNull())
    .execute()
}
