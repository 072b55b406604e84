import { Kysely } from 'kysely'

import { Database } from '../database.ts'
import { migrate } from '../migrate.ts'
import { type PostgresLimits, postgresLimits } from './postgres-connections.ts'
import { createPostgresDialect } from './postgres-dialect.ts'
import { postgresFlavour } from './postgres-flavour.ts'
import type { Schema } from '../schema.ts'
import type { StoreUnavailableError } from '../../../ports/store-unavailable-error.ts'

export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`. */
  readonly url: string
  readonly limits?: Partial<PostgresLimits>
  /** See {@link migrate}. */
  readonly upTo?: string
  /** The epoch in which the process may write; every transaction of another one fails for good. */
  readonly epoch?: number
  /** Told once where that epoch is over. */
  readonly onFatal?: (failure: StoreUnavailableError) => void
}

/**
 * Opens a database and brings its tables to the newest form; of programs that start at once one does
 * so and the others wait. What it acknowledges is flushed on the server.
 */
export async function openPostgresDatabase(options: PostgresOptions): Promise<Database> {
  const { url, epoch, onFatal } = options
  const limits = { ...postgresLimits, ...options.limits }
  const dialect = createPostgresDialect({ url, limits, epoch })
  const kysely = new Kysely<Schema>({ dialect })
  try {
    await migrate(kysely, postgresFlavour, options.upTo)
  } catch (error) {
    await kysely.destroy()
    throw error
  }
  return new Database(kysely, postgresFlavour, { onFatal })
}
