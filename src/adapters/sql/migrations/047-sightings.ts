import type { Kysely } from 'kysely'

import type { Flavour } from '../flavour.ts'

/** What models saw in images, what is settled of that, and what zones want of it: null is as by default. */
export async function createSightingTables(
  { schema }: Kysely<unknown>,
  flavour: Flavour,
): Promise<void> {
  const { text } = flavour
  await flavour
    .clustered(schema.createTable('sightings'))
    .addColumn('sha256', text, (column) => column.primaryKey().notNull())
    .addColumn('seen_at', 'bigint', (column) => column.notNull())
    .addColumn('safety', text)
    .addColumn('sighting', text)
    .execute()
  await schema.createIndex('sightings_by_time').on('sightings').column('seen_at').execute()
  await schema.createIndex('sightings_by_safety').on('sightings').column('safety').execute()
  await flavour
    .clustered(schema.createTable('settled_suggestions'))
    .addColumn('path', text, (column) => column.primaryKey().notNull())
    .addColumn('sha256', text, (column) => column.notNull())
    .addColumn('members', text, (column) => column.notNull())
    .execute()
  await schema
    .createIndex('settled_suggestions_by_sha256')
    .on('settled_suggestions')
    .column('sha256')
    .execute()
  for (const column of ['vision', 'moderation', 'languages'])
    await schema.alterTable('zones').addColumn(column, text).execute()
}
