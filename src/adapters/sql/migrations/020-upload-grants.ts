import type { Kysely } from 'kysely'

import type { Flavour } from '../flavour.ts'

/** What may be uploaded without a key, and which uploads have made use of it. */
export async function createUploadGrantTables(
  { schema }: Kysely<unknown>,
  flavour: Flavour,
): Promise<void> {
  const { text } = flavour
  await flavour
    .clustered(schema.createTable('upload_grants'))
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('zone', text, (column) => column.notNull())
    .addColumn('path', text, (column) => column.notNull())
    .addColumn('max_bytes', 'bigint')
    .addColumn('types', text)
    .addColumn('origins', text)
    .addColumn('metadata', text)
    .addColumn('times', 'integer', (column) => column.notNull())
    .addColumn('overwrites', 'integer', (column) => column.notNull())
    .addColumn('created_by', text, (column) => column.notNull())
    .addColumn('grantor_mark', text)
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute()
  await schema
    .createIndex('upload_grants_by_zone')
    .on('upload_grants')
    .columns(['zone', 'created_at', 'id'])
    .execute()
  await schema
    .createIndex('upload_grants_by_expiry')
    .on('upload_grants')
    .column('expires_at')
    .execute()
  await flavour
    .clustered(schema.createTable('upload_grant_uses'))
    .addColumn('upload_id', text, (column) => column.primaryKey().notNull())
    .addColumn('grant_id', text, (column) => column.notNull())
    .addColumn('stored', 'integer', (column) => column.notNull())
    .execute()
  await schema
    .createIndex('upload_grant_uses_by_grant')
    .on('upload_grant_uses')
    .column('grant_id')
    .execute()
}
