import { type Kysely, sql } from 'kysely'

import type { Flavour } from '../flavour.ts'

/** Certificates of domains where no node has them alone, and what an edge must know of a domain. */
export async function createCertificateTables(
  tables: Kysely<unknown>,
  flavour: Flavour,
): Promise<void> {
  const { schema } = tables
  const { text } = flavour
  await flavour
    .clustered(schema.createTable('certificates'))
    .addColumn('hostname', text, (column) => column.primaryKey().notNull())
    .addColumn('chain', text, (column) => column.notNull())
    .addColumn('sealed_key', text, (column) => column.notNull())
    .addColumn('valid_from', 'bigint', (column) => column.notNull())
    .addColumn('valid_until', 'bigint', (column) => column.notNull())
    .execute()
  await schema
    .createTable('certificate_account')
    .addColumn('id', 'integer', (column) => column.primaryKey().notNull())
    .addColumn('sealed_key', text, (column) => column.notNull())
    .execute()
  await schema
    .alterTable('replica_hosts')
    .addColumn('redirects_to_https', 'bigint', (column) => column.notNull().defaultTo(1))
    .execute()
  // An edge found these by itself, and does not know what the owners of images say.
  await sql`delete from media_facts where exists (select 1 from replica_position)`.execute(tables)
}
