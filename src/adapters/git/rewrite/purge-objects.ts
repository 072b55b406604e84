import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { runGit } from '../objects/git-command.ts'
import { flushPath } from '../objects/durable-file.ts'

/** Where packs are made before they take the place of others. */
const anewName = 'sedge-anew'

/**
 * Leaves nothing in the repository that no ref leads to: one pack of all the rest takes the place of the given ones,
 * which are those of a moment at which refs led to all that is to stay. What was written since lies in others.
 */
export async function purgeObjects(
  repository: string,
  formerIndexes: readonly string[],
  run: (args: readonly string[]) => Promise<void>,
): Promise<void> {
  const anew = join(repository, 'objects', anewName)
  const directory = join(repository, 'objects', 'pack')
  await rm(anew, { recursive: true, force: true })
  await mkdir(anew)
  await run(['pack-objects', '--all', '--quiet', '--non-empty', join(anew, 'pack')])
  const made = await readdir(anew)
  // A pack without an index is none for git, so that comes last.
  for (const name of made.toSorted(indexesLast))
    await rename(join(anew, name), join(directory, name))
  await flushPath(directory)
  const info = join(repository, 'objects', 'info')
  await rm(join(info, 'commit-graph'), { force: true })
  await rm(join(info, 'commit-graphs'), { recursive: true, force: true })
  await removePacks(
    directory,
    formerIndexes.filter((name) => !made.includes(name)),
  )
  if (await hasLooseObjects(repository)) await run(['prune', '--expire=now'])
  for (const name of ['logs', 'FETCH_HEAD', 'ORIG_HEAD', join('objects', anewName)])
    await rm(join(repository, name), { recursive: true, force: true })
  await flushPath(directory)
}

const indexesLast = (one: string, other: string): number =>
  Number(one.endsWith('.idx')) - Number(other.endsWith('.idx'))

const packsFirst = (one: string, other: string): number =>
  Number(other.endsWith('.pack')) - Number(one.endsWith('.pack'))

async function removePacks(directory: string, indexNames: readonly string[]): Promise<void> {
  const names = await readdir(directory)
  for (const name of names)
    if (name.startsWith('multi-pack-index')) await rm(join(directory, name), { force: true })
  for (const indexName of indexNames) {
    const stem = indexName.slice(0, -'.idx'.length)
    // Nor is an index without a pack, and whoever is killed in between has left no bytes that nobody lists.
    const ofPack = names.filter((name) => name.startsWith(`${stem}.`))
    for (const name of ofPack.toSorted(packsFirst)) await rm(join(directory, name), { force: true })
  }
}

async function hasLooseObjects(repository: string): Promise<boolean> {
  const output = await runGit(repository, ['count-objects'])
  return !output.toString('latin1').startsWith('0 objects')
}
