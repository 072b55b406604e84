import type { Kysely } from 'kysely'

import type { Flavour } from '../flavour.ts'

/** What files say of themselves, by the SHA-256 of their bytes. */
export async function createEmbeddedMetadataTable(
  { schema }: Kysely<unknown>,
  { text }: Flavour,
): Promise<void> {
  await schema
    .createTable('embedded_metadata')
    .addColumn('sha256', text, (column) => column.primaryKey().notNull())
    .addColumn('found', text, (column) => column.notNull())
    .execute()
}
