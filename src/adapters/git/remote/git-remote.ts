import { createHash } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { ifPresent } from '../../../lib/files/file-faults.ts'
import type { BlobStore } from '../../../ports/content/blob-store.ts'
import {
  type ForeignCommit,
  type RemoteAhead,
  type RemoteRepository,
  type RemoteStanding,
  RemoteUnavailableError,
} from '../../../ports/content/remote-repository.ts'
import { largeFileHostOf } from '../lfs/remote/large-file-host-of.ts'
import { MirroredLargeFiles } from '../lfs/remote/mirrored-large-files.ts'
import { BlobReader } from '../objects/blob-reader.ts'
import { ObjectReader } from '../objects/object-reader.ts'
import type { FormerCommits } from '../rewrite/former-commits.ts'
import { Landing } from '../write/landing.ts'
import { ForeignLog } from './foreign-log.ts'
import { clearUnfinishedFetches } from '../upkeep/leftovers.ts'
import { GitError, runGit, tryGit } from '../objects/git-command.ts'
import { RemoteCommand, type RemoteCommandOptions } from './remote-command.ts'

type KnownFormer = Pick<FormerCommits, 'isFormer' | 'isNew' | 'count' | 'resolve'>

export interface GitRemoteOptions extends RemoteCommandOptions {
  readonly blobs: BlobStore
  /** Which commits were written anew. */
  readonly former?: KnownFormer
  /** Keeps that from happening meanwhile: what was fetched of the former history would stay. */
  readonly rewriting?: Pick<Landing, 'share'>
}

const neverRewritten: KnownFormer = {
  isFormer: () => false,
  isNew: () => false,
  count: 0,
  resolve: (id) => id,
}

const branch = 'refs/heads/main'

/**
 * A remote that any git can serve. What is known of it is kept in refs of our repository that nobody
 * else sees: where its branch was when we last agreed with it, and where it is.
 */
export class GitRemote implements RemoteRepository {
  readonly #directory: string
  readonly #url: string
  readonly #command: RemoteCommand
  readonly #log: ForeignLog
  readonly #objects: ObjectReader
  readonly #largeFiles: MirroredLargeFiles
  readonly #closing = new AbortController()
  /** Another remote's past says nothing about this one. */
  readonly #refs: string
  readonly #maxFetchBytes: number
  readonly #former: KnownFormer
  readonly #rewriting: Pick<Landing, 'share'>
  #mayHaveBrokenOff = true

  constructor(options: GitRemoteOptions) {
    this.#directory = options.directory
    this.#url = options.url
    this.#former = options.former ?? neverRewritten
    this.#rewriting = options.rewriting ?? new Landing()
    this.#maxFetchBytes = options.limits.maxFileBytes
    this.#command = new RemoteCommand(options)
    const name = createHash('sha256').update(options.url).digest('hex').slice(0, 16)
    this.#refs = `refs/sedge/remotes/${name}`
    this.#objects = new ObjectReader(options.directory)
    this.#largeFiles = new MirroredLargeFiles({
      repository: options.directory,
      blobs: new BlobReader(this.#objects, options.blobs),
      ref: `${this.#refs}/large`,
      setRef: (ref, commitId) => this.#rewriting.share(() => this.#setRef(ref, commitId)),
      host: largeFileHostOf({ ...options, signal: this.#closing.signal }),
    })
    this.#log = new ForeignLog({ ...options, largeFiles: this.#largeFiles })
  }

  async look(ours: string): Promise<RemoteStanding> {
    const found = await this.#rewriting.share(async () => {
      const former = await this.#formerAt()
      return former === undefined ? { id: await this.#fetch() } : { former }
    })
    if (found.former !== undefined) return { kind: 'former', id: found.former }
    const { id } = found
    if (id === undefined || (await this.#isAncestor(id, ours))) return { kind: 'behind', id }
    const agreed = await this.#read('agreed')
    if (agreed !== undefined && !(await this.#isAncestor(agreed, id)))
      return { kind: 'rewritten', id }
    const commonId = await this.#common(ours, id)
    if (commonId === undefined) return { kind: 'unrelated', id }
    const count = await runGit(this.#directory, ['rev-list', '--count', `${ours}..${id}`, '--'])
    return { kind: 'ahead', id, ours, commonId, commitCount: Number(count.toString()) }
  }

  async replaceFormer(ours: string): Promise<boolean> {
    const former = await this.#formerAt()
    if (former === undefined) return true
    // Nobody may have put anything there since: what others did is not ours to take away.
    if (!this.#former.isFormer(former)) return false
    const lease = `--force-with-lease=${branch}:${former}`
    const options = ['--porcelain', '--progress', '--no-verify', '--no-recurse-submodules', lease]
    const result = await this.#command.run([
      'push',
      ...options,
      '--',
      this.#url,
      `${ours}:${branch}`,
    ])
    if (result.exitCode !== 0) throw unavailable('push', `${result.output}\n${result.errors}`)
    await this.#rewriting.share(() => this.#agreeOn(ours))
    return true
  }

  get lacks(): string | undefined {
    return this.#largeFiles.lacks
  }

  async push(commitId: string): Promise<'pushed' | 'moved'> {
    await this.#clearLocks()
    await this.#largeFiles.bring(commitId)
    const refspec = `${commitId}:${branch}`
    const options = ['--porcelain', '--progress', '--no-verify', '--no-recurse-submodules']
    const result = await this.#command.run(['push', ...options, '--', this.#url, refspec])
    if (result.exitCode === 0) {
      await this.#rewriting.share(() => this.#agreeOn(commitId))
      return 'pushed'
    }
    // The remote's own refusals say `[remote rejected]`.
    if (/^!\t.*\[rejected\]/mu.test(result.output)) return 'moved'
    throw unavailable('push', `${result.output}\n${result.errors}`)
  }

  /** What was pushed may have another id by now: then the remote has the former history. */
  async #agreeOn(commitId: string): Promise<void> {
    const now = await this.#setRef(`${this.#refs}/agreed`, commitId)
    if (now === commitId) await writeFile(this.#replacedPath, this.#replacedText)
  }

  /** Answers what the commit is called now. A ref that leads to what it was would keep all of that. */
  async #setRef(ref: string, commitId: string): Promise<string> {
    const now = this.#former.resolve(commitId)
    await runGit(this.#directory, ['update-ref', ref, now])
    return now
  }

  commits(ahead: RemoteAhead): AsyncIterable<ForeignCommit> {
    return this.#log.between(ahead)
  }

  /** Ends what is under way. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#command[Symbol.dispose]()
    this.#closing.abort()
    await this.#objects[Symbol.asyncDispose]()
    await this.#log[Symbol.asyncDispose]()
  }

  /**
   * Where the remote is, as long as it has the history of before something was erased: to fetch that would bring
   * it back. What was agreed on has another id by now, so the remote leads on to what has none here.
   */
  async #formerAt(): Promise<string | undefined> {
    const agreed = await this.#read('agreed')
    if (agreed === undefined || !this.#former.isNew(agreed)) return undefined
    if ((await ifPresent(readFile(this.#replacedPath, 'latin1'))) === this.#replacedText)
      return undefined
    const { exitCode, output, errors } = await this.#command.run(['ls-remote', this.#url, branch])
    if (exitCode !== 0) throw unavailable('ls-remote', errors)
    const id = /^[0-9a-f]{40}/u.exec(output)?.[0]
    if (id !== undefined && id !== agreed) return id
    await writeFile(this.#replacedPath, this.#replacedText)
    return undefined
  }

  /** Says as of how many commits that were written anew the remote has our history. */
  get #replacedPath(): string {
    return join(this.#directory, `sedge-replaced-${this.#refs.slice(-16)}`)
  }

  get #replacedText(): string {
    return String(this.#former.count)
  }

  /** Nobody else uses these refs, so that a lock is one that a killed process has left. */
  async #clearLocks(): Promise<void> {
    for (const name of ['agreed', 'there', 'large'])
      await rm(join(this.#directory, `${this.#refs}/${name}.lock`), { force: true })
  }

  async #fetch(): Promise<string | undefined> {
    await this.#clearLocks()
    if (this.#mayHaveBrokenOff) await clearUnfinishedFetches(this.#directory)
    this.#mayHaveBrokenOff = true
    const there = `${this.#refs}/there`
    const options = ['--progress', '--no-tags', '--no-write-fetch-head', '--no-auto-maintenance']
    const refspec = `+${branch}:${there}`
    const args = ['fetch', ...options, '--no-recurse-submodules', '--', this.#url, refspec]
    const { exitCode, errors } = await this.#command.run(args)
    this.#mayHaveBrokenOff = exitCode !== 0
    if (exitCode === 0) return await this.#read('there')
    if (/couldn't find remote ref/u.test(errors)) return undefined
    if (!isTooLarge(errors)) throw unavailable('fetch', errors)
    // What it wrote would fill the disk, round after round.
    await clearUnfinishedFetches(this.#directory, 0)
    throw unavailable('fetch', `the remote sends over ${this.#maxFetchBytes} bytes at once`)
  }

  async #read(name: 'agreed' | 'there'): Promise<string | undefined> {
    const args = ['rev-parse', '--verify', '--quiet', `${this.#refs}/${name}`]
    const { exitCode, output } = await tryGit(this.#directory, args)
    return exitCode === 0 ? output.toString().trim() : undefined
  }

  async #isAncestor(one: string, other: string): Promise<boolean> {
    return (await this.#mergeBase(['--is-ancestor', one, other])) !== undefined
  }

  #common(one: string, other: string): Promise<string | undefined> {
    return this.#mergeBase([one, other])
  }

  async #mergeBase(args: readonly string[]): Promise<string | undefined> {
    const { exitCode, output, errors } = await tryGit(this.#directory, ['merge-base', ...args])
    if (exitCode > 1) throw new GitError('merge-base', { exitCode, output: errors })
    return exitCode === 0 ? output.toString().trim() : undefined
  }
}

/** What the system calls EFBIG. */
const isTooLarge = (said: string): boolean => said.includes('File too large')

const unavailable = (what: string, said: string): RemoteUnavailableError =>
  new RemoteUnavailableError(`git ${what} failed: ${withoutProgress(said)}`)

/** What git says of how far it is ends in carriage returns. */
const withoutProgress = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.slice(line.lastIndexOf('\r') + 1).trim())
    .filter((line) => line !== '' && !/^(remote: )?\w+ objects: /u.test(line))
    .join('; ')
