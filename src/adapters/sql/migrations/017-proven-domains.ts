import type { Kysely } from 'kysely'

/** Whether a host name is known to be its zone's to use. Those that were there already are served on. */
export async function addProofOfDomains({ schema }: Kysely<unknown>): Promise<void> {
  await schema
    .alterTable('domains')
    .addColumn('proven', 'integer', (column) => column.notNull().defaultTo(1))
    .execute()
}
