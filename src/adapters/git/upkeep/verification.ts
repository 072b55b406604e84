import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { tryGit } from '../objects/git-command.ts'

const mostAttempts = 5

/**
 * What git finds wrong with a repository, a line each. Packs that another process joins meanwhile
 * look like missing ones to fsck, so what it says then does not count.
 */
export async function verifyRepository(directory: string): Promise<readonly string[]> {
  for (let attempt = 1; ; attempt += 1) {
    const before = await packNames(directory)
    const problems = await check(directory)
    const after = new Set(await packNames(directory))
    const isUndisturbed = before.every((name) => after.has(name))
    if (problems.length === 0 || isUndisturbed || attempt === mostAttempts) return problems
  }
}

export const packNames = async (directory: string): Promise<readonly string[]> =>
  (await readdir(join(directory, 'objects', 'pack'))).filter((name) => name.endsWith('.idx'))

async function check(directory: string): Promise<readonly string[]> {
  const { exitCode, output, errors } = await tryGit(directory, [
    'fsck',
    '--full',
    '--strict',
    '--no-dangling',
    '--no-progress',
  ])
  const lines = `${output.toString()}\n${errors}`.split('\n')
  const problems = lines.filter((line) => line !== '' && !line.startsWith('notice:'))
  return exitCode !== 0 && problems.length === 0 ? [`git fsck: exit code ${exitCode}`] : problems
}
