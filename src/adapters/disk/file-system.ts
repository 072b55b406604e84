import { mkdir, open, rename, stat, unlink, utimes } from 'node:fs/promises'

import { StoreUnavailableError } from '../../ports/store-unavailable-error.ts'

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
