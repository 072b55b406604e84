import type { Kysely } from 'kysely'

import type { Flavour } from '../flavour.ts'

/** Who may ask for what a zone had: null is nobody. */
export async function addZoneHistories(
  { schema }: Kysely<unknown>,
  { text }: Flavour,
): Promise<void> {
  await schema.alterTable('zones').addColumn('history', text).execute()
}
