import type { Kysely } from 'kysely'

import type { Flavour } from '../flavour.ts'

/** What images look like, by the SHA-256 of their bytes: found without the rest of what is known. */
export async function createImageLikenessTable(
  { schema }: Kysely<unknown>,
  flavour: Flavour,
): Promise<void> {
  const { text } = flavour
  await flavour
    .clustered(schema.createTable('image_likenesses'))
    .addColumn('sha256', text, (column) => column.primaryKey().notNull())
    .addColumn('likeness', text, (column) => column.notNull())
    .execute()
}
