import type { Move } from '../../../ports/content/content-store.ts'

/** The other end of a move, and the move that says so: of the path, or of a directory above it. */
export interface MovedPath {
  readonly path: string
  readonly move: Move
}

/** Finds the other end of paths; where many moves are about one, the nearest directory counts. */
export function movedPathFinder(
  moves: readonly Move[],
  side: 'from' | 'to',
): (path: string) => MovedPath | undefined {
  const other = side === 'from' ? 'to' : 'from'
  const moveByEnd = new Map(moves.map((move) => [move[side], move]))
  return (path) => {
    if (moveByEnd.size === 0) return undefined
    for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
      const move = moveByEnd.get(path.slice(0, end))
      if (move !== undefined) return { path: move[other] + path.slice(end), move }
    }
    return undefined
  }
}
