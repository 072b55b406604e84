import { createSingleFlight } from '../../../lib/async/single-flight.ts'
import { takeTurns } from '../../../lib/async/turns.ts'
import { LruCache } from '../../../lib/collections/lru-cache.ts'
import { runGit, streamGit } from '../objects/git-command.ts'
import type { KnownCommit } from './commit-names.ts'
import { contentTypeKey, encodeCommitPath, parseCommitMessage } from './commit-text.ts'
import { logFormat, type LoggedCommit, LogParser, parseLog } from './log-parser.ts'
import { isPathspec } from './pathspec.ts'

/** One bit for each hash of a path: 128 KiB whatever the history. */
const hashCount = 2 ** 20
const rememberedHeads = 1024
/** Where more paths have one than are worth the memory, only their hashes are known. */
const maxPaths = 50_000
/** Other paths may have this one's name in theirs; so many messages are looked at. */
const maxMessages = 50
/** Thousands of paths let requests be answered meanwhile. */
const pathsPerTurn = 5_000

/**
 * Which media types commits declared for files whose name would say another. Messages alone say it, and
 * commits that change nothing else too. Of most paths none ever did: what paths have one is learnt once
 * from the history, and only of those git is asked.
 */
export class DeclaredTypes {
  readonly #repository: string
  readonly #mostPaths: number
  readonly #declared = new Uint8Array(hashCount / 8)
  #paths: Set<string> | undefined = new Set()
  readonly #seen = new LruCache<true>({ maxWeight: rememberedHeads, weigh: () => 1 })
  readonly #scans = createSingleFlight<void>()
  #newest: string | undefined

  constructor(repository: string, mostPaths = maxPaths) {
    this.#repository = repository
    this.#mostPaths = mostPaths
  }

  /** As of a commit, of those paths that have one; `head` builds on it. */
  async of(
    commit: KnownCommit,
    paths: readonly string[],
    head: string,
  ): Promise<ReadonlyMap<string, string>> {
    await this.#scanUpTo(commit.head, isOfLine(commit) ? commit.id : head)
    const types = new Map<string, string>()
    const turns = takeTurns(pathsPerTurn)
    for (const path of paths) {
      await turns.after(1)
      if (!this.#mayBeDeclared(path) || !isPathspec(path)) continue
      const type = await this.#typeOf(commit, path)
      if (type !== undefined) types.set(path, type)
    }
    return types
  }

  /** The paths that had one in any commit up to `head`; `undefined` where they are too many to be known. */
  async paths(head: string): Promise<ReadonlySet<string> | undefined> {
    await this.#scanUpTo(head, head)
    return this.#paths
  }

  /** What was found below a head is behind it; one look at the messages is enough for all of that. */
  async #scanUpTo(wanted: string, head: string): Promise<void> {
    while (this.#seen.get(wanted) === undefined)
      await this.#scans.share('', () => this.#scan(wanted, head))
  }

  /** Commits have other ids. */
  forget(): void {
    this.#newest = undefined
    this.#seen.clear()
  }

  #mayBeDeclared(path: string): boolean {
    const [index, bit] = placeOf(path)
    return ((this.#declared[index] ?? 0) & bit) !== 0
  }

  async #typeOf(commit: KnownCommit, path: string): Promise<string | undefined> {
    const [touching] = await this.#log([commit.id, '--', path])
    const later = touching === undefined ? [] : [`^${touching.id}`]
    const grep = [
      '--fixed-strings',
      `--grep=${contentTypeKey}: `,
      `--grep= ${encodeCommitPath(path)}`,
    ]
    const retyped = await this.#log(
      [...grep, '--all-match', commit.id, ...later, '--'],
      maxMessages,
    )
    for (const { message } of [...retyped, ...(touching === undefined ? [] : [touching])]) {
      const type = parseCommitMessage(message).contentTypeByPath.get(path)
      if (type !== undefined) return type
    }
    return undefined
  }

  async #scan(wanted: string, head: string): Promise<void> {
    const since = this.#newest === undefined ? [] : [`^${this.#newest}`]
    const grep = ['--extended-regexp', `--grep=^${contentTypeKey}: `]
    const parser = new LogParser()
    // All that is merged, too: what is behind a head is learnt once it was the newest here.
    const options = ['-z', ...grep, logFormat, '--end-of-options']
    const output = streamGit(this.#repository, ['log', ...options, head, ...since, '--'])
    for await (const chunk of output) this.#learn(parser.push(chunk))
    this.#learn(parser.end())
    this.#newest = head
    this.#seen.set(head, true)
    this.#seen.set(wanted, true)
  }

  #learn(commits: readonly LoggedCommit[]): void {
    for (const { message } of commits)
      for (const path of parseCommitMessage(message).contentTypeByPath.keys()) {
        const [index, bit] = placeOf(path)
        this.#declared[index] = (this.#declared[index] ?? 0) | bit
        if ((this.#paths?.add(path).size ?? 0) > this.#mostPaths) this.#paths = undefined
      }
  }

  async #log(args: readonly string[], limit = 1): Promise<readonly LoggedCommit[]> {
    const options = ['-z', '--first-parent', `-n${limit}`, logFormat]
    return parseLog(await runGit(this.#repository, ['log', ...options, ...args]))
  }
}

/** Its head is itself: main may not build on it. */
const isOfLine = ({ id, head }: KnownCommit): boolean => id === head

function placeOf(path: string): readonly [index: number, bit: number] {
  const hash = Bun.hash.xxHash32(path) % hashCount
  return [hash >>> 3, 1 << (hash & 7)]
}
