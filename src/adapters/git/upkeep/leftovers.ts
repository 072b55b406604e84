import type { Dirent, Stats } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { nextValuePrefix, staleLockMilliseconds } from '../write/branch-ref.ts'
import { pushesDirectory } from '../receive/pushes-directory.ts'
import { unfinishedPrefix } from '../write/pack-store.ts'
import { codeOf } from '../objects/storage-fault.ts'
import { processesOn } from './git-processes.ts'

const dayMilliseconds = 86_400_000
const hourMilliseconds = 3_600_000
const tenMinutesMilliseconds = 600_000

/**
 * Takes away what processes that were killed have left: our own unfinished files at once, and
 * unfinished packs of git processes that are no more, which may be as large as the repository. Locks
 * and temporary files that somebody may be using go only when they are so old that nobody can be: a
 * push or an operator's repack may be running. The caller holds the lock of the data directory.
 */
export async function clearLeftovers(repository: string): Promise<void> {
  const refDirectories = await directoriesBelow(join(repository, 'refs'))
  for (const path of refDirectories) await clearOwnLocks(repository, path)
  await clear(repository, isOwnValue)
  await rm(pushesDirectory(repository), { force: true, recursive: true })
  await clearPacks(join(repository, 'objects', 'pack'))
  for (const path of [repository, ...refDirectories])
    await clear(path, isLock, unwrittenFor(staleLockMilliseconds))
  for (const path of ['info', 'info/commit-graphs', 'pack'])
    await clear(join(repository, 'objects', path), isLock, unwrittenFor(staleLockMilliseconds))
  await clearUnindexedPacks(repository, dayMilliseconds)
  for (const path of ['', ...(await looseDirectories(repository)), 'pack', 'info/commit-graphs'])
    await clear(join(repository, 'objects', path), isTemporary, unwrittenFor(dayMilliseconds))
}

/** Packs of ours that a killed process was writing. The caller is the only one who writes any. */
export const clearUnfinishedPacks = (repository: string): Promise<void> =>
  clear(join(repository, 'objects', 'pack'), isOwnPack)

/**
 * Packs that git does not see, since somebody was killed or failed between a pack and its index. Who is about to add
 * the index has written the pack or given it its name just before.
 */
export async function clearUnindexedPacks(
  repository: string,
  olderThanMilliseconds = hourMilliseconds,
): Promise<void> {
  const directory = join(repository, 'objects', 'pack')
  const isUnindexed = unindexedIn(await entriesOf(directory))
  await clear(directory, isUnindexed, inPlaceFor(olderThanMilliseconds))
}

async function clearPacks(directory: string): Promise<void> {
  await clear(directory, isOwnPack)
  const entries = await entriesOf(directory)
  const isUnindexed = unindexedIn(entries)
  const isLeftover = (name: string) => isTemporary(name) || isUnindexed(name)
  // Listing processes costs something, and most starts find nothing.
  if (!entries.some(({ name }) => isLeftover(name))) return
  const mayBeInUse = await processesOn(directory)
  await clear(directory, (name) => isLeftover(name) && !mayBeInUse(name))
}

/** Whether a file is of a pack that has no index among these. */
function unindexedIn(entries: readonly Dirent[]): (name: string) => boolean {
  const names = new Set(entries.map(({ name }) => name))
  return (name) => {
    const [, stem] = /^(pack-[0-9a-f]{40})\.[a-z]{1,10}$/u.exec(name) ?? []
    return stem !== undefined && !names.has(`${stem}.idx`)
  }
}

/** What fetches that broke off have left. A process that is at work writes to its file all the time. */
export const clearUnfinishedFetches = (
  repository: string,
  olderThanMilliseconds = tenMinutesMilliseconds,
): Promise<void> =>
  clear(join(repository, 'objects', 'pack'), isUnfinishedPack, unwrittenFor(olderThanMilliseconds))

const isOwnValue = (name: string) => name.startsWith(nextValuePrefix)
const isOwnPack = (name: string) => name.startsWith(unfinishedPrefix)
const isLock = (name: string) => name.endsWith('.lock')
const isUnfinishedPack = (name: string) => /^tmp_(?:pack|idx)_/u.test(name)
const isTemporary = (name: string) => /^\.?tmp[-_]/u.test(name)

async function clearOwnLocks(repository: string, directory: string): Promise<void> {
  for (const { name } of await entriesOf(directory))
    if (isLock(name)) await clearOwnLock(repository, join(directory, name))
}

/** Our lock is a second name of the value it was to put in place. */
async function clearOwnLock(repository: string, lockPath: string): Promise<void> {
  const lock = await ifThere(stat(lockPath))
  if (!lock) return
  for (const { name } of await entriesOf(repository)) {
    if (!isOwnValue(name)) continue
    const value = await ifThere(stat(join(repository, name)))
    if (value?.ino === lock.ino) await rm(lockPath, { force: true })
  }
}

const unwrittenFor =
  (milliseconds: number) =>
  ({ mtimeMs }: Stats): boolean =>
    Date.now() - mtimeMs >= milliseconds

/** Since it was given its name, or written. */
const inPlaceFor =
  (milliseconds: number) =>
  ({ ctimeMs }: Stats): boolean =>
    Date.now() - ctimeMs >= milliseconds

async function clear(
  directory: string,
  isLeftover: (name: string) => boolean,
  isOldEnough: (found: Stats) => boolean = () => true,
): Promise<void> {
  for (const { name } of await entriesOf(directory)) {
    if (!isLeftover(name)) continue
    const path = join(directory, name)
    const found = await ifThere(stat(path))
    if (found && isOldEnough(found)) await rm(path, { force: true, recursive: true })
  }
}

async function directoriesBelow(directory: string): Promise<string[]> {
  const below = (await entriesOf(directory)).filter((entry) => entry.isDirectory())
  const deeper = await Promise.all(below.map(({ name }) => directoriesBelow(join(directory, name))))
  return [directory, ...deeper.flat()]
}

const looseDirectories = async (repository: string): Promise<string[]> =>
  (await entriesOf(join(repository, 'objects')))
    .map(({ name }) => name)
    .filter((name) => /^[0-9a-f]{2}$/u.test(name))

const entriesOf = async (directory: string): Promise<Dirent[]> =>
  (await ifThere(readdir(directory, { withFileTypes: true }))) ?? []

async function ifThere<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}
