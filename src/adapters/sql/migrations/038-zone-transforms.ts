import type { Kysely } from 'kysely'

import type { Flavour } from '../flavour.ts'

/** Which transforms of a zone have a name, and whether it has others: null is none, and yes. */
export async function addZoneTransforms(
  { schema }: Kysely<unknown>,
  { text }: Flavour,
): Promise<void> {
  await schema.alterTable('zones').addColumn('transforms', text).execute()
  await schema.alterTable('zones').addColumn('transform_mode', text).execute()
}
