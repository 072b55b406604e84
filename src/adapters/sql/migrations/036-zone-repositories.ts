import type { Kysely } from 'kysely'

import type { Flavour } from '../flavour.ts'

/** How far the repositories of zones are, and which commits each has. */
export async function createZoneRepositoryTables(
  { schema }: Kysely<unknown>,
  flavour: Flavour,
): Promise<void> {
  const { text } = flavour
  await schema
    .createTable('zone_repositories')
    .addColumn('zone', text, (column) => column.primaryKey().notNull())
    .addColumn('beginning', text, (column) => column.notNull())
    .addColumn('read_to', text, (column) => column.notNull())
    .addColumn('newest', text)
    .execute()
  await flavour
    .clustered(schema.createTable('zone_commits'))
    .addColumn('zone', text, (column) => column.notNull())
    .addColumn('zone_commit_id', text, (column) => column.notNull())
    .addColumn('commit_id', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('zone_commits_key', ['zone', 'zone_commit_id'])
    .execute()
}
