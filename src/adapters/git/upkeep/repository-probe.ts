import { unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { runGit } from '../objects/git-command.ts'

const content = new TextEncoder().encode('health check\n')

/**
 * Rejects where the repository cannot be read or written now. Asks a process of its own: one that has
 * the repository open already would go on to answer from files that are gone.
 */
export async function probeRepository(directory: string, head: string | undefined): Promise<void> {
  const id = (await runGit(directory, ['hash-object', '-w', '--stdin'], content)).toString().trim()
  await runGit(directory, ['cat-file', '-e', id])
  if (head !== undefined) await runGit(directory, ['cat-file', '-e', `${head}^{tree}`])
  // What git has written before it does not write again.
  const file = join(directory, 'objects', 'health-check.tmp')
  await writeFile(file, content)
  await unlink(file)
}
