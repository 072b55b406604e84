import { type Database, SQLiteError } from 'bun:sqlite'
import { Worker } from 'node:worker_threads'

import { programFile } from '../../../lib/files/program-files.ts'

/** What the thread is told. */
export type CheckpointMessage =
  | { readonly kind: 'open'; readonly file: string }
  | { readonly kind: 'checkpoint' }
  | { readonly kind: 'close' }

export type CheckpointReport =
  | { readonly kind: 'done'; readonly left?: { readonly logged: number; readonly copied: number } }
  | { readonly kind: 'failed'; readonly message: string; readonly code: string | undefined }
  | { readonly kind: 'closed' }

/** Moves what the write-ahead log has into the database file. */
export interface Checkpoints extends AsyncDisposable {
  /** Throws where a flush has failed: what is on disk cannot be trusted any more. */
  requireHealth(): void
  /** To be told of each. */
  afterCommit(): void
}

interface Options {
  readonly file: string
  /** After how many changed rows; a small write changes about as many as it fills pages of the log. */
  readonly changesBetween: number
}

/** What the thread met that nothing can be built on. */
export class CheckpointError extends Error {
  override readonly name = 'CheckpointError'
  /** SQLite's own. */
  readonly code: string | undefined

  constructor({ message, code }: Extract<CheckpointReport, { kind: 'failed' }>) {
    super(`The write-ahead log could not be copied: ${message}`)
    this.code = code
  }
}

/** A full disk passes: the log is kept, and copied later. */
const isFinal = (code: string | undefined): boolean => code?.startsWith('SQLITE_IOERR') === true

/** From so many pages on the log is to begin anew, which wants a moment when all of it is copied. */
const longLogPages = 8_000
/** So few are copied between two writes. */
const fewPages = 500

/**
 * Copies the log in a thread of its own: SQLite would do it within the commit that finds the log long, and
 * nobody else would be answered meanwhile. A log that writes keep growing is copied to its end here once
 * hardly anything is left to copy; then the next write begins it anew.
 */
export function openCheckpoints(
  database: Database,
  { file, changesBetween }: Options,
): Checkpoints {
  const changeCount = database.query<{ readonly count: number }, []>(
    'select total_changes() as count',
  )
  let seen = 0
  let thread: Worker | undefined
  let isUnderWay = false
  let failure: CheckpointError | undefined
  let closed: (() => void) | undefined
  let isEndDue = false

  function take(report: CheckpointReport): void {
    isUnderWay = false
    if (report.kind === 'closed') closed?.()
    if (report.kind === 'failed' && isFinal(report.code)) failure = new CheckpointError(report)
    if (report.kind !== 'done' || report.left === undefined) return
    const { logged, copied } = report.left
    isEndDue = logged > longLogPages && logged - copied <= fewPages
    copyEnd()
  }

  function copyEnd(): void {
    if (isEndDue) isEndDue = !tryToCopy(database)
  }

  function start(): Worker {
    const started = new Worker(programFile('src/adapters/sql/sqlite/checkpoint-thread.ts'))
    started.unref()
    started.on('message', take)
    started.on('error', ({ message }) => take({ kind: 'failed', message, code: undefined }))
    tell(started, { kind: 'open', file })
    return started
  }

  return {
    requireHealth() {
      if (failure !== undefined) throw failure
    },
    afterCommit() {
      copyEnd()
      const count = changeCount.get()?.count ?? 0
      if (isUnderWay || count - seen < changesBetween) return
      seen = count
      isUnderWay = true
      thread ??= start()
      tell(thread, { kind: 'checkpoint' })
    },
    async [Symbol.asyncDispose]() {
      changeCount.finalize()
      if (thread === undefined) return
      const closing = Promise.withResolvers<void>()
      closed = closing.resolve
      tell(thread, { kind: 'close' })
      await closing.promise
      await thread.terminate()
    },
  }
}

/** Within a transaction, or while rows are read, it cannot be. */
function tryToCopy(database: Database): boolean {
  if (database.inTransaction) return false
  try {
    database.run('pragma wal_checkpoint(passive)')
    return true
  } catch (error) {
    if (error instanceof SQLiteError && error.code === 'SQLITE_LOCKED') return false
    throw error
  }
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
const tell = (thread: Worker, message: CheckpointMessage): void => thread.postMessage(message)
