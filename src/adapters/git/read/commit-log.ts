import { mapConcurrently } from '../../../lib/async/map-concurrently.ts'
import type { Commit, Version } from '../../../ports/content/content-store.ts'
import { CommitChanges } from './commit-changes.ts'
import { parseCommitMessage } from './commit-text.ts'
import { GitError, runGit, streamGit } from '../objects/git-command.ts'
import { objectIdPattern } from '../objects/object-id.ts'
import { CommitNames, describeCommit } from './commit-names.ts'
import { DeclaredTypes } from './declared-types.ts'
import { isPathspec } from './pathspec.ts'
import {
  logFormat,
  type LoggedCommit,
  LogParser,
  parseDifferences,
  parseLog,
} from './log-parser.ts'
import { SnapshotTree, type TreeSources } from '../tree/snapshot-tree.ts'

/** A commit, and what the next one has to know of it. */
export interface ReadCommit {
  readonly commit: Commit
  readonly rootId: string
  readonly seconds: number
}

interface Dependencies {
  readonly repository: string
  readonly sources: TreeSources
  readonly onWarning: (message: string) => void
  /** Whether what leads along a line beside main is found too; so where left out. */
  readonly hasLines?: boolean
}

const differenceCommand = ['diff-tree', '-z', '-r', '--raw', '--no-renames', '--no-abbrev']
const commitsUnderWay = 16

/** The commits that lead to `head`; those before `since` left out, where it is given. */
interface Span {
  readonly head: string
  readonly since?: string | undefined
  readonly until?: string | undefined
}

/** Reads commits back, whoever made them. */
export class CommitLog {
  readonly #repository: string
  readonly #sources: TreeSources
  readonly #changes: CommitChanges
  readonly #types: DeclaredTypes
  /** Which commits there are. */
  readonly names: CommitNames

  constructor({ repository, sources, onWarning, hasLines = true }: Dependencies) {
    this.#repository = repository
    this.#sources = sources
    this.names = new CommitNames(repository, hasLines)
    this.#types = new DeclaredTypes(repository)
    this.#changes = new CommitChanges({
      sources,
      treeOf: async (id) => this.#treeOf(await this.describe(id)),
      onWarning,
    })
  }

  /**
   * The commits on the way from `after` to `head`, each against its first parent, their blobs kept.
   * Where there is no such way (the branch was moved by force, or merged with its sides swapped),
   * one commit that tells the difference of the two.
   */
  async *between(
    after: string | undefined,
    head: string,
  ): AsyncGenerator<ReadCommit, void, undefined> {
    if (after === head) return
    let previous = after
    for await (const batch of this.#logged(after, head)) {
      if (previous === after && !followsOn(after, batch)) break
      yield* await mapConcurrently(batch, commitsUnderWay, (logged) => this.#read(logged))
      previous = batch.at(-1)?.id
    }
    if (previous !== head && after !== undefined) yield this.#difference(after, head)
  }

  /** The commit itself, without its changes. */
  async describe(id: string): Promise<LoggedCommit> {
    const logged = await describeCommit(this.#repository, id)
    if (!logged) throw noCommit(id)
    return logged
  }

  /** Commits have other ids. */
  forget(): void {
    this.names.forget()
    this.#types.forget()
  }

  /** The files of a commit that leads to `head`; `undefined` of any other. */
  async treeAt(id: string, head: string): Promise<SnapshotTree | undefined> {
    const commit = await this.names.known(id, head)
    return commit && this.#treeOf(commit)
  }

  /** What a file was declared to be, in a commit that leads to `head`. */
  async declaredType(id: string, path: string, head: string): Promise<string | undefined> {
    return (await this.declaredTypes(id, [path], head)).get(path)
  }

  /** The same of many. */
  async declaredTypes(
    id: string,
    paths: readonly string[],
    head: string,
  ): Promise<ReadonlyMap<string, string>> {
    const commit = await this.names.known(id, head)
    return commit === undefined ? new Map() : await this.#types.of(commit, paths, head)
  }

  /** The paths that had one in any commit that leads to `head`; `undefined` where they are too many. */
  declaredPaths(head: string): Promise<ReadonlySet<string> | undefined> {
    return this.#types.paths(head)
  }

  async history(span: Span, path: string, limit: number): Promise<Omit<Commit, 'changes'>[]> {
    return (await this.#touching(span, path, limit)).map((logged) => withoutChanges(logged))
  }

  async versions(span: Span, path: string, limit: number): Promise<readonly Version[]> {
    const touching = await this.#touching(span, path, limit)
    return Promise.all(touching.map((logged) => this.#version(logged, path)))
  }

  async #version(logged: LoggedCommit, path: string): Promise<Version> {
    const tree = this.#treeOf(logged)
    const found = await tree.find(path)
    if (found?.kind !== 'file') return { ...withoutChanges(logged), file: undefined }
    const contentType = parseCommitMessage(logged.message).contentTypeByPath.get(path)
    const open = () => tree.open(path)
    return { ...withoutChanges(logged), file: { ...found, contentType, open } }
  }

  #treeOf({ treeId }: Pick<LoggedCommit, 'treeId'>): SnapshotTree {
    return new SnapshotTree({ ...this.#sources, rootId: () => treeId })
  }

  async #touching(
    { head, since, until = head }: Span,
    path: string,
    limit: number,
  ): Promise<LoggedCommit[]> {
    if (limit < 1 || !isPathspec(path)) return []
    for (const id of [since, until])
      if (id !== undefined && !objectIdPattern.test(id)) throw noCommit(id)
    const output = await runGit(this.#repository, [
      'log',
      '-z',
      '--first-parent',
      `-n${Math.floor(limit)}`,
      logFormat,
      '--end-of-options',
      until,
      // All parents of it and what is behind them (gitrevisions): a first commit has none.
      ...(since === undefined ? [] : [`^${since}^@`]),
      '--',
      ...(path === '' ? [] : [path]),
    ])
    return parseLog(output)
  }

  async *#logged(
    after: string | undefined,
    head: string,
  ): AsyncGenerator<readonly LoggedCommit[], void, undefined> {
    if (after !== undefined && !objectIdPattern.test(after)) throw noCommit(after)
    const parser = new LogParser()
    const range = after === undefined ? head : `${after}..${head}`
    const options = ['--first-parent', '--diff-merges=first-parent', '--reverse', '--root', '-r']
    const format = ['-z', '--raw', '--no-renames', '--no-abbrev', logFormat]
    const output = streamGit(this.#repository, ['log', ...options, ...format, range, '--'])
    try {
      for await (const chunk of output) {
        const commits = parser.push(chunk)
        if (commits.length > 0) yield commits
      }
    } catch (error) {
      throw error instanceof GitError && after !== undefined ? noCommit(after, error) : error
    }
    const last = parser.end()
    if (last.length > 0) yield last
  }

  async #difference(after: string, head: string): Promise<ReadCommit> {
    this.names.forget()
    const logged = await this.describe(head)
    const output = await runGit(this.#repository, [...differenceCommand, after, head, '--'])
    const differences = parseDifferences(output)
    return this.#read({ ...logged, parentIds: [after], differences })
  }

  async #read(logged: LoggedCommit): Promise<ReadCommit> {
    const changes = await this.#changes.of(logged)
    const commit = { ...withoutChanges(logged), changes }
    return { commit, rootId: logged.treeId, seconds: logged.seconds }
  }
}

function withoutChanges(logged: LoggedCommit): Omit<Commit, 'changes'> {
  const { subject, requestId, moves } = parseCommitMessage(logged.message)
  return {
    id: logged.id,
    parentId: logged.parentIds[0],
    request: {
      subject,
      author: logged.author,
      ...(requestId !== undefined && { requestId }),
      ...(moves.length > 0 && { moves }),
    },
    committedAt: new Date(logged.seconds * 1000),
  }
}

const followsOn = (after: string | undefined, [first]: readonly LoggedCommit[]) =>
  first?.parentIds[0] === after

const noCommit = (id: string, cause?: unknown) =>
  new Error(`The repository has no commit ${JSON.stringify(id)}`, { cause })
