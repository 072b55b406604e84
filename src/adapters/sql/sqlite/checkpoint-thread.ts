import { Database, SQLiteError } from 'bun:sqlite'
import { parentPort } from 'node:worker_threads'

import type { CheckpointReport, CheckpointMessage } from './checkpoints.ts'

/** A thread's connection of its own: what it copies holds nobody up. See {@link openCheckpoints}. */
let database: Database | undefined

function reportOn(message: CheckpointMessage): CheckpointReport {
  try {
    if (message.kind === 'open') {
      database = new Database(message.file, { readwrite: true })
      database.run('pragma busy_timeout = 2000')
      return { kind: 'done' }
    }
    if (message.kind === 'close') {
      database?.close(true)
      return { kind: 'closed' }
    }
    const row = database?.query('pragma wal_checkpoint(passive)').values()[0] ?? []
    const [, logged = 0, copied = 0] = row.map(Number)
    return { kind: 'done', left: { logged, copied } }
  } catch (error) {
    const code = error instanceof SQLiteError ? error.code : undefined
    return { kind: 'failed', message: String(error), code }
  }
}

parentPort?.on('message', (message: CheckpointMessage) =>
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
  parentPort?.postMessage(reportOn(message)),
)
