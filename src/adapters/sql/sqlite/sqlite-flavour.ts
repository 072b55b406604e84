import { SQLiteError } from 'bun:sqlite'

import { CompiledQuery, sql } from 'kysely'

import type { Flavour } from '../flavour.ts'
import { CheckpointError } from './checkpoints.ts'
import { LogFlushError } from './write-ahead-log.ts'

/** Of `pragma synchronous`. */
const normal = 1
const full = 2

interface SynchronousRow {
  readonly synchronous: number
}

/** Plain text: these are run around each unflushed transaction, and a query builder takes longer than SQLite. */
const readSynchronous = CompiledQuery.raw('pragma synchronous')
const setSynchronous = (value: number): CompiledQuery =>
  CompiledQuery.raw(`pragma synchronous = ${value}`)

export const sqliteFlavour: Flavour = {
  /** Compared by `BINARY`, the default. */
  text: 'text',
  bytes: 'blob',
  nowMs: sql<number>`cast(unixepoch('subsec') * 1000 as integer)`,

  clustered: (table) => table.modifyEnd(sql`without rowid`),

  beginSnapshot: sql`begin`,

  async primaryKey(queries, table) {
    const { rows } = await sql<{ readonly name: string }>`
      select name from pragma_table_info(${table}) where pk > 0 order by pk`.execute(queries)
    return rows.map(({ name }) => name)
  },

  unavailability(error) {
    if (!isOfSqlite(error)) return undefined
    const code = error.code ?? ''
    if (finalCodes.some((each) => code.startsWith(each))) return { final: true }
    if (passingCodes.some((each) => code.startsWith(each))) return { final: false }
    return undefined
  },

  /** A later transaction that is flushed flushes this one too: the log has one order. */
  async unflushedTransaction(queries, work) {
    return await queries.connection().execute(async (connection) => {
      const [found] = (await connection.executeQuery<SynchronousRow>(readSynchronous)).rows
      await connection.executeQuery(setSynchronous(normal))
      try {
        return await connection.transaction().execute(work)
      } finally {
        await connection.executeQuery(setSynchronous(found?.synchronous ?? full))
      }
    })
  },

  /** Deleted rows are overwritten, and the log of changes begins anew. */
  async scrub(queries, work) {
    await sql`pragma secure_delete = on`.execute(queries)
    try {
      await work()
    } finally {
      await sql`pragma secure_delete = off`.execute(queries)
    }
    const { rows } = await sql<{ readonly busy: number }>`pragma wal_checkpoint(truncate)`.execute(
      queries,
    )
    if (rows[0]?.busy !== 0) throw new Error('The log of the database is still being read')
  },

  async integrityFaults(queries) {
    try {
      const { rows } = await sql<Record<string, string>>`pragma quick_check(20)`.execute(queries)
      return rows.flatMap((row) => Object.values(row)).filter((answer) => answer !== 'ok')
    } catch (error) {
      if (error instanceof SQLiteError) return [error.message]
      throw error
    }
  },
}

/** Failed reads, writes and flushes, and what they lead to. */
const isOfSqlite = (error: unknown): error is SQLiteError | CheckpointError | LogFlushError =>
  error instanceof SQLiteError || error instanceof CheckpointError || error instanceof LogFlushError

const finalCodes = ['SQLITE_IOERR', 'SQLITE_CORRUPT', 'SQLITE_NOTADB']
/** A full disk, or another process at work for longer than the busy timeout. */
const passingCodes = ['SQLITE_FULL', 'SQLITE_BUSY', 'SQLITE_CANTOPEN', 'SQLITE_READONLY']
