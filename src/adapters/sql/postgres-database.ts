import { Kysely } from 'kysely'

import { Database } from './database.ts'
import { migrate } from './migrate.ts'
import { type PostgresLimits, postgresLimits } from './postgres-connections.ts'
import { createPostgresDialect } from './postgres-dialect.ts'
import { postgresFlavour } from './postgres-flavour.ts'
import type { Schema } from './schema.ts'

export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`. */
  readonly url: string
  readonly limits?: Partial<PostgresLimits>
}

/**
 * Opens a database and brings its tables to the newest form; of programs that start at once one does
 * so and the others wait. What it acknowledges is flushed on the server.
 */
export async function openPostgresDatabase({ url, limits }: PostgresOptions): Promise<Database> {
  const dialect = createPostgresDialect(url, { ...postgresLimits, ...limits })
  const kysely = new Kysely<Schema>({ dialect })
  try {
    await migrate(kysely, postgresFlavour)
  } catch (error) {
    await kysely.destroy()
    throw error
  }
  return new Database(kysely, postgresFlavour)
}
