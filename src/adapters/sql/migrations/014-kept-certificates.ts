import type { Kysely } from 'kysely'

import type { Flavour } from '../flavour.ts'

/** Certificates of domains where no node has them alone, and what an edge must know of a domain. */
export async function createCertificateTables(
  { schema }: Kysely<unknown>,
  flavour: Flavour,
): Promise<void> {
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
}
