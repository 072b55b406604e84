import { takeTurns, type Turns } from '../../../lib/async/turns.ts'
import { UnfittingChangeError } from '../../../ports/content/content-store.ts'
import type { DirectorySource } from './directory-source.ts'
import { Directory, type Entry } from './directory.ts'
import { emptyTreeId, objectId } from '../objects/object-id.ts'

/** A change whose bytes git can name already. */
export type EntryChange =
  | { readonly kind: 'put'; readonly path: string; readonly blobId: string }
  | { readonly kind: 'delete'; readonly path: string }

export interface EditedTree {
  readonly rootId: string
  /** Every directory that came to be, by id. */
  readonly added: ReadonlyMap<string, Directory>
  /** The ids of the directories that they take the place of. */
  readonly replacedIds: readonly string[]
}

/** Thousands of changes let requests be answered meanwhile. */
const changesPerTurn = 1_000
/** To copy and hash so many entries takes as long as one change. */
const entriesLikeAChange = 20

/** Applies changes in order. What becomes empty vanishes, the root apart. */
export async function editTree(
  directories: DirectorySource,
  rootId: string,
  changes: readonly EntryChange[],
): Promise<EditedTree> {
  const root = new WorkingDirectory(rootId, await directories.load(rootId))
  /** Of the change before: the next one is often beside it, and it cannot be gone by then. */
  let last: Parent | undefined
  const turns = takeTurns(changesPerTurn)
  for (const change of changes) {
    last = await apply(directories, { root, last }, change)
    await turns.after(1)
  }
  const added = new Map<string, Directory>()
  const replacedIds: string[] = []
  const id = await root.write({ added, replacedIds, turns })
  if (id === undefined) added.set(emptyTreeId, new Directory(Buffer.alloc(0)))
  return { rootId: id ?? emptyTreeId, added, replacedIds }
}

/** A directory with its path. */
interface Parent {
  readonly path: string
  readonly directory: WorkingDirectory
}

interface Working {
  readonly root: WorkingDirectory
  readonly last: Parent | undefined
}

/** Answers the directory that it changed; `undefined` where there was none. */
async function apply(
  directories: DirectorySource,
  { root, last }: Working,
  change: EntryChange,
): Promise<Parent | undefined> {
  if (!isTreePath(change.path)) throw new UnfittingChangeError(change, 'it is not a path of a tree')
  const slash = change.path.lastIndexOf('/')
  const path = change.path.slice(0, Math.max(0, slash))
  const directory =
    last?.path === path ? last.directory : await walkTo(directories, root, { path, change })
  if (directory === undefined) return undefined
  changeEntry(directory, change.path.slice(slash + 1), change)
  return { path, directory }
}

async function walkTo(
  directories: DirectorySource,
  root: WorkingDirectory,
  { path, change }: { readonly path: string; readonly change: EntryChange },
): Promise<WorkingDirectory | undefined> {
  let directory: WorkingDirectory | undefined = root
  for (const segment of path === '' ? [] : path.split('/')) {
    directory = await descend(directories, directory, { segment, change })
    if (directory === undefined) return undefined
  }
  return directory
}

function changeEntry(directory: WorkingDirectory, name: string, change: EntryChange): void {
  if (change.kind === 'delete') return directory.set(name, undefined)
  if (directory.kindOf(name) === 'directory')
    throw new UnfittingChangeError(change, 'that path is a directory')
  directory.set(name, { kind: 'file', id: change.blobId })
}

/** The last guard, whatever grammar the caller holds paths to: no clone may be harmed. */
export const isTreePath = (path: string): boolean => !unsafePath.test(path)

/** A segment that is empty, `.`, `..` or `.git`, or a character that no name has. */
const unsafePath = /(?:^|\/)(?:\.{0,2}|\.git)(?=\/|$)|[\0\n]/iu

/** The directory below, made where a put needs it; `undefined` where there is nothing to delete. */
async function descend(
  directories: DirectorySource,
  directory: WorkingDirectory,
  { segment, change }: { segment: string; change: EntryChange },
): Promise<WorkingDirectory | undefined> {
  const known = directory.child(segment)
  if (known instanceof WorkingDirectory) return known
  if (known?.kind === 'directory')
    return directory.open(segment, known.id, await directories.load(known.id))
  if (change.kind === 'delete') return undefined
  if (known) throw new UnfittingChangeError(change, `"${segment}" in it is not a directory`)
  return directory.open(segment, emptyTreeId, new Directory(Buffer.alloc(0)))
}

/** What is written of directories, and how long in one go. */
interface Written {
  readonly added: Map<string, Directory>
  readonly replacedIds: string[]
  readonly turns: Turns
}

/** A directory being changed: what it was, and what is different by now. */
class WorkingDirectory {
  readonly #id: string
  readonly #base: Directory
  readonly #edits = new Map<string, Entry | WorkingDirectory | undefined>()

  constructor(id: string, base: Directory) {
    this.#id = id
    this.#base = base
  }

  child(name: string): Entry | WorkingDirectory | undefined {
    return this.#edits.has(name) ? this.#edits.get(name) : this.#base.find(name)
  }

  /** What is at `name` now; a directory whose last entry was taken away is nothing. */
  kindOf(name: string): 'directory' | 'file' | 'other' | undefined {
    const child = this.child(name)
    if (!(child instanceof WorkingDirectory)) return child?.kind
    return child.isEmpty() ? undefined : 'directory'
  }

  isEmpty(): boolean {
    let count = this.#base.count
    for (const name of this.#edits.keys()) {
      if (this.#base.find(name)) count -= 1
      if (this.kindOf(name)) count += 1
    }
    return count === 0
  }

  set(name: string, entry: Entry | undefined): void {
    this.#edits.set(name, entry)
  }

  open(name: string, id: string, base: Directory): WorkingDirectory {
    const child = new WorkingDirectory(id, base)
    this.#edits.set(name, child)
    return child
  }

  /** The id of the directory as it now is, or `undefined` where it has become empty. */
  async write(result: Written): Promise<string | undefined> {
    const entries = new Map<string, Entry | undefined>()
    for (const [name, edit] of this.#edits)
      entries.set(name, edit instanceof WorkingDirectory ? await written(edit, result) : edit)
    await result.turns.after(entries.size + this.#base.count / entriesLikeAChange)
    const directory = this.#base.with(entries)
    if (directory.count === 0) return undefined
    const id = objectId('tree', directory.bytes)
    if (id === this.#id) return id
    result.replacedIds.push(this.#id)
    result.added.set(id, directory)
    return id
  }
}

async function written(directory: WorkingDirectory, result: Written): Promise<Entry | undefined> {
  const id = await directory.write(result)
  return id === undefined ? undefined : { kind: 'directory', id }
}
