import { join } from 'node:path'

import type { Database } from '../../adapters/sql/database.ts'
import { openSqliteDatabase, openSqliteReader } from '../../adapters/sql/sqlite/sqlite-database.ts'
import type { World } from '../world.ts'

/** A node that stops in the middle of a transaction holds the next one up for so long. */
const clusterIdleMs = 3_000
const workerReaders = 2

/** The metadata, for the process that writes it. PostgreSQL is loaded where it is wanted. */
export async function openDatabase(
  { config, onFatal, writing }: World,
  opening: AsyncDisposableStack,
): Promise<Database> {
  const { databaseUrl, dataDirectory } = config
  if (databaseUrl === undefined)
    return opening.use(await openSqliteDatabase({ file: fileIn(dataDirectory), onFatal }))
  const { openPostgresDatabase } = await import('../../adapters/sql/postgres/postgres-database.ts')
  const url = databaseUrl.reveal()
  if (writing !== undefined) {
    const { epoch } = writing
    const limits = { idleMs: clusterIdleMs }
    return opening.use(await openPostgresDatabase({ url, limits, epoch, onFatal }))
  }
  const { claimPostgres } = await import('../../adapters/sql/postgres/claim-postgres.ts')
  opening.use(await claimPostgres({ url, onLost: onFatal }))
  return opening.use(await openPostgresDatabase({ url }))
}

/** Where the metadata is, as plain data: worker processes are sent it as JSON. */
export interface DatabaseSettings {
  readonly dataDirectory: string
  /** `undefined` where it is SQLite's, in the data directory. */
  readonly databaseUrl: string | undefined
}

/** The same metadata, for a process that reads it beside the one that writes. */
export async function openDatabaseReader(settings: DatabaseSettings): Promise<Database> {
  const { dataDirectory, databaseUrl: url } = settings
  if (url === undefined) return openSqliteReader({ file: fileIn(dataDirectory) })
  const { openPostgresDatabase } = await import('../../adapters/sql/postgres/postgres-database.ts')
  return await openPostgresDatabase({ url, limits: { readers: workerReaders } })
}

const fileIn = (dataDirectory: string): string => join(dataDirectory, 'sedge.db')
