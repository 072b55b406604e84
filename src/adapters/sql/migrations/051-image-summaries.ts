import type { Kysely } from 'kysely'

import type { Flavour } from '../flavour.ts'

/** What stands for an image, as JSON: it is found before all that takes longer. */
export async function addImageSummaries(
  { schema }: Kysely<unknown>,
  { text }: Flavour,
): Promise<void> {
  await schema.alterTable('media_facts').addColumn('summary', text).execute()
}
