import type { Kysely } from 'kysely'

import type { Flavour } from '../flavour.ts'

/** In which packs other nodes find what a preview has committed: a JSON list. */
export async function addPreviewPacks(
  { schema }: Kysely<unknown>,
  { text }: Flavour,
): Promise<void> {
  await schema
    .alterTable('previews')
    .addColumn('packs', text, (column) => column.notNull().defaultTo('[]'))
    .execute()
}
