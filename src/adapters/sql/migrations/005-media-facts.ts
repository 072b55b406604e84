import type { Kysely } from 'kysely'

import type { Flavour } from '../flavour.ts'

/** What was found in images, by the SHA-256 of their bytes. */
export async function createMediaFactsTable(
  { schema }: Kysely<unknown>,
  { text }: Flavour,
): Promise<void> {
  await schema
    .createTable('media_facts')
    .addColumn('sha256', text, (column) => column.primaryKey().notNull())
    .addColumn('header', text, (column) => column.notNull())
    .addColumn('analysis', text)
    .addColumn('focal_point', text)
    .execute()
}
