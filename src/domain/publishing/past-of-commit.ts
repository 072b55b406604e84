import type { Commit, Move } from '../../ports/content/content-store.ts'
import type { Publication } from '../../ports/content/publication-store.ts'
import type { AssetRecord } from '../../ports/records/asset.ts'
import type { AssetMove, DeletedAsset } from '../../ports/records/past-asset.ts'
import { type AssetPath, repositoryPath } from '../content/asset-path.ts'
import { placeOf } from './place-of.ts'

/** What a commit takes away and moves. Paths are those of the repository. */
export interface PastOfCommit {
  movedTo(path: string): string | undefined
  movedFrom(path: string): string | undefined
  noteRemoved(asset: AssetRecord): void
  noteStored(path: AssetPath): void
  /** What is to be known of it later. The end of a zone takes that with it. */
  toPublish(removedZones: ReadonlySet<string>): Pick<Publication, 'deletedAssets' | 'moves'>
}

/**
 * A move of a directory is one of everything below it. Anybody may say in a commit that something was
 * moved, so it counts only where the one path was put and the other one taken away.
 */
export function pastOfCommit(commit: Commit): PastOfCommit {
  const moved = movedPathsOf(commit)
  const deletedByPath = new Map<string, DeletedAsset>()
  return {
    movedTo: (path) => moved.to(path)?.path,
    movedFrom: (path) => moved.from(path)?.path,
    noteRemoved(asset) {
      const move = moved.to(repositoryPath(asset.path as AssetPath))?.move
      if (move === undefined) deletedByPath.set(asset.path, deletedIn(commit, asset))
      else moved.confirmed.add(move)
    },
    noteStored: (path) => void deletedByPath.delete(path),
    toPublish: (removedZones) => ({
      deletedAssets: [...deletedByPath.values()].filter(({ zone }) => !removedZones.has(zone)),
      moves: [...moved.confirmed].flatMap((move) => assetMoveOf(move, commit)),
    }),
  }
}

interface Counterpart {
  readonly path: string
  /** The move that says so, which may be one of a directory above. */
  readonly move: Move
}

function movedPathsOf({ request, changes }: Commit) {
  const { moves = [] } = request
  const moveByFrom = new Map(moves.map((move) => [move.from, move]))
  const moveByTo = new Map(moves.map((move) => [move.to, move]))
  const kindByPath = new Map(
    moves.length === 0 ? [] : changes.map(({ path, kind }) => [path, kind]),
  )
  const ifChanged = (found: Counterpart | undefined, kind: 'put' | 'delete') =>
    found !== undefined && kindByPath.get(found.path) === kind ? found : undefined
  return {
    to: (path: string) => ifChanged(counterpart(path, moveByFrom, 'to'), 'put'),
    from: (path: string) => ifChanged(counterpart(path, moveByTo, 'from'), 'delete'),
    confirmed: new Set<Move>(),
  }
}

/** By the path itself, else by the nearest directory above it. */
function counterpart(
  path: string,
  moves: ReadonlyMap<string, Move>,
  side: 'from' | 'to',
): Counterpart | undefined {
  if (moves.size === 0) return undefined
  for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
    const move = moves.get(path.slice(0, end))
    if (move !== undefined) return { path: move[side] + path.slice(end), move }
  }
  return undefined
}

const deletedIn = (commit: Commit, asset: AssetRecord): DeletedAsset => ({
  path: asset.path,
  zone: asset.zone,
  sizeBytes: asset.sizeBytes,
  sha256: asset.sha256,
  contentType: asset.contentType,
  deletedAt: commit.committedAt,
  deletedBy: commit.request.author,
  commitId: commit.id,
  lastCommitId: commit.parentId ?? '',
})

/** A directory has a path like a file's. */
function assetMoveOf(
  { from, to }: Move,
  { id: commitId, committedAt: movedAt }: Commit,
): AssetMove[] {
  const [source, target] = [placeOf(from), placeOf(to)]
  if (source.kind !== 'asset' || target.kind !== 'asset') return []
  return [{ from: source.path, to: target.path, movedAt, commitId }]
}
