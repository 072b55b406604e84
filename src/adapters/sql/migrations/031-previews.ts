import type { Kysely } from 'kysely'

import type { Flavour } from '../flavour.ts'

/** The branches of zones, and which commit each shows. */
export async function createPreviewTable(
  { schema }: Kysely<unknown>,
  flavour: Flavour,
): Promise<void> {
  const { text } = flavour
  await flavour
    .clustered(schema.createTable('previews'))
    .addColumn('zone', text, (column) => column.notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('base_commit', text, (column) => column.notNull())
    .addColumn('head_commit', text, (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('changed_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('own_expiry', 'integer', (column) => column.notNull())
    .addColumn('signed', 'integer', (column) => column.notNull())
    .addColumn('created_by', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('previews_key', ['zone', 'name'])
    .execute()
}
