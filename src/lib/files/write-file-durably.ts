import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'

import { flushDirectory } from './durable-directory.ts'

/**
 * Gives a small file new contents, all or nothing, and answers once they would survive a power cut.
 * Only one writer of a path at a time.
 */
export async function writeFileDurably(path: string, text: string): Promise<void> {
  const temporary = `${path}.new`
  {
    await using handle = await open(temporary, 'w')
    await handle.writeFile(text)
    await handle.datasync()
  }
  await rename(temporary, path)
  await flushDirectory(dirname(path))
}
