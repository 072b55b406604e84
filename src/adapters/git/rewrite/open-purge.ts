import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { writeFileDurably } from '../../../lib/files/durable-files.ts'
import { ifPresent } from '../../../lib/files/file-faults.ts'

const pathIn = (repository: string): string => join(repository, 'sedge-open-purge')

/** Records, before refs move, that objects are to leave the repository which nothing leads to then. */
export const notePurge = (repository: string): Promise<void> =>
  writeFileDurably(pathIn(repository), '')

/** Records that they have left. */
export const notePurged = (repository: string): Promise<void> =>
  rm(pathIn(repository), { force: true })

/** Whether a process has ended in between. */
export const isPurgeOpen = async (repository: string): Promise<boolean> =>
  (await ifPresent(stat(pathIn(repository)))) !== undefined
