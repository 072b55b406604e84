import type { Kysely } from 'kysely'

import type { Flavour } from '../flavour.ts'

/** Which expiry of an asset has been told of, so that none is told of twice. */
export async function createAnnouncedExpiries(
  { schema }: Kysely<unknown>,
  { text }: Flavour,
): Promise<void> {
  await schema
    .createTable('announced_expiries')
    .addColumn('path', text, (column) => column.primaryKey().notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute()
}
