import type { Kysely } from 'kysely'

import type { Flavour } from '../flavour.ts'

/** What single zones may have and use, and what delivery is while one has used up its own: null is as ever. */
export async function createZoneQuotaTable(
  { schema }: Kysely<unknown>,
  flavour: Flavour,
): Promise<void> {
  await flavour
    .clustered(schema.createTable('zone_quotas'))
    .addColumn('zone', flavour.text, (column) => column.notNull().primaryKey())
    .addColumn('limits', flavour.text, (column) => column.notNull())
    .addColumn('when_used_up', flavour.text, (column) => column.notNull())
    .execute()
  await schema.alterTable('zones').addColumn('delivery', flavour.text).execute()
}
