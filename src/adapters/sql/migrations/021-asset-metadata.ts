import type { Kysely } from 'kysely'

import type { Flavour } from '../flavour.ts'

/** What is known of an asset, as JSON, what a zone's own fields may be, and whether its focal point is there already. */
export async function addAssetMetadata(
  { schema }: Kysely<unknown>,
  { text }: Flavour,
): Promise<void> {
  await schema.alterTable('assets').addColumn('metadata', text).execute()
  await schema.alterTable('zones').addColumn('fields', text).execute()
  await schema
    .alterTable('media_facts')
    .addColumn('focal_point_carried', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
}
