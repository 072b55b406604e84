import type { Kysely } from 'kysely'

import type { Flavour } from '../flavour.ts'

/** What is known of an asset, as JSON; null where that is nothing. */
export async function addAssetMetadata(
  { schema }: Kysely<unknown>,
  { text }: Flavour,
): Promise<void> {
  await schema.alterTable('assets').addColumn('metadata', text).execute()
}
