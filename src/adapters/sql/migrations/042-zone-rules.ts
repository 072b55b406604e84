import type { Kysely } from 'kysely'

import type { Flavour } from '../flavour.ts'

/** The rule files of a zone's own, and what holds for its files where nothing else is said: null is none. */
export async function addZoneRules({ schema }: Kysely<unknown>, { text }: Flavour): Promise<void> {
  await schema.alterTable('zones').addColumn('headers', text).execute()
  await schema.alterTable('zones').addColumn('redirects', text).execute()
  await schema.alterTable('zones').addColumn('cache_seconds', 'integer').execute()
  await schema.alterTable('zones').addColumn('metadata_policy', text).execute()
}
