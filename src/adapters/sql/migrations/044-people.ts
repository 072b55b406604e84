import type { Kysely } from 'kysely'

import type { Flavour } from '../flavour.ts'

/** People, their roles, and what of what lets somebody in is theirs. */
export async function createPeopleTables(tables: Kysely<unknown>, flavour: Flavour): Promise<void> {
  const { schema } = tables
  const { text } = flavour
  await flavour
    .clustered(schema.createTable('people'))
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('email', text, (column) => column.unique())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('state', text, (column) => column.notNull())
    .addColumn('issuer', text)
    .addColumn('subject', text)
    .addColumn('invitation_sha256', text, (column) => column.unique())
    .addColumn('invitation_expires_at', 'bigint')
    .addColumn('created_by', text, (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('last_seen_at', 'bigint')
    .addUniqueConstraint('people_by_identity', ['issuer', 'subject'])
    .execute()
  await flavour
    .clustered(schema.createTable('person_grants'))
    .addColumn('person_id', text, (column) => column.notNull())
    .addColumn('role', text, (column) => column.notNull())
    .addColumn('zone', text, (column) => column.notNull())
    .addColumn('source', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('person_grants_by_person', ['person_id', 'source', 'role', 'zone'])
    .execute()
  await schema.createIndex('person_grants_by_zone').on('person_grants').column('zone').execute()
  await createVersion(tables, flavour)
  for (const table of ['sessions', 'passkeys', 'tokens'] as const) {
    await schema.alterTable(table).addColumn('person_id', text).execute()
    await schema.createIndex(`${table}_by_person`).on(table).column('person_id').execute()
  }
  await schema.alterTable('tokens').addColumn('former_sha256', text).execute()
  await schema.alterTable('tokens').addColumn('former_until', 'bigint').execute()
}

async function createVersion(tables: Kysely<unknown>, flavour: Flavour): Promise<void> {
  await flavour
    .clustered(tables.schema.createTable('people_version'))
    .addColumn('id', 'integer', (column) => column.primaryKey().notNull())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .execute()
  await (tables as Kysely<{ people_version: { id: number; version: number } }>)
    .insertInto('people_version')
    .values({ id: 1, version: 0 })
    .execute()
}
