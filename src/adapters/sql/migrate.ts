import { type Kysely, Migrator, sql } from 'kysely'

import { StoreUnavailableError } from '../../ports/store-unavailable-error.ts'
import type { Flavour } from './flavour.ts'
import { migrationsFor } from './migrations.ts'
import type { Schema } from './schema.ts'

/**
 * Brings the tables to the newest form, in one transaction. There is no way back: a database that a
 * newer program has changed is refused with a {@link StoreUnavailableError}, and left as it is.
 *
 * @param upTo - the step to end with, for rows of a database that knew no later one.
 */
export async function migrate(
  database: Kysely<Schema>,
  flavour: Flavour,
  upTo?: string,
): Promise<void> {
  const migrations = migrationsFor(flavour)
  const migrator = new Migrator({
    db: database,
    provider: { getMigrations: async () => migrations },
    migrationTableName,
    migrationLockTableName: 'migration_lock',
  })
  const { error } =
    upTo === undefined ? await migrator.migrateToLatest() : await migrator.migrateTo(upTo)
  if (error === undefined) return
  await refuseNewer(database, Object.keys(migrations))
  throw new Error('The database could not be brought to the newest form', { cause: error })
}

const migrationTableName = 'migrations'

async function refuseNewer(database: Kysely<Schema>, known: readonly string[]): Promise<void> {
  const { rows } = await sql<{ readonly name: string }>`
    select name from ${sql.table(migrationTableName)}`.execute(database)
  const unknown = rows.map(({ name }) => name).filter((name) => !known.includes(name))
  if (unknown.length > 0)
    throw new StoreUnavailableError(
      `The database was changed by a newer Sedge (${unknown.join(', ')}): run that version, or restore the backup made before it`,
      { store: 'metadata', final: true },
    )
}
