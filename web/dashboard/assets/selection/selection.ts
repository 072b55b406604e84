/** Paths that are chosen; or all that a list has, but for those. */
export interface Selection {
  readonly isAll: boolean
  readonly paths: ReadonlySet<string>
}

export const nothing: Selection = { isAll: false, paths: new Set() }
export const everything: Selection = { isAll: true, paths: new Set() }

export const isSelected = ({ isAll, paths }: Selection, path: string): boolean =>
  paths.has(path) !== isAll

/** `total` is how many the list has. */
export const selectedCount = ({ isAll, paths }: Selection, total: number): number =>
  isAll ? Math.max(0, total - paths.size) : paths.size

export function toggled({ isAll, paths }: Selection, path: string): Selection {
  const next = new Set(paths)
  if (!next.delete(path)) next.add(path)
  return { isAll, paths: next }
}

export function withPaths(selection: Selection, added: readonly string[]): Selection {
  const { isAll, paths } = selection
  if (!isAll) return { isAll, paths: new Set([...paths, ...added]) }
  const rest = new Set(paths)
  for (const path of added) rest.delete(path)
  return { isAll, paths: rest }
}

const isFolder = (path: string): boolean => path.endsWith('/')

/** Folders that are chosen, each with a slash at its end; where all of a list is, there are none. */
export const chosenFolders = ({ isAll, paths }: Selection): readonly string[] =>
  isAll ? [] : [...paths].filter(isFolder)
