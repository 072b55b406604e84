import type { Kysely } from 'kysely'

import type { Flavour } from '../flavour.ts'

/** What is known of the certificates of domains, and when each is looked at next. */
export async function addCertificateColumns(
  { schema }: Kysely<unknown>,
  { text }: Flavour,
): Promise<void> {
  await schema
    .alterTable('domains')
    .addColumn('redirects_to_https', 'bigint', (column) => column.notNull().defaultTo(1))
    .execute()
  await schema.alterTable('domains').addColumn('certificate_expires_at', 'bigint').execute()
  await schema
    .alterTable('domains')
    .addColumn('next_check_at', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
  await schema
    .alterTable('domains')
    .addColumn('failures', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
  await schema
    .alterTable('domains')
    .addColumn('history', text, (column) => column.notNull().defaultTo('[]'))
    .execute()
}
