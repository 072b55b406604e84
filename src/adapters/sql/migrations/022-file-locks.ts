import type { Kysely } from 'kysely'

import type { Flavour } from '../flavour.ts'

/** Who works on which file of the repository. */
export async function createFileLockTable(
  { schema }: Kysely<unknown>,
  flavour: Flavour,
): Promise<void> {
  const { text } = flavour
  await flavour
    .clustered(schema.createTable('file_locks'))
    .addColumn('path', text, (column) => column.primaryKey().notNull())
    .addColumn('id', text, (column) => column.notNull())
    .addColumn('zone', text, (column) => column.notNull())
    .addColumn('zone_commit_id', text)
    .addColumn('owner', text, (column) => column.notNull())
    .addColumn('locked_at', 'bigint', (column) => column.notNull())
    .execute()
  await schema.createIndex('file_locks_by_id').unique().on('file_locks').column('id').execute()
  await schema.createIndex('file_locks_by_zone').on('file_locks').column('zone').execute()
}
