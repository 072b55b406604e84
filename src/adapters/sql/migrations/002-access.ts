import type { Kysely } from 'kysely'

import type { Flavour } from '../flavour.ts'

/** Who may come in: tokens, sessions, passkeys and their challenges. */
export async function createAccessTables(tables: Kysely<unknown>, flavour: Flavour): Promise<void> {
  await createTokens(tables, flavour)
  await createSessions(tables, flavour)
  await createPasskeys(tables, flavour)
}

async function createTokens(tables: Kysely<unknown>, flavour: Flavour): Promise<void> {
  const { text } = flavour
  await flavour
    .clustered(tables.schema.createTable('tokens'))
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('secret_sha256', text, (column) => column.notNull().unique())
    .addColumn('prefix', text, (column) => column.notNull())
    .addColumn('scopes', text, (column) => column.notNull())
    .addColumn('narrowed', 'integer', (column) => column.notNull())
    .addColumn('created_by', text, (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('last_used_at', 'bigint')
    .execute()
  await flavour
    .clustered(tables.schema.createTable('token_zones'))
    .addColumn('token_id', text, (column) => column.notNull())
    .addColumn('zone', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('token_zones_by_token', ['token_id', 'zone'])
    .execute()
  await tables.schema.createIndex('token_zones_by_zone').on('token_zones').column('zone').execute()
  await flavour
    .clustered(tables.schema.createTable('token_version'))
    .addColumn('id', 'integer', (column) => column.primaryKey().notNull())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .execute()
  await (tables as Kysely<{ token_version: { id: number; version: number } }>)
    .insertInto('token_version')
    .values({ id: 1, version: 0 })
    .execute()
}

async function createSessions({ schema }: Kysely<unknown>, flavour: Flavour): Promise<void> {
  const { text } = flavour
  await flavour
    .clustered(schema.createTable('sessions'))
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('opened_with', text, (column) => column.notNull())
    .addColumn('turn', 'integer', (column) => column.notNull())
    .addColumn('turned_at', 'bigint', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('last_seen_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('ip', text, (column) => column.notNull())
    .addColumn('user_agent', text)
    .execute()
  await schema.createIndex('sessions_by_expiry').on('sessions').column('expires_at').execute()
}

async function createPasskeys({ schema }: Kysely<unknown>, flavour: Flavour): Promise<void> {
  const { text } = flavour
  await flavour
    .clustered(schema.createTable('passkeys'))
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('rp_id', text, (column) => column.notNull())
    .addColumn('public_key', text, (column) => column.notNull())
    .addColumn('counter', 'bigint', (column) => column.notNull())
    .addColumn('transports', text, (column) => column.notNull())
    .addColumn('backed_up', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('last_used_at', 'bigint')
    .execute()
  await flavour
    .clustered(schema.createTable('passkey_challenges'))
    .addColumn('challenge', text, (column) => column.primaryKey().notNull())
    .addColumn('purpose', text, (column) => column.notNull())
    .addColumn('origin', text, (column) => column.notNull())
    .addColumn('rp_id', text, (column) => column.notNull())
    .addColumn('asked_by', text, (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute()
  await schema
    .createIndex('passkey_challenges_by_expiry')
    .on('passkey_challenges')
    .column('expires_at')
    .execute()
}
