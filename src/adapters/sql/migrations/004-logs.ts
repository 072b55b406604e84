import type { Kysely } from 'kysely'

import type { Flavour } from '../flavour.ts'

/** What the log says that is worth reading later. */
export async function createLogTable({ schema }: Kysely<unknown>, flavour: Flavour): Promise<void> {
  const { text } = flavour
  await flavour
    .clustered(schema.createTable('log_records'))
    .addColumn('seq', 'bigint', (column) => column.primaryKey().notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('level', text, (column) => column.notNull())
    .addColumn('code', text)
    .addColumn('message', text, (column) => column.notNull())
    .addColumn('request_id', text)
    .addColumn('zone', text)
    .addColumn('fields', text, (column) => column.notNull())
    .execute()
  await schema.createIndex('log_records_by_time').on('log_records').columns(['at', 'seq']).execute()
}
