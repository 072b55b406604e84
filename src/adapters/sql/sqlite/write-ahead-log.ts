import type { Database, Statement } from 'bun:sqlite'
import { closeSync, fdatasync, fdatasyncSync, openSync } from 'node:fs'
import { promisify } from 'node:util'

/** Has large commits flushed in another thread: SQLite would flush them on the one that calls it. */
export interface WriteAheadLog extends Disposable {
  /** Before a transaction begins: its commit is not flushed by SQLite. Answers whether it would have been. */
  postponeFlush(): boolean
  /** Once it has ended, where its flush was postponed. */
  restoreFlush(): void
  /** Resolves once whatever was committed outlives a power cut; throws a {@link LogFlushError}. */
  flush(): Promise<void>
  /** Never rejects; `undefined` where nothing is being flushed. */
  readonly flushed: Promise<void> | undefined
}

/** After this nobody knows what is on disk. */
export class LogFlushError extends Error {
  override readonly name = 'LogFlushError'
  /** SQLite's own for the same. */
  readonly code = 'SQLITE_IOERR_FSYNC'

  constructor(cause: unknown) {
    super('The write-ahead log could not be flushed', { cause })
  }
}

const flushBeside = promisify(fdatasync)
/** Of fewer changed rows the flush takes less of this thread than handing it on does. */
const manyChanges = 500
/** `pragma synchronous`, by number. */
const full = 2

/** Of a database whose file is `file`. */
export function openWriteAheadLog(database: Database, file: string): WriteAheadLog {
  let statements: Statements | undefined
  let descriptor: number | undefined
  let changesBefore = 0
  let flushing: Promise<void> | undefined

  async function noted(flush: Promise<void>): Promise<void> {
    flushing = flush.catch(() => undefined)
    try {
      await flush
    } finally {
      flushing = undefined
    }
  }

  return {
    postponeFlush() {
      statements ??= prepare(database)
      const { synchronous, changes } = statements.read.get() ?? {}
      if (synchronous !== full) return false
      changesBefore = changes ?? 0
      statements.postpone.run()
      return true
    },
    restoreFlush: () => void statements?.restore.run(),
    async flush() {
      try {
        // It is the same file for as long as the database is open.
        descriptor ??= openSync(`${file}-wal`, 'r+')
        const changes = (statements?.read.get()?.changes ?? Infinity) - changesBefore
        if (changes < manyChanges) fdatasyncSync(descriptor)
        else await noted(flushBeside(descriptor))
      } catch (cause) {
        throw new LogFlushError(cause)
      }
    },
    get flushed() {
      return flushing
    },
    [Symbol.dispose]() {
      for (const each of Object.values(statements ?? {})) each.finalize()
      if (descriptor !== undefined) closeSync(descriptor)
    },
  }
}

interface Statements {
  readonly read: Statement<{ readonly synchronous: number; readonly changes: number }, []>
  readonly postpone: Statement
  readonly restore: Statement
}

const prepare = (database: Database): Statements => ({
  read: database.prepare('select synchronous, total_changes() as changes from pragma_synchronous'),
  postpone: database.prepare('pragma synchronous = normal'),
  restore: database.prepare('pragma synchronous = full'),
})
