import { mapConcurrently } from '../../../lib/async/map-concurrently.ts'
import type { BlobStore } from '../../../ports/content/blob-store.ts'
import type { Commit } from '../../../ports/content/content-store.ts'
import {
  type PushedCommit,
  type PushedContent,
  type PushedDifference,
  UnfitPushError,
} from '../../../ports/pushes/push-receiver.ts'
import { AttributeCache } from '../lfs/attribute-source.ts'
import type { LargeFiles } from '../lfs/large-files.ts'
import { BlobReader } from '../objects/blob-reader.ts'
import { runGit, streamGit } from '../objects/git-command.ts'
import { emptyTreeId } from '../objects/object-id.ts'
import { ObjectReader } from '../objects/object-reader.ts'
import { CommitChanges } from '../read/commit-changes.ts'
import { parseCommitMessage } from '../read/commit-text.ts'
import {
  type Difference,
  logFormat,
  type LoggedCommit,
  LogParser,
  parseDifferences,
} from '../read/log-parser.ts'
import { DirectoryCache } from '../tree/directory-source.ts'
import { SnapshotTree, type TreeSources } from '../tree/snapshot-tree.ts'
import { isTreePath } from '../tree/tree-edit.ts'
import { describeCommit } from '../read/commit-names.ts'

export interface LogLimits {
  readonly maxCommits: number
  /** Paths that differ, of all commits together. */
  readonly maxDifferences: number
}

interface Options {
  /** Where the objects are. */
  readonly directory: string
  readonly blobs: BlobStore
  readonly largeFiles: LargeFiles
  readonly limits: LogLimits
}

/** A commit with what is needed to tell it as the repository will tell it. */
interface LoggedPush extends PushedCommit {
  readonly logged: LoggedCommit
}

export interface PushedLine {
  readonly isLine: boolean
  readonly commits: readonly LoggedPush[]
}

const sizesUnderWay = 16
/** Read once and by one reader alone. */
const directoryCacheBytes = 8 * 2 ** 20
const logOptions = ['--first-parent', '--diff-merges=first-parent', '--reverse', '--root', '-r']
const differenceOptions = ['-z', '--raw', '--no-renames', '--no-abbrev']

/** Reads commits that were pushed, in the quarantine that they are in. */
export class PushedLog implements AsyncDisposable {
  readonly #directory: string
  readonly #objects: ObjectReader
  readonly #sources: TreeSources
  readonly #limits: LogLimits
  readonly #changes: CommitChanges
  #differenceCount = 0

  constructor({ directory, blobs, largeFiles, limits }: Options) {
    this.#directory = directory
    this.#limits = limits
    this.#objects = new ObjectReader(directory)
    this.#sources = {
      directories: new DirectoryCache(this.#objects, directoryCacheBytes),
      attributes: new AttributeCache(this.#objects),
      blobs: new BlobReader(this.#objects, blobs),
      largeFiles,
    }
    this.#changes = new CommitChanges({
      sources: this.#sources,
      treeOf: (id) => this.#treeOf(id),
      // What there is to say of a path has been said to whoever pushed it.
      onWarning: () => {},
    })
  }

  /** SHA-256 and size of contents that were looked at, for whoever reads them next. */
  get known(): Pick<BlobReader, 'ref'> {
    return this.#sources.blobs
  }

  async line(formerId: string | undefined, newId: string): Promise<PushedLine> {
    const logged = await this.#logged(formerId, newId)
    const isLine = logged[0]?.parentIds[0] === formerId
    const commits: LoggedPush[] = []
    for (const each of isLine ? logged : []) commits.push(await this.#read(each))
    return isLine ? { isLine, commits } : { isLine, commits: [await this.whole(formerId, newId)] }
  }

  /** All that is different, as if one commit had done it. */
  async whole(formerId: string | undefined, newId: string): Promise<LoggedPush> {
    const logged = await describeCommit(this.#directory, newId)
    if (logged === undefined) throw new Error(`The pushed commit ${newId} cannot be read`)
    const options = ['diff-tree', '-r', ...differenceOptions]
    const output = await runGit(this.#directory, [...options, formerId ?? emptyTreeId, newId, '--'])
    const differences = parseDifferences(output)
    this.#differenceCount = 0
    this.#count(differences.length)
    const parentIds = formerId === undefined ? [] : [formerId]
    return await this.#read({ ...logged, parentIds, differences })
  }

  /** Its bytes are in the blob store from then on. */
  async keep(commit: PushedCommit): Promise<Commit> {
    const { logged } = commit as LoggedPush
    const { subject, requestId, moves } = parseCommitMessage(logged.message)
    return {
      id: logged.id,
      parentId: logged.parentIds[0],
      committedAt: commit.committedAt,
      request: {
        subject,
        author: logged.author,
        ...(requestId !== undefined && { requestId }),
        ...(moves.length > 0 && { moves }),
      },
      changes: await this.#changes.of(logged),
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#objects[Symbol.asyncDispose]()
  }

  async #logged(formerId: string | undefined, newId: string): Promise<LoggedCommit[]> {
    const parser = new LogParser()
    const range = formerId === undefined ? newId : `${formerId}..${newId}`
    const args = ['log', ...logOptions, ...differenceOptions, logFormat, '--end-of-options', range]
    const commits: LoggedCommit[] = []
    for await (const chunk of streamGit(this.#directory, [...args, '--'])) {
      const some = parser.push(chunk)
      commits.push(...some)
      for (const { differences } of some) this.#count(differences.length)
      if (commits.length > this.#limits.maxCommits)
        throw new UnfitPushError(`it has over ${this.#limits.maxCommits} commits; push some first`)
    }
    for (const last of parser.end()) {
      this.#count(last.differences.length)
      commits.push(last)
    }
    return commits
  }

  #count(differences: number): void {
    const { maxDifferences } = this.#limits
    this.#differenceCount += differences
    if (this.#differenceCount > maxDifferences)
      throw new UnfitPushError(`it changes over ${maxDifferences} paths; push some first`)
  }

  async #treeOf(commitId: string): Promise<SnapshotTree> {
    const treeId = await runGit(this.#directory, ['rev-parse', '--verify', `${commitId}^{tree}`])
    return this.#treeWith(treeId.toString().trim())
  }

  #treeWith(rootId: string): SnapshotTree {
    return new SnapshotTree({ ...this.#sources, rootId: () => rootId })
  }

  async #read(logged: LoggedCommit): Promise<LoggedPush> {
    const [parentId] = logged.parentIds
    const before =
      parentId === undefined ? this.#treeWith(emptyTreeId) : await this.#treeOf(parentId)
    const after = this.#treeWith(logged.treeId)
    const { subject, contentTypeByPath, moves } = parseCommitMessage(logged.message)
    const told = logged.differences.filter(
      (each) => unfitOf(each).length === 0 && (isFile(each.oldMode) || isFile(each.newMode)),
    )
    return {
      logged,
      id: logged.id,
      subject,
      author: logged.author,
      committedAt: new Date(logged.seconds * 1000),
      before,
      after,
      differences: await mapConcurrently(told, sizesUnderWay, (each) =>
        this.#difference(each, { before, after }),
      ),
      unfit: logged.differences.flatMap(unfitOf),
      namedPaths: [...contentTypeByPath.keys(), ...moves.flatMap(({ from, to }) => [from, to])],
    }
  }

  async #difference(
    { path: bytes, oldMode, newMode, oldId, newId }: Difference,
    { before, after }: { readonly before: SnapshotTree; readonly after: SnapshotTree },
  ): Promise<PushedDifference> {
    const path = bytes.toString()
    return {
      path,
      before:
        isFile(oldMode) && oldId !== undefined ? await this.#id(oldId, path, before) : undefined,
      after:
        isFile(newMode) && newId !== undefined
          ? await this.#content(newId, path, after)
          : undefined,
    }
  }

  async #id(id: string, path: string, tree: SnapshotTree): Promise<string> {
    const isPointer = (await this.#sources.blobs.pointer(id)) !== undefined
    return (isPointer ? (await tree.largeFile(path))?.sha256 : undefined) ?? id
  }

  async #content(id: string, path: string, tree: SnapshotTree): Promise<PushedContent> {
    const { blobs, largeFiles } = this.#sources
    const isPointer = (await blobs.pointer(id)) !== undefined
    const large = isPointer ? await tree.largeFile(path) : undefined
    if (large !== undefined)
      return {
        contentId: large.sha256,
        sizeBytes: large.sizeBytes,
        outside: { sha256: large.sha256, isKept: await largeFiles.isKept(large) },
        read: () => largeFiles.read(large),
      }
    const sizeBytes = await this.#objects.sizeOf(id)
    if (sizeBytes === undefined) throw new Error(`The push has no file content ${id}`)
    return { contentId: id, sizeBytes, read: () => blobs.read(id) }
  }
}

const isFile = (mode: string) => mode.startsWith('100')
const isGone = (mode: string) => mode === '000000'

/** Paths are bytes: git promises no encoding. What goes is never unfit. */
function unfitOf({ path: bytes, newMode }: Difference): { path: string; why: string }[] {
  if (isGone(newMode)) return []
  const path = bytes.toString()
  if (!Buffer.from(path).equals(bytes)) return [{ path, why: 'its name is not UTF-8' }]
  if (newMode === '120000') return [{ path, why: 'it is a symbolic link' }]
  if (newMode === '160000') return [{ path, why: 'it is a submodule' }]
  if (!isTreePath(path)) return [{ path, why: 'its name is none that every system can hold' }]
  return isFile(newMode) ? [] : [{ path, why: 'it is no file' }]
}
