import { foldName } from '../../../lib/text/fold-name.ts'
import type { Tree, TreeChild } from '../../../ports/content/content-store.ts'
import { type AssetPath, repositoryPath } from '../asset-path.ts'
import { pathConflict } from '../write-guards.ts'

/** The names of a directory, those that differ by letter case or Unicode form alone side by side. */
type Names = ReadonlyMap<string, readonly TreeChild[]>

/**
 * Refuses, as `refuseConflicts` does, paths that could not stand beside what is stored once
 * `vacated` (paths of the repository) is gone; answers whether a file stays there that would be overwritten.
 * Looks at each directory once, however many paths are asked for. `place` is looked at where it is another
 * path of the repository that the file needs.
 */
export function createConflictGuard(
  tree: Tree,
  vacated: ReadonlySet<string>,
): (path: AssetPath, place?: string) => Promise<boolean> {
  const namesByDirectory = new Map<string, Promise<Names | undefined>>()

  /** A directory stays with the first file of it that does. */
  async function stays(path: string, { kind }: TreeChild): Promise<boolean> {
    if (kind === 'file') return !vacated.has(path)
    const children = await tree.children(path)
    const filesFirst = children.toSorted((a, b) => (a.kind < b.kind ? 1 : a.kind > b.kind ? -1 : 0))
    for (const child of filesFirst) if (await stays(`${path}/${child.name}`, child)) return true
    return false
  }

  /** The entry of that very name, where it stays; refuses one that differs in its spelling alone. */
  async function entryAt(path: string, asked: AssetPath): Promise<TreeChild | undefined> {
    const { directory, name } = cut(path)
    const names = await namesIn(directory, asked)
    let own: TreeChild | undefined
    for (const child of names?.get(foldName(name)) ?? []) {
      const childPath = `${directory}/${child.name}`
      if (!(await stays(childPath, child))) continue
      if (child.name !== name) throw pathConflict(asked, `is stored as "${childPath}"`)
      own = child
    }
    return own
  }

  function namesIn(directory: string, asked: AssetPath): Promise<Names | undefined> {
    const known = namesByDirectory.get(directory) ?? readNames(directory, asked)
    namesByDirectory.set(directory, known)
    return known
  }

  async function readNames(directory: string, asked: AssetPath): Promise<Names | undefined> {
    if (isAboveZones(directory)) return namesOf(await tree.children(directory))
    const entry = await entryAt(directory, asked)
    if (entry?.kind === 'file')
      throw pathConflict(asked, `would need the file "${directory}" to be a directory`)
    return entry && namesOf(await tree.children(directory))
  }

  return async (path, place = repositoryPath(path)) => {
    const entry = await entryAt(place, path)
    if (entry?.kind === 'directory') throw pathConflict(path, 'is a directory')
    return entry !== undefined
  }
}

/** `clients` and the zones in it: those are there, or the zone has been refused. */
const isAboveZones = (directory: string): boolean => directory.split('/').length <= 2

function cut(path: string): { readonly directory: string; readonly name: string } {
  const slash = path.lastIndexOf('/')
  return { directory: path.slice(0, slash), name: path.slice(slash + 1) }
}

function namesOf(children: readonly TreeChild[]): Names {
  const names = new Map<string, TreeChild[]>()
  for (const child of children) {
    const folded = foldName(child.name)
    const others = names.get(folded)
    if (others) others.push(child)
    else names.set(folded, [child])
  }
  return names
}
