import { mapConcurrently } from '../../../lib/async/map-concurrently.ts'
import type { Change, Commit, Put, Version } from '../../../ports/content/content-store.ts'
import type { BlobReader } from '../objects/blob-reader.ts'
import { parseCommitMessage } from './commit-text.ts'
import type { DirectorySource } from '../tree/directory-source.ts'
import { GitError, runGit, streamGit } from '../objects/git-command.ts'
import {
  type Difference,
  logFormat,
  type LoggedCommit,
  LogParser,
  parseDifferences,
} from './log-parser.ts'
import { SnapshotTree } from '../tree/snapshot-tree.ts'

/** A commit, and what the next one has to know of it. */
export interface ReadCommit {
  readonly commit: Commit
  readonly rootId: string
  readonly seconds: number
}

interface Dependencies {
  readonly repository: string
  readonly directories: DirectorySource
  readonly blobs: BlobReader
  readonly onWarning: (message: string) => void
}

const differenceCommand = ['diff-tree', '-z', '-r', '--raw', '--no-renames', '--no-abbrev']
const objectIdPattern = /^[0-9a-f]{40}$/u
const commitsUnderWay = 16
const blobsUnderWay = 8

/** The commits that lead to `head`; those before `since` left out, where it is given. */
interface Span {
  readonly head: string
  readonly since?: string | undefined
  readonly until?: string | undefined
}

/** Reads commits back, whoever made them. */
export class CommitLog {
  readonly #repository: string
  readonly #directories: DirectorySource
  readonly #blobs: BlobReader
  readonly #onWarning: (message: string) => void

  constructor({ repository, directories, blobs, onWarning }: Dependencies) {
    this.#repository = repository
    this.#directories = directories
    this.#blobs = blobs
    this.#onWarning = onWarning
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
    const [logged] = parseLog(await runGit(this.#repository, ['log', '-z', '-n1', logFormat, id]))
    if (!logged) throw noCommit(id)
    return logged
  }

  /** The files of a commit that leads to `head`; `undefined` of any other. */
  async treeAt(id: string, head: string): Promise<SnapshotTree | undefined> {
    if (!objectIdPattern.test(id)) return undefined
    if (!(await isAncestor(this.#repository, id, head))) return undefined
    return this.#treeOf(await this.describe(id))
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
    const read = async () => (await tree.read(path)) ?? new Uint8Array()
    return { ...withoutChanges(logged), file: { ...found, contentType, read } }
  }

  #treeOf({ treeId }: LoggedCommit): SnapshotTree {
    return new SnapshotTree({
      directories: this.#directories,
      blobs: this.#blobs,
      rootId: () => treeId,
    })
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
    const logged = await this.describe(head)
    const output = await runGit(this.#repository, [...differenceCommand, after, head, '--'])
    const read = await this.#read({ ...logged, differences: parseDifferences(output) })
    return { ...read, commit: { ...read.commit, parentId: after } }
  }

  async #read(logged: LoggedCommit): Promise<ReadCommit> {
    const changes = await this.#changes(logged)
    const commit = { ...withoutChanges(logged), changes }
    return { commit, rootId: logged.treeId, seconds: logged.seconds }
  }

  /** What goes comes first: where a file makes way for a directory, the new file must stay. */
  async #changes(logged: LoggedCommit): Promise<readonly Change[]> {
    const named = logged.differences.flatMap((difference) => this.#named(logged, difference))
    const gone = named.filter(
      ({ difference }) => isFile(difference.oldMode) && !isFile(difference.newMode),
    )
    const { contentTypeByPath } = parseCommitMessage(logged.message)
    const present = [
      ...named.flatMap(fileIdOf),
      ...(await this.#retyped(logged, contentTypeByPath)),
    ]
    const puts = await mapConcurrently(
      present,
      blobsUnderWay,
      async ({ path, id }): Promise<Put> => {
        const contentType = contentTypeByPath.get(path)
        const blob = await this.#blobs.keep(id)
        return { kind: 'put', path, blob, ...(contentType === undefined ? {} : { contentType }) }
      },
    )
    return [...gone.map(({ path }) => ({ kind: 'delete' as const, path })), ...puts]
  }

  /** Files whose bytes stayed as they were and whose media type was declared anew. */
  async #retyped(
    logged: LoggedCommit,
    contentTypeByPath: ReadonlyMap<string, string>,
  ): Promise<{ path: string; id: string }[]> {
    const differing = new Set(logged.differences.map(({ path }) => path.toString()))
    const tree = this.#treeOf(logged)
    const files: { path: string; id: string }[] = []
    for (const path of contentTypeByPath.keys()) {
      const entry = differing.has(path) ? undefined : await tree.entry(path)
      if (entry?.kind === 'file') files.push({ path, id: entry.id })
    }
    return files
  }

  /** Only paths that are text can be told; of links and submodules only that a file made way for them. */
  #named(logged: LoggedCommit, difference: Difference): { path: string; difference: Difference }[] {
    const path = difference.path.toString()
    const isText = Buffer.from(path).equals(difference.path)
    if (!isText)
      this.#onWarning(
        `Commit ${logged.id}: left out a path that is not UTF-8: ${JSON.stringify(path)}`,
      )
    else if (isOther(difference.newMode))
      this.#onWarning(
        `Commit ${logged.id}: left out ${JSON.stringify(path)}, which is a link or a submodule`,
      )
    return isText ? [{ path, difference }] : []
  }
}

const parseLog = (output: Buffer): LoggedCommit[] => {
  const parser = new LogParser()
  return [...parser.push(output), ...parser.end()]
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

function fileIdOf({ path, difference }: { path: string; difference: Difference }) {
  const { oldMode, newMode, oldId, newId } = difference
  const isSame = isFile(oldMode) && oldId === newId
  return isFile(newMode) && newId !== undefined && !isSame ? [{ path, id: newId }] : []
}

const isFile = (mode: string) => mode.startsWith('100')
const isOther = (mode: string) => mode === '120000' || mode === '160000'

/** What git would refuse as a path of a repository touches nothing. */
const isPathspec = (path: string) =>
  path === '' ||
  path.split('/').every((name) => !['', '.', '..'].includes(name) && !name.includes('\0'))

const followsOn = (after: string | undefined, [first]: readonly LoggedCommit[]) =>
  first?.parentIds[0] === after

async function isAncestor(repository: string, id: string, head: string): Promise<boolean> {
  try {
    await runGit(repository, ['merge-base', '--is-ancestor', '--end-of-options', id, head])
    return true
  } catch (error) {
    if (error instanceof GitError) return false
    throw error
  }
}

const noCommit = (id: string, cause?: unknown) =>
  new Error(`The repository has no commit ${JSON.stringify(id)}`, { cause })
