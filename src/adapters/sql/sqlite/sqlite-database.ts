import { Database as BunDatabase } from 'bun:sqlite'
import { open } from 'node:fs/promises'

import { Kysely, sql } from 'kysely'

import { Database } from '../database.ts'
import { migrate } from '../migrate.ts'
import type { Schema } from '../schema.ts'
import { openCheckpoints } from './checkpoints.ts'
import { createSqliteDialect } from './sqlite-dialect.ts'
import { sqliteFlavour } from './sqlite-flavour.ts'
import { openWriteAheadLog } from './write-ahead-log.ts'
import type { StoreUnavailableError } from '../../../ports/store-unavailable-error.ts'

export interface SqliteOptions {
  /** Made where it does not exist, readable by its owner alone. Its directory must exist. */
  readonly file: string
  /**
   * Whether what it acknowledges survives a power cut (what is left out: yes). Where not, it still
   * outlives the process, and is whole after a power cut, though older.
   */
  readonly survivesPowerCut?: boolean
  /** After how many changed rows the log is copied; see {@link openCheckpoints}. */
  readonly changesBetween?: number
  /** See {@link migrate}. */
  readonly upTo?: string
  /** A flush failed: nothing is written any more until the file is opened again. */
  readonly onFatal?: (failure: StoreUnavailableError) => void
}

/**
 * Opens a database file and brings its tables to the newest form. What it acknowledges survives a power
 * cut: `synchronous=FULL` flushes the write-ahead log at every commit, `NORMAL` would not. Of transactions another
 * thread flushes it, before anybody is told ({@link openWriteAheadLog}).
 */
export async function openSqliteDatabase({
  file,
  onFatal,
  upTo,
  survivesPowerCut = true,
  changesBetween = usualChangesBetween,
}: SqliteOptions): Promise<Database> {
  await makePrivate(file)
  const handle = new BunDatabase(file, { readwrite: true, create: true })
  const checkpoints = openCheckpoints(handle, { file, changesBetween })
  // Another handle of this thread would wait for a transaction that waits for its turn.
  const sharing = { givesTurns: false }
  const log = openWriteAheadLog(handle, file)
  const dialect = createSqliteDialect(handle, { checkpoints, log, sharing })
  const kysely = new Kysely<Schema>({ dialect })
  try {
    for (const pragma of pragmas) handle.run(`pragma ${pragma}`)
    if (!survivesPowerCut) handle.run('pragma synchronous = normal')
    await migrate(kysely, sqliteFlavour, upTo)
    sharing.givesTurns = true
    const reading = openReading(file, () => log.flushed)
    // One that was never asked is not closed by Kysely, and SQLite leaves its log beside the file then.
    await sql`select 1`.execute(reading)
    return new Database(kysely, sqliteFlavour, { onFatal, reading })
  } catch (error) {
    await kysely.destroy()
    handle.close()
    throw error
  }
}

/**
 * Opens the file of a database that another process keeps open and has brought to its newest form, for
 * reading alone: what that process has committed is seen by the next query.
 */
export const openSqliteReader = ({ file }: SqliteOptions): Database =>
  new Database(openReading(file), sqliteFlavour)

/** A connection of its own, which sees what has been committed and waits for nobody who writes. */
function openReading(file: string, flushed?: () => Promise<void> | undefined): Kysely<Schema> {
  const handle = new BunDatabase(file, { readonly: true })
  for (const pragma of ['busy_timeout = 2000', 'query_only = on', 'cache_size = -4000'])
    handle.run(`pragma ${pragma}`)
  return new Kysely<Schema>({
    dialect: createSqliteDialect(handle, { ...(flushed && { flushed }) }),
  })
}

const pragmas = [
  'busy_timeout = 2000',
  'journal_mode = wal',
  'synchronous = full',
  'foreign_keys = on',
  'cache_size = -16000',
  // In pages: only where the thread that copies the log does not.
  'wal_autocheckpoint = 100000',
  'journal_size_limit = 67108864',
]

const usualChangesBetween = 500

/** SQLite gives its side files the mode of the main one. */
async function makePrivate(file: string): Promise<void> {
  await using _made = await open(file, 'a', 0o600)
}
