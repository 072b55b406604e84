import { mapConcurrently } from '../../../lib/async/map-concurrently.ts'
import type { BlobStore } from '../../../ports/content/blob-store.ts'
import type {
  ForeignChange,
  ForeignCommit,
  ForeignContent,
  RemoteAhead,
} from '../../../ports/content/remote-repository.ts'
import { AttributeCache } from '../lfs/attribute-source.ts'
import { LargeFiles } from '../lfs/large-files.ts'
import { BlobReader } from '../objects/blob-reader.ts'
import { type CommitMessage, parseCommitMessage } from '../read/commit-text.ts'
import { DirectoryCache } from '../tree/directory-source.ts'
import { runGit, streamGit } from '../objects/git-command.ts'
import { type Difference, logFormat, type LoggedCommit, LogParser } from '../read/log-parser.ts'
import type { MirroredLargeFiles } from '../lfs/remote/mirrored-large-files.ts'
import { attributesDirectory } from '../lfs/put-forms.ts'
import { objectId } from '../objects/object-id.ts'
import { ObjectReader } from '../objects/object-reader.ts'
import { SnapshotTree, type TreeSources } from '../tree/snapshot-tree.ts'
import { isTreePath } from '../tree/tree-edit.ts'

interface Options {
  readonly directory: string
  readonly blobs: BlobStore
  /** Where the bytes are that their commits point at. */
  readonly largeFiles: Pick<MirroredLargeFiles, 'fetch'>
}

interface Scope {
  readonly common: SnapshotTree
  readonly logged: LoggedCommit
  readonly tree: SnapshotTree
  readonly message: CommitMessage
}

const sizesUnderWay = 16
/** Read seldom and by one reader alone. */
const directoryCacheBytes = 8 * 2 ** 20

const logOptions = [
  '--first-parent',
  '--diff-merges=first-parent',
  '--reverse',
  '--root',
  '-r',
  '-z',
  '--raw',
  '--no-renames',
  '--no-abbrev',
  logFormat,
]

/** Reads commits that others made, with what their files were before and on the side of ours. */
export class ForeignLog {
  readonly #directory: string
  readonly #objects: ObjectReader
  readonly #sources: TreeSources
  readonly #blobs: BlobStore
  readonly #remote: Options['largeFiles']

  constructor({ directory, blobs, largeFiles: remote }: Options) {
    this.#directory = directory
    this.#blobs = blobs
    this.#remote = remote
    this.#objects = new ObjectReader(directory)
    const largeFiles = new LargeFiles({ repository: directory, blobs, now: () => new Date() })
    this.#sources = {
      directories: new DirectoryCache(this.#objects, directoryCacheBytes),
      attributes: new AttributeCache(this.#objects),
      blobs: new BlobReader(this.#objects, blobs),
      largeFiles,
    }
  }

  async *between({ id, ours, commonId }: RemoteAhead): AsyncGenerator<ForeignCommit> {
    const common = await this.#treeOf(commonId)
    const parser = new LogParser()
    const range = ['--end-of-options', `${ours}..${id}`, '--']
    for await (const chunk of streamGit(this.#directory, ['log', ...logOptions, ...range]))
      for (const logged of parser.push(chunk)) yield await this.#read(logged, common)
    for (const logged of parser.end()) yield await this.#read(logged, common)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#objects[Symbol.asyncDispose]()
  }

  async #treeOf(commitId: string): Promise<SnapshotTree> {
    const treeId = await runGit(this.#directory, ['rev-parse', '--verify', `${commitId}^{tree}`])
    return this.#treeWith(treeId.toString().trim())
  }

  #treeWith(rootId: string): SnapshotTree {
    return new SnapshotTree({ ...this.#sources, rootId: () => rootId })
  }

  async #read(logged: LoggedCommit, common: SnapshotTree): Promise<ForeignCommit> {
    const message = parseCommitMessage(logged.message)
    const told = logged.differences.filter(
      (each) => isText(each) && isTreePath(each.path.toString()),
    )
    const scope = { common, message, logged, tree: this.#treeWith(logged.treeId) }
    const changes = await mapConcurrently(told, sizesUnderWay, (difference) =>
      this.#change(difference, scope),
    )
    return {
      id: logged.id,
      author: logged.author,
      subject: message.subject,
      changes: deletionsFirst(changes.filter(({ before, after }) => before !== after?.contentId)),
      unfit: logged.differences.flatMap(unfitOf),
    }
  }

  async #change(difference: Difference, scope: Scope): Promise<ForeignChange> {
    const { oldMode, newMode, oldId, newId } = difference
    const path = difference.path.toString()
    const present = isFile(newMode) ? newId : undefined
    // Nobody sees attributes in a tree, so there is nothing that they could take the place of.
    if (attributesDirectory(path) !== undefined)
      return { path, before: undefined, common: undefined, after: await this.#attributes(present) }
    const found = await scope.common.find(path)
    const contentType = scope.message.contentTypeByPath.get(path)
    return {
      path,
      before: isFile(oldMode) ? await this.#formerId(oldId, path, scope) : undefined,
      common: found?.kind === 'file' ? found.contentId : undefined,
      after:
        present === undefined
          ? undefined
          : { ...(await this.#content(present, path, scope)), contentType },
    }
  }

  /** Where they have none any more, they want none: those of ours are another matter. */
  async #attributes(id: string | undefined): Promise<ForeignContent> {
    if (id !== undefined) return await this.#plain(id)
    return {
      contentId: noContentId,
      sizeBytes: 0,
      contentType: undefined,
      keep: async () => {
        await using incoming = await this.#blobs.receive(new Uint8Array())
        return await incoming.keepLazily()
      },
    }
  }

  async #formerId(
    id: string | undefined,
    path: string,
    { logged }: Scope,
  ): Promise<string | undefined> {
    const [parentId] = logged.parentIds
    const isPointer = id !== undefined && (await this.#sources.blobs.pointer(id)) !== undefined
    if (!isPointer || parentId === undefined) return id
    const large = await (await this.#treeOf(parentId)).largeFile(path)
    return large?.sha256 ?? id
  }

  async #content(id: string, path: string, { tree }: Scope): Promise<ForeignContent> {
    const { blobs, largeFiles } = this.#sources
    const isPointer = (await blobs.pointer(id)) !== undefined
    const large = isPointer ? await tree.largeFile(path) : undefined
    if (large === undefined) return await this.#plain(id)
    return {
      contentId: large.sha256,
      sizeBytes: large.sizeBytes,
      isOutside: true,
      contentType: undefined,
      keep: async () => {
        if (await largeFiles.isKept(large)) return large
        const left = await this.#remote.fetch([large])
        return left.length === 0 ? large : undefined
      },
    }
  }

  async #plain(contentId: string): Promise<ForeignContent> {
    const sizeBytes = await this.#objects.sizeOf(contentId)
    if (sizeBytes === undefined) throw new Error(`The repository has no file content ${contentId}`)
    const keep = () => this.#sources.blobs.keep(contentId)
    return { contentId, sizeBytes, contentType: undefined, keep }
  }
}

const noContentId = objectId('blob', new Uint8Array())

const isFile = (mode: string) => mode.startsWith('100')

/** Paths are bytes: git promises no encoding. */
const isText = ({ path }: Difference) => Buffer.from(path.toString()).equals(path)

function unfitOf(difference: Difference): { path: string; why: string }[] {
  const path = difference.path.toString()
  if (!isText(difference)) return [{ path, why: 'its name is not UTF-8' }]
  if (!isTreePath(path)) return [{ path, why: 'its name is none that every system can hold' }]
  if (difference.newMode === '120000') return [{ path, why: 'it is a symbolic link' }]
  return difference.newMode === '160000' ? [{ path, why: 'it is a submodule' }] : []
}

/** Where a file makes way for a directory, the new file must find the place free. */
const deletionsFirst = (changes: readonly ForeignChange[]): readonly ForeignChange[] => [
  ...changes.filter(({ after }) => after === undefined),
  ...changes.filter(({ after }) => after !== undefined),
]
