import { makeOnce } from '../../lib/async/single-flight.ts'
import { foldName } from '../../lib/text/fold-name.ts'
import type { Tree, TreeChild } from '../../ports/content/content-store.ts'

/** A place where files are to stand, as the tree has it. */
export interface DirectoryView {
  readonly kindByName: ReadonlyMap<string, TreeChild['kind']>
  readonly nameByFolded: ReadonlyMap<string, string>
  /** What stands in the way: a file, or a directory that is spelt a little otherwise. */
  readonly obstacle: { readonly path: string; readonly isFile: boolean } | undefined
}

/** Reads each directory once, however many of its files are asked about. */
export interface TreeView {
  directory(path: string): Promise<DirectoryView>
}

export function createTreeView(tree: Tree): TreeView {
  const view = makeOnce(read)

  async function read(path: string): Promise<DirectoryView> {
    if (path === '') return viewOf(await tree.children(''))
    const { directory, name } = split(path)
    const { kindByName, nameByFolded, obstacle } = await view(directory)
    if (obstacle !== undefined) return { ...nothing, obstacle }
    const kind = kindByName.get(name)
    if (kind === 'directory') return viewOf(await tree.children(path))
    if (kind === 'file') return { ...nothing, obstacle: { path, isFile: true } }
    const own = nameByFolded.get(foldName(name))
    if (own === undefined) return nothing
    return { ...nothing, obstacle: { path: joined(directory, own), isFile: false } }
  }

  return { directory: view }
}

const nothing: DirectoryView = {
  kindByName: new Map(),
  nameByFolded: new Map(),
  obstacle: undefined,
}

const viewOf = (children: readonly TreeChild[]): DirectoryView => ({
  kindByName: new Map(children.map(({ name, kind }) => [name, kind])),
  nameByFolded: new Map(children.map(({ name }) => [foldName(name), name])),
  obstacle: undefined,
})

export function split(path: string): { readonly directory: string; readonly name: string } {
  const slash = path.lastIndexOf('/')
  return { directory: path.slice(0, Math.max(0, slash)), name: path.slice(slash + 1) }
}

export const joined = (directory: string, name: string): string =>
  directory === '' ? name : `${directory}/${name}`
