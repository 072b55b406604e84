import type { Kysely } from 'kysely'

import type { Flavour } from '../flavour.ts'

/** What is written in images, beside what else was found in them. */
export async function addImageTexts({ schema }: Kysely<unknown>, { text }: Flavour): Promise<void> {
  await schema.alterTable('media_facts').addColumn('text', text).execute()
}
