import { Database } from 'bun:sqlite'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'

/** How long a predecessor that is just ending may take. */
const patienceMs = 500

/**
 * Says that a backup is being put into the directory, and which; gone once all of it is there. Until then nothing
 * else may work on it.
 */
export const restoringName = 'restoring.json'

/** The directory is in use. The message says by whom. */
export class DataDirectoryLockedError extends Error {
  override readonly name = 'DataDirectoryLockedError'
}

/**
 * Makes this process the only one that works on `directory`, until it is disposed or dies in whatever
 * way: the lock is the operating system's, on a file that SQLite holds exclusively, so that there is
 * nothing to clean up after `kill -9` or a power cut and no process id that another program could get
 * meanwhile. The directory must not be on a file system without locks (some network ones).
 */
export async function lockDataDirectory(directory: string): Promise<AsyncDisposable> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const holderFile = join(directory, 'lock.pid')
  const database = new Database(join(directory, 'lock.db'))
  try {
    database.run(`PRAGMA busy_timeout = ${patienceMs}`)
    database.run('BEGIN EXCLUSIVE')
  } catch (cause) {
    database.close()
    throw await refusal(directory, holderFile, cause)
  }
  await writeFile(holderFile, `${process.pid}\n`)
  return { [Symbol.asyncDispose]: async () => database.close() }
}

async function refusal(directory: string, holderFile: string, cause: unknown): Promise<Error> {
  const isBusy = cause instanceof Error && 'code' in cause && cause.code === 'SQLITE_BUSY'
  if (!isBusy) return new Error(`${resolve(directory)} cannot be locked`, { cause })
  const holder = await readFile(holderFile, 'utf8').catch(() => '')
  const who = /^\d+\n$/u.test(holder) ? `process ${holder.trim()}` : 'another process'
  return new DataDirectoryLockedError(
    `${resolve(directory)} is in use by ${who}; stop that, or set DATA_DIR to another directory`,
    { cause },
  )
}
