import type { Kysely } from 'kysely'

import type { Flavour } from '../flavour.ts'

/** What other hashes the bytes have that a SHA-256 names. */
export async function createContentDigestTable(
  { schema }: Kysely<unknown>,
  flavour: Flavour,
): Promise<void> {
  const { text } = flavour
  await flavour
    .clustered(schema.createTable('content_digests'))
    .addColumn('sha256', text, (column) => column.primaryKey().notNull())
    .addColumn('md5', text, (column) => column.notNull())
    .addColumn('checksum_algorithm', text)
    .addColumn('checksum', text)
    .execute()
}
