import type { Kysely } from 'kysely'

import type { Flavour } from '../flavour.ts'

/** Files that arrive in parts: which of their uploads are open at which path, and what of each is there. */
export async function createUploadPartTable(
  { schema }: Kysely<unknown>,
  flavour: Flavour,
): Promise<void> {
  const { text } = flavour
  await schema.alterTable('staged_uploads').addColumn('parted_path', text).execute()
  await schema
    .createIndex('staged_uploads_by_parted_path')
    .on('staged_uploads')
    .columns(['zone', 'parted_path', 'id'])
    .execute()
  await flavour
    .clustered(schema.createTable('upload_parts'))
    .addColumn('upload_id', text, (column) => column.notNull())
    .addColumn('number', 'integer', (column) => column.notNull())
    .addColumn('bytes_id', text, (column) => column.notNull())
    .addColumn('size_bytes', 'bigint', (column) => column.notNull())
    .addColumn('md5', text, (column) => column.notNull())
    .addColumn('checksum_algorithm', text)
    .addColumn('checksum', text)
    .addColumn('stored_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('upload_parts_key', ['upload_id', 'number'])
    .execute()
}
