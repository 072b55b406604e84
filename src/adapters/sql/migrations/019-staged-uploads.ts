import type { Kysely } from 'kysely'

import type { Flavour } from '../flavour.ts'

/** Uploads that are not whole yet, or were finished not long ago. */
export async function createStagedUploadTable(
  { schema }: Kysely<unknown>,
  flavour: Flavour,
): Promise<void> {
  const { text } = flavour
  await flavour
    .clustered(schema.createTable('staged_uploads'))
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('zone', text, (column) => column.notNull())
    .addColumn('network', text, (column) => column.notNull())
    .addColumn('open', 'integer', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('record', text, (column) => column.notNull())
    .execute()
  for (const column of ['zone', 'network', 'expires_at'])
    await schema
      .createIndex(`staged_uploads_by_${column}`)
      .on('staged_uploads')
      .column(column)
      .execute()
}
