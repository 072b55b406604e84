import type { Kysely } from 'kysely'

import type { Flavour } from '../flavour.ts'

/** Which commit made a zone: what is older is not its own. */
export async function addZoneCommits(
  { schema }: Kysely<unknown>,
  { text }: Flavour,
): Promise<void> {
  await schema.alterTable('zones').addColumn('commit_id', text).execute()
}
