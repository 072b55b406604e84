import { mapConcurrently } from '../../../lib/async/map-concurrently.ts'
import { takeTurns } from '../../../lib/async/turns.ts'
import type { BlobRef } from '../../../ports/content/blob-store.ts'
import type { Change } from '../../../ports/content/content-store.ts'
import { ownNameOf } from '../lfs/attribute-lines.ts'
import { attributesDirectory } from '../lfs/put-forms.ts'
import { SnapshotTree, type TreeSources } from '../tree/snapshot-tree.ts'
import { committerEmail, parseCommitMessage } from './commit-text.ts'
import type { Difference, LoggedCommit } from './log-parser.ts'

interface Dependencies {
  readonly sources: TreeSources
  /** The files of a commit. */
  readonly treeOf: (commitId: string) => Promise<SnapshotTree>
  readonly onWarning: (message: string) => void
}

interface NamedDifference {
  readonly path: string
  readonly difference: Difference
}

interface FileId {
  readonly path: string
  readonly id: string
}

/** A commit and its files. */
interface Read {
  readonly logged: LoggedCommit
  readonly tree: SnapshotTree
  readonly differing: ReadonlySet<string>
}

const blobsUnderWay = 8
/** A commit of thousands lets others have turns. */
const differencesPerTurn = 2_000

/** What a commit that is read back has changed, its blobs kept. */
export class CommitChanges {
  readonly #sources: TreeSources
  readonly #treeOf: (commitId: string) => Promise<SnapshotTree>
  readonly #onWarning: (message: string) => void

  constructor({ sources, treeOf, onWarning }: Dependencies) {
    this.#sources = sources
    this.#treeOf = treeOf
    this.#onWarning = onWarning
  }

  /** What goes comes first: where a file makes way for a directory, the new file must stay. */
  async of(logged: LoggedCommit): Promise<readonly Change[]> {
    const { present, gone, attributes, differing } = await this.#sorted(logged)
    const tree = new SnapshotTree({ ...this.#sources, rootId: () => logged.treeId })
    const read = { logged, tree, differing }
    const { contentTypeByPath } = parseCommitMessage(logged.message)
    for (const file of await retyped(read, contentTypeByPath)) present.push(file)
    for (const file of await this.#turned(read, attributes)) present.push(file)
    const changes: Change[] = gone.map((path) => ({ kind: 'delete', path }))
    const puts = await mapConcurrently(present, blobsUnderWay, async (file) => {
      const contentType = contentTypeByPath.get(file.path)
      const blob = await this.#keep(read, file)
      if (blob === undefined) return undefined
      const type = contentType !== undefined && { contentType }
      return { kind: 'put' as const, path: file.path, blob, ...type }
    })
    for (const put of puts) if (put !== undefined) changes.push(put)
    return changes
  }

  /** The paths that differ, by what became of them. */
  async #sorted(logged: LoggedCommit) {
    const present: FileId[] = []
    const gone: string[] = []
    const attributes: NamedDifference[] = []
    const differing = new Set<string>()
    const turns = takeTurns(differencesPerTurn)
    for (const difference of logged.differences) {
      await turns.after(1)
      const path = this.#pathOf(logged, difference)
      if (path === undefined) continue
      differing.add(path)
      if (attributesDirectory(path) !== undefined) {
        attributes.push({ path, difference })
        continue
      }
      if (isFile(difference.oldMode) && !isFile(difference.newMode)) gone.push(path)
      const id = newFileId(difference)
      if (id !== undefined) present.push({ path, id })
    }
    return { present, gone, attributes, differing }
  }

  /**
   * What the file's bytes are, kept where they can be. A large file of ours is told although its bytes
   * are lost: a backup may have them. Of one that came by other means nobody knows whether it ever had
   * any, nor whether its size is true.
   */
  async #keep({ logged, tree }: Read, { path, id }: FileId): Promise<BlobRef | undefined> {
    const { blobs, largeFiles } = this.#sources
    const isPointer = (await blobs.pointer(id)) !== undefined
    const large = isPointer ? await tree.largeFile(path) : undefined
    const isOurs = logged.committer === committerEmail
    if (isPointer && large === undefined && !isOurs)
      this.#onWarning(
        `Commit ${logged.id}: ${JSON.stringify(path)} is kept as it is: it reads as a pointer of Git LFS, but no attributes say so`,
      )
    if (large === undefined) return await blobs.keep(id)
    if (await largeFiles.isKept(large)) return large
    const what = `${JSON.stringify(path)}, whose bytes (${large.sha256}) the blob store does not have`
    this.#onWarning(`Commit ${logged.id}: ${isOurs ? 'keeps' : 'left out'} ${what}`)
    return isOurs ? large : undefined
  }

  /** Files that stayed as they were and that other attributes make something else of. */
  async #turned(read: Read, attributes: readonly NamedDifference[]): Promise<readonly FileId[]> {
    const files = new Map<string, FileId>()
    for (const { path, difference } of attributes) {
      const directory = attributesDirectory(path)
      if (directory === undefined || !(await this.#reachesFurther(read, directory, difference)))
        continue
      for (const file of await this.#turnedBelow(read, directory)) files.set(file.path, file)
    }
    return [...files.values()]
  }

  /** Whether attributes changed for more than the files that the commit changes anyway. */
  async #reachesFurther(
    { differing }: Read,
    directory: string,
    { oldId, newId }: Difference,
  ): Promise<boolean> {
    const [before, after] = await Promise.all([oldId, newId].map((id) => this.#linesOf(id)))
    const lines = [...(before ?? [])].filter((line) => after?.has(line) !== true)
    for (const line of after ?? []) if (before?.has(line) !== true) lines.push(line)
    return lines.some((line) => {
      const name = ownNameOf(line)
      return name === undefined || !differing.has(directory === '' ? name : `${directory}/${name}`)
    })
  }

  async #linesOf(id: string | undefined): Promise<ReadonlySet<string>> {
    const text = id === undefined ? '' : (await this.#sources.attributes.load(id)).text
    return new Set(text.split('\n'))
  }

  async #turnedBelow(
    { logged, tree, differing }: Read,
    directory: string,
  ): Promise<readonly FileId[]> {
    const [parentId] = logged.parentIds
    if (parentId === undefined) return []
    const before = await (await this.#treeOf(parentId)).filesBelow(directory)
    const formerByPath = new Map(before.map(({ path, contentId }) => [path, contentId]))
    const turned = (await tree.filesBelow(directory)).filter(
      ({ path, contentId }) => !differing.has(path) && formerByPath.get(path) !== contentId,
    )
    const files = turned.map(({ path }) => fileAt(tree, path))
    return (await Promise.all(files)).flat()
  }

  /** Only paths that are text can be told; of links and submodules only that a file made way for them. */
  #pathOf(logged: LoggedCommit, difference: Difference): string | undefined {
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
    return isText ? path : undefined
  }
}

/** Files whose bytes stayed as they were and whose media type was declared anew. */
async function retyped(
  { tree, differing }: Read,
  contentTypeByPath: ReadonlyMap<string, string>,
): Promise<FileId[]> {
  const files: FileId[] = []
  for (const path of contentTypeByPath.keys())
    if (!differing.has(path)) files.push(...(await fileAt(tree, path)))
  return files
}

async function fileAt(tree: SnapshotTree, path: string): Promise<FileId[]> {
  const entry = await tree.entry(path)
  return entry?.kind === 'file' ? [{ path, id: entry.id }] : []
}

/** Of a file that there is, if its bytes are others than before. */
function newFileId({ oldMode, newMode, oldId, newId }: Difference): string | undefined {
  const isSame = isFile(oldMode) && oldId === newId
  return isFile(newMode) && !isSame ? newId : undefined
}

const isFile = (mode: string) => mode.startsWith('100')
const isOther = (mode: string) => mode === '120000' || mode === '160000'
