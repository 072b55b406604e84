import type { Kysely } from 'kysely'

import type { Flavour } from '../flavour.ts'

/** What the nodes of a cluster share: who may write, and which packs make up the repository. */
export async function createClusterTables(
  tables: Kysely<unknown>,
  { text }: Flavour,
): Promise<void> {
  const { schema } = tables
  await schema
    .createTable('writer_lease')
    .addColumn('id', 'integer', (column) => column.primaryKey().notNull())
    .addColumn('epoch', 'bigint', (column) => column.notNull())
    .addColumn('address', text, (column) => column.notNull())
    .addColumn('ends_at', 'bigint', (column) => column.notNull())
    .execute()
  await schema
    .createTable('repository_packs')
    .addColumn('place', 'bigint', (column) => column.primaryKey().notNull())
    .addColumn('after_commit', text)
    .addColumn('commit_id', text, (column) => column.notNull())
    .addColumn('packs', text, (column) => column.notNull())
    .execute()
}
