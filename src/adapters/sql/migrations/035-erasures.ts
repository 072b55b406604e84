import type { Kysely } from 'kysely'

import type { Flavour } from '../flavour.ts'

/** What was erased for good, where it has left, and which bytes nobody is given any more. */
export async function createErasureTables(
  { schema }: Kysely<unknown>,
  flavour: Flavour,
): Promise<void> {
  const { text } = flavour
  await schema
    .createTable('erasures')
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('path', text)
    .addColumn('blobs', text, (column) => column.notNull())
    .addColumn('reason', text, (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('done_at', 'bigint')
    .addColumn('created_by', text, (column) => column.notNull())
    .addColumn('paths', text, (column) => column.notNull())
    .addColumn('commits', 'bigint')
    .addColumn('feed_seq', 'bigint')
    .addColumn('places', text, (column) => column.notNull())
    .execute()
  await schema
    .createIndex('erasures_by_time')
    .on('erasures')
    .columns(['created_at', 'id'])
    .execute()
  await flavour
    .clustered(schema.createTable('erased'))
    .addColumn('name', text, (column) => column.primaryKey().notNull())
    .execute()
  await schema
    .createIndex('object_versions_by_bytes')
    .on('object_versions')
    .column('sha256')
    .execute()
}
