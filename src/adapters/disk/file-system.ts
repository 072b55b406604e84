import { mkdir, open, rename, stat, unlink, utimes } from 'node:fs/promises'

/** What taking a blob in asks of the operating system; tests put faults in between. */
export interface FileSystem {
  readonly mkdir: typeof mkdir
  readonly open: typeof open
  readonly rename: typeof rename
  readonly stat: typeof stat
  readonly unlink: typeof unlink
  readonly utimes: typeof utimes
}

export const nodeFileSystem: FileSystem = { mkdir, open, rename, stat, unlink, utimes }

/** The value, or `undefined` where the file or its directory does not exist. */
export async function ifPresent<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (isAbsence(error)) return undefined
    throw error
  }
}

export const isAbsence = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
