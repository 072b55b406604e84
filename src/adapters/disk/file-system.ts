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
