import { dirname, join } from 'node:path'

import { isAbsence } from '../../../lib/files/file-faults.ts'
import type { SyncFileSystem } from '../file-system.ts'
import type { NewBlobFile } from './blob-files.ts'

/**
 * Makes a file of bytes, unless as many are there already. Answers the outermost directory that had to be made, if
 * any. Where it fails nothing is left.
 *
 * @param incoming - where it is written before it gets its name.
 */
export function writeBlobFile(
  files: SyncFileSystem,
  incoming: string,
  file: NewBlobFile,
): string | undefined {
  const { path, bytes, keptAt } = file
  if (files.stat(path, { throwIfNoEntry: false })?.size !== bytes.length)
    return writeNewFile(files, incoming, file)
  files.utimes(path, keptAt, keptAt)
  return undefined
}

function writeNewFile(
  files: SyncFileSystem,
  incoming: string,
  { path, bytes, keptAt }: NewBlobFile,
): string | undefined {
  const temporary = join(incoming, Bun.randomUUIDv7())
  const file = files.open(temporary, 'wx')
  try {
    for (let done = 0; done < bytes.length;) done += files.write(file, bytes, done)
    files.futimes(file, keptAt, keptAt)
    return moveFile(files, temporary, path)
  } catch (error) {
    files.unlink(temporary)
    throw error
  } finally {
    files.close(file)
  }
}

function moveFile(files: SyncFileSystem, from: string, to: string): string | undefined {
  try {
    files.rename(from, to)
    return undefined
  } catch (error) {
    if (!isAbsence(error)) throw error
    const firstMade = files.mkdir(dirname(to), { recursive: true })
    files.rename(from, to)
    return firstMade
  }
}
