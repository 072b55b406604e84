import type { Commit } from '../../ports/content/content-store.ts'

/** Where a path of the repository went to, or came from, in one commit. */
export interface MovedPaths {
  movedTo(path: string): string | undefined
  movedFrom(path: string): string | undefined
}

/**
 * A move of a directory is one of everything below it. Anybody may say in a commit that something was
 * moved, so it counts only where the one path was put and the other one taken away.
 */
export function movedPathsOf({ request, changes }: Commit): MovedPaths {
  const { moves = [] } = request
  const toByFrom = new Map(moves.map(({ from, to }) => [from, to]))
  const fromByTo = new Map(moves.map(({ from, to }) => [to, from]))
  const kindByPath = new Map(
    moves.length === 0 ? [] : changes.map(({ path, kind }) => [path, kind]),
  )
  const ifChanged = (path: string | undefined, kind: 'put' | 'delete') =>
    path !== undefined && kindByPath.get(path) === kind ? path : undefined
  return {
    movedTo: (path) => ifChanged(counterpart(toByFrom, path), 'put'),
    movedFrom: (path) => ifChanged(counterpart(fromByTo, path), 'delete'),
  }
}

/** By the path itself, else by the nearest directory above it. */
function counterpart(others: ReadonlyMap<string, string>, path: string): string | undefined {
  if (others.size === 0) return undefined
  for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
    const other = others.get(path.slice(0, end))
    if (other !== undefined) return other + path.slice(end)
  }
  return undefined
}
