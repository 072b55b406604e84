import type { Kysely } from 'kysely'

import type { Flavour } from '../flavour.ts'

/** Bytes of versions that clients of S3 have removed. */
export async function createReleasedBlobTable(
  { schema }: Kysely<unknown>,
  flavour: Flavour,
): Promise<void> {
  const { text } = flavour
  await flavour
    .clustered(schema.createTable('released_blobs'))
    .addColumn('sha256', text, (column) => column.primaryKey().notNull())
    .addColumn('size_bytes', 'bigint', (column) => column.notNull())
    .addColumn('zone', text, (column) => column.notNull())
    .execute()
}
