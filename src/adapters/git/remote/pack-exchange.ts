import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

import { readableStreamOf } from '../../../lib/bytes/byte-streams.ts'
import type { BlobBytes } from '../../../ports/content/blob-store.ts'
import type { RepositoryCopy, RepositorySource } from '../../../ports/content/repository-copy.ts'
import { runGit, streamGit, tryGit } from '../objects/git-command.ts'
import { clearLeftovers } from '../upkeep/leftovers.ts'
import { FormerCommits } from '../rewrite/former-commits.ts'
import { purgeObjects } from '../rewrite/purge-objects.ts'
import { packNames } from '../upkeep/verification.ts'
import type { RecentPacks } from '../write/recent-packs.ts'
import { prepareRepository } from '../upkeep/repository-setup.ts'

const main = 'refs/heads/main'

/** Packs of a repository that this process writes. */
export class PackSource implements RepositorySource {
  readonly #directory: string
  readonly #recent: RecentPacks
  readonly #former: Pick<FormerCommits, 'resolve'>

  constructor(directory: string, recent: RecentPacks, former: Pick<FormerCommits, 'resolve'>) {
    this.#former = former
    this.#directory = resolve(directory)
    this.#recent = recent
  }

  async packs(
    after: string | undefined,
    commitId: string,
  ): Promise<readonly ReadableStream<Uint8Array>[]> {
    const paths = this.#recent.between(after, commitId)
    // Small packs are joined now and then: what is gone lies in another one.
    if (paths?.every((path) => existsSync(path)) === true)
      return paths.map((path) => Bun.file(path).stream())
    return await this.packsAnew(after, commitId)
  }

  async packsAnew(
    after: string | undefined,
    commitId: string,
  ): Promise<readonly ReadableStream<Uint8Array>[]> {
    const [from, to] = [this.#former.resolve(after), this.#former.resolve(commitId)]
    const revisions = from === undefined ? [to] : [to, `^${from}`]
    const args = ['pack-objects', '--stdout', '--revs', '--quiet']
    const input = new TextEncoder().encode(`${revisions.join('\n')}\n`)
    return [readableStreamOf(streamGit(this.#directory, args, input))]
  }
}

interface CopyOptions {
  /** The bare repository; made where it is not there. Nobody else writes to it meanwhile. */
  readonly directory: string
  readonly onWarning: (message: string) => void
}

/** A repository that is brought to where another one is, by the packs of that. */
export async function openRepositoryCopy(options: CopyOptions): Promise<RepositoryCopy> {
  const directory = resolve(options.directory)
  await mkdir(dirname(directory), { recursive: true })
  await prepareRepository(directory, options.onWarning)
  await clearLeftovers(directory)
  return {
    has: (commitId) => hasCommit(directory, commitId),
    add: (pack) => addPack(directory, pack),
    resetTo: (commitId) => stand(directory, commitId, options.onWarning),
    dropOthers: () => dropOthers(directory),
  }
}

export async function hasCommit(directory: string, commitId: string): Promise<boolean> {
  const { exitCode } = await tryGit(directory, ['cat-file', '-e', `${commitId}^{commit}`])
  return exitCode === 0
}

export async function addPack(directory: string, pack: Pick<BlobBytes, 'stream'>): Promise<void> {
  await runGit(directory, ['index-pack', '--stdin', '--fix-thin'], inputOf(pack))
}

const inputOf = (pack: Pick<BlobBytes, 'stream'>) => (pack instanceof Blob ? pack : pack.stream())

/** What the branch had besides stays, under a name of its own: nobody was told that it was written. */
async function stand(
  directory: string,
  commitId: string,
  onWarning: (message: string) => void,
): Promise<void> {
  const { exitCode, output } = await tryGit(directory, ['rev-parse', '--verify', '--quiet', main])
  const former = exitCode === 0 ? output.toString().trim() : undefined
  if (former === commitId) return
  if (former !== undefined && !(await isAncestor(directory, former, commitId))) {
    const name = `refs/abandoned/${former}`
    await runGit(directory, ['update-ref', name, former])
    onWarning(`Commits that were never published are kept as ${name}`)
  }
  await runGit(directory, ['update-ref', main, commitId])
}

async function dropOthers(directory: string): Promise<void> {
  // What comes may say former ids of its own, even to a copy that has just begun.
  await FormerCommits.forget(directory)
  const listed = await runGit(directory, ['for-each-ref', '--format=%(refname)', 'refs/abandoned'])
  const abandoned = listed.toString('latin1').split('\n').filter(Boolean)
  const packs = await packNames(directory)
  // A copy that has just begun.
  if (abandoned.length === 0 && packs.length <= 1) return
  for (const name of abandoned) await runGit(directory, ['update-ref', '-d', name])
  const run = async (args: readonly string[]) => void (await runGit(directory, args))
  await purgeObjects(directory, packs, run)
}

async function isAncestor(directory: string, one: string, other: string): Promise<boolean> {
  return (await tryGit(directory, ['merge-base', '--is-ancestor', one, other])).exitCode === 0
}
