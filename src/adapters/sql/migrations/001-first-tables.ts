import type { Kysely } from 'kysely'

import type { Flavour } from '../flavour.ts'

/** The catalogue, its feed, and what is kept nowhere else: audit records, domains, quotas. */
export async function createFirstTables(tables: Kysely<unknown>, flavour: Flavour): Promise<void> {
  await createCatalogue(tables, flavour)
  await createFeed(tables, flavour)
  await createAudit(tables, flavour)
  await createDomains(tables, flavour)
  await createQuotas(tables, flavour)
}

async function createCatalogue({ schema }: Kysely<unknown>, flavour: Flavour): Promise<void> {
  const { text } = flavour
  await flavour
    .clustered(schema.createTable('assets'))
    .addColumn('path', text, (column) => column.primaryKey().notNull())
    .addColumn('zone', text, (column) => column.notNull())
    .addColumn('category', text, (column) => column.notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('format', text, (column) => column.notNull())
    .addColumn('size_bytes', 'bigint', (column) => column.notNull())
    .addColumn('sha256', text, (column) => column.notNull())
    .addColumn('content_type', text, (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('changed_at', 'bigint', (column) => column.notNull())
    .addColumn('commit_id', text, (column) => column.notNull())
    .execute()
  await flavour
    .clustered(schema.createTable('zones'))
    .addColumn('name', text, (column) => column.primaryKey().notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('enabled', 'integer', (column) => column.notNull())
    .addColumn('suspended', 'integer', (column) => column.notNull())
    .execute()
  await flavour
    .clustered(schema.createTable('rule_files'))
    .addColumn('name', text, (column) => column.primaryKey().notNull())
    .addColumn('content', text, (column) => column.notNull())
    .addColumn('changed_at', 'bigint', (column) => column.notNull())
    .execute()
}

async function createFeed(tables: Kysely<unknown>, flavour: Flavour): Promise<void> {
  const { text } = flavour
  await flavour
    .clustered(tables.schema.createTable('feed'))
    .addColumn('seq', 'bigint', (column) => column.primaryKey().notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('event', text, (column) => column.notNull())
    .addColumn('zone', text)
    .addColumn('path', text)
    .addColumn('commit_id', text)
    .addColumn('data', text, (column) => column.notNull())
    .execute()
  await tables.schema
    .createTable('position')
    .addColumn('id', 'integer', (column) => column.primaryKey().notNull())
    .addColumn('commit_id', text)
    .addColumn('feed_seq', 'bigint', (column) => column.notNull())
    .addColumn('audit_seq', 'bigint', (column) => column.notNull())
    .execute()
  await (tables as Kysely<{ position: { id: number; feed_seq: number; audit_seq: number } }>)
    .insertInto('position')
    .values({ id: 1, feed_seq: 0, audit_seq: 0 })
    .execute()
}

async function createAudit({ schema }: Kysely<unknown>, flavour: Flavour): Promise<void> {
  const { text } = flavour
  await flavour
    .clustered(schema.createTable('audit'))
    .addColumn('seq', 'bigint', (column) => column.primaryKey().notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('action', text, (column) => column.notNull())
    .addColumn('actor', text, (column) => column.notNull())
    .addColumn('target', text, (column) => column.notNull())
    .addColumn('ip', text)
    .addColumn('user_agent', text)
    .addColumn('request_id', text)
    .addColumn('meta', text, (column) => column.notNull())
    .execute()
  await schema.createIndex('audit_by_time').on('audit').columns(['at', 'seq']).execute()
}

async function createDomains({ schema }: Kysely<unknown>, flavour: Flavour): Promise<void> {
  const { text } = flavour
  await flavour
    .clustered(schema.createTable('domains'))
    .addColumn('hostname', text, (column) => column.primaryKey().notNull())
    .addColumn('zone', text, (column) => column.notNull())
    .addColumn('ssl_status', text, (column) => column.notNull())
    .addColumn('ssl_error', text)
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .execute()
  await schema.createIndex('domains_by_zone').on('domains').column('zone').execute()
}

async function createQuotas({ schema }: Kysely<unknown>, flavour: Flavour): Promise<void> {
  const { text } = flavour
  await flavour
    .clustered(schema.createTable('quotas'))
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('quota_window', text, (column) => column.notNull())
    .addColumn('used', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('quotas_by_name_and_window', ['name', 'quota_window'])
    .execute()
}
