import type { Kysely } from 'kysely'

import type { Flavour } from '../flavour.ts'

/** What was deleted and can be brought back, and which names a file had before. */
export async function createPastAssetTables(
  { schema }: Kysely<unknown>,
  { text }: Flavour,
): Promise<void> {
  await schema
    .createTable('deleted_assets')
    .addColumn('path', text, (column) => column.primaryKey())
    .addColumn('zone', text, (column) => column.notNull())
    .addColumn('size_bytes', 'bigint', (column) => column.notNull())
    .addColumn('sha256', text, (column) => column.notNull())
    .addColumn('content_type', text, (column) => column.notNull())
    .addColumn('deleted_at', 'bigint', (column) => column.notNull())
    .addColumn('deleted_by', text, (column) => column.notNull())
    .addColumn('commit_id', text, (column) => column.notNull())
    .addColumn('last_commit_id', text, (column) => column.notNull())
    .execute()
  await schema
    .createIndex('deleted_assets_by_time')
    .on('deleted_assets')
    .columns(['deleted_at', 'path'])
    .execute()
  await schema
    .createTable('asset_moves')
    .addColumn('to_path', text, (column) => column.notNull())
    .addColumn('commit_id', text, (column) => column.notNull())
    .addColumn('from_path', text, (column) => column.notNull())
    .addColumn('moved_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('asset_moves_key', ['to_path', 'commit_id'])
    .execute()
}
