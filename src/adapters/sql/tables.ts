import { type Kysely, sql } from 'kysely'

import type { Schema } from './schema.ts'

const ownTables = new Set(['migrations', 'migration_lock'])

/** The tables that hold rows of the service, by name. */
export async function tableNames({
  introspection,
}: Pick<Kysely<Schema>, 'introspection'>): Promise<readonly string[]> {
  const tables = await introspection.getTables()
  return tables
    .map(({ name }) => name)
    .filter((name) => !ownTables.has(name))
    .toSorted()
}

/** The step that brought the tables to their form. */
export async function newestMigration(queries: Kysely<Schema>): Promise<string> {
  const { rows } = await sql<{ readonly name: string }>`
    select name from migrations order by name desc limit 1`.execute(queries)
  return rows[0]?.name ?? ''
}
