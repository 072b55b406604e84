import { type Kysely, sql } from 'kysely'

import type { Flavour } from '../flavour.ts'

/** What each commit made of each path, and the directories that are objects of their own. */
export async function createObjectVersionTables(
  tables: Kysely<unknown>,
  flavour: Flavour,
): Promise<void> {
  const { schema } = tables
  const { text } = flavour
  const versions = schema
    .createTable('object_versions')
    .addColumn('path', text, (column) => column.notNull())
    .addColumn('age_rank', 'bigint', (column) => column.notNull())
    .addColumn('commit_id', text, (column) => column.notNull())
    .addColumn('committed_at', 'bigint', (column) => column.notNull())
    .addColumn('sha256', text)
    .addColumn('size_bytes', 'bigint', (column) => column.notNull())
    .addColumn('content_type', text)
    .addColumn('entity_tag', text)
    .addPrimaryKeyConstraint('object_versions_key', ['path', 'age_rank'])
  await flavour.clustered(versions).execute()
  await schema
    .createIndex('object_versions_by_commit')
    .on('object_versions')
    .columns(['path', 'commit_id'])
    .execute()
  await schema
    .createTable('directory_markers')
    .addColumn('path', text, (column) => column.primaryKey().notNull())
    .addColumn('zone', text, (column) => column.notNull())
    .addColumn('commit_id', text, (column) => column.notNull())
    .addColumn('changed_at', 'bigint', (column) => column.notNull())
    .execute()
  await createNumbers(tables, text)
}

/** What was published before this step is still to be told of. */
async function createNumbers(tables: Kysely<unknown>, text: Flavour['text']): Promise<void> {
  await tables.schema
    .alterTable('position')
    .addColumn('version_number', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
  await tables.schema
    .createTable('earlier_commits')
    .addColumn('until_commit', text, (column) => column.primaryKey().notNull())
    .addColumn('done_commit', text)
    .addColumn('next_rank', 'bigint', (column) => column.notNull())
    .execute()
  await sql`insert into earlier_commits (until_commit, done_commit, next_rank)
    select commit_id, null, ${2 ** 52} from position where commit_id is not null`.execute(tables)
}
