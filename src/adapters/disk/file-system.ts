import {
  closeSync,
  fdatasync,
  fsync,
  futimesSync,
  mkdirSync,
  openSync,
  renameSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeSync,
} from 'node:fs'
import { mkdir, open, rename, stat, unlink, utimes } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'

import { isAbsence } from '../../lib/files/file-faults.ts'
import { StoreUnavailableError } from '../../ports/store-unavailable-error.ts'

/** What taking a blob in asks of the operating system; tests put faults in between. */
export interface FileSystem {
  readonly mkdir: typeof mkdir
  readonly open: typeof open
  readonly rename: typeof rename
  readonly stat: typeof stat
  readonly unlink: typeof unlink
  readonly utimes: typeof utimes
  /**
   * What only reaches the kernel's memory, for many small files: to hand such a call to another thread and wait
   * for it takes longer than the call.
   */
  readonly sync: SyncFileSystem
  readonly fdatasync: (file: number) => Promise<void>
  readonly fsync: (file: number) => Promise<void>
}

export interface SyncFileSystem {
  readonly close: typeof closeSync
  readonly futimes: typeof futimesSync
  readonly mkdir: typeof mkdirSync
  readonly open: typeof openSync
  readonly rename: typeof renameSync
  readonly stat: typeof statSync
  readonly unlink: typeof unlinkSync
  readonly utimes: typeof utimesSync
  readonly write: (file: number, bytes: Uint8Array, offset: number) => number
}

export const nodeFileSystem: FileSystem = {
  mkdir,
  open,
  rename,
  stat,
  unlink,
  utimes,
  sync: {
    close: closeSync,
    futimes: futimesSync,
    mkdir: mkdirSync,
    open: openSync,
    rename: renameSync,
    stat: statSync,
    unlink: unlinkSync,
    utimes: utimesSync,
    write: writeSync,
  },
  fdatasync: promisify(fdatasync),
  fsync: promisify(fsync),
}

/** What the operating system refused (a full disk, no more open files) as the port's own error. */
export function translateFault(error: unknown): unknown {
  if (!(error instanceof Error) || !('syscall' in error)) return error
  return new StoreUnavailableError('The blob store cannot be written to', {
    store: 'blobs',
    final: false,
    cause: error,
  })
}

export async function translatingFaults<T>(operation: Promise<T>): Promise<T> {
  try {
    return await operation
  } catch (error) {
    throw translateFault(error)
  }
}

/** Renames a file, into a directory that may have to be made; answers the outermost one that had to be. */
export async function moveFile(
  files: FileSystem,
  from: string,
  to: string,
): Promise<string | undefined> {
  try {
    await files.rename(from, to)
    return undefined
  } catch (error) {
    if (!isAbsence(error)) throw error
    const firstMade = await files.mkdir(dirname(to), { recursive: true })
    await files.rename(from, to)
    return firstMade
  }
}
