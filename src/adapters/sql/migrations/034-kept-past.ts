import type { Kysely } from 'kysely'

import type { Flavour } from '../flavour.ts'

/** What an edge was told of former commits. */
export async function createKeptPastTable(
  { schema }: Kysely<unknown>,
  flavour: Flavour,
): Promise<void> {
  const { text } = flavour
  await flavour
    .clustered(schema.createTable('kept_past'))
    .addColumn('key', text, (column) => column.primaryKey().notNull())
    .addColumn('text', text, (column) => column.notNull())
    .addColumn('size_characters', 'bigint', (column) => column.notNull())
    .addColumn('used', 'bigint', (column) => column.notNull())
    .execute()
  await schema.createIndex('kept_past_by_use').on('kept_past').column('used').execute()
}
