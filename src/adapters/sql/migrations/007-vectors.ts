import type { Kysely } from 'kysely'

import type { Flavour } from '../flavour.ts'

/** The vectors of texts, by model and engine and the hash of the text. */
export async function createVectorTable(
  { schema }: Kysely<unknown>,
  flavour: Flavour,
): Promise<void> {
  const { text, bytes } = flavour
  await flavour
    .clustered(schema.createTable('vectors'))
    .addColumn('space', text, (column) => column.notNull())
    .addColumn('text_hash', text, (column) => column.notNull())
    .addColumn('vector', bytes, (column) => column.notNull())
    .addPrimaryKeyConstraint('vectors_by_text', ['space', 'text_hash'])
    .execute()
}
