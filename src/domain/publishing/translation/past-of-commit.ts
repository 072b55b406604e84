import type { Commit, Move } from '../../../ports/content/content-store.ts'
import type { Publication } from '../../../ports/content/publication-store.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import type { AssetMove, DeletedAsset } from '../../../ports/records/past-asset.ts'
import { type AssetPath, repositoryPath } from '../../content/asset-path.ts'
import { type MovedPath, movedPathFinder } from '../../content/files/moved-path.ts'
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

function movedPathsOf({ request, changes }: Commit) {
  const { moves = [] } = request
  const fromOld = movedPathFinder(moves, 'from')
  const fromNew = movedPathFinder(moves, 'to')
  const kindByPath = new Map(
    moves.length === 0 ? [] : changes.map(({ path, kind }) => [path, kind]),
  )
  const ifChanged = (found: MovedPath | undefined, kind: 'put' | 'delete') =>
    found !== undefined && kindByPath.get(found.path) === kind ? found : undefined
  return {
    to: (path: string) => ifChanged(fromOld(path), 'put'),
    from: (path: string) => ifChanged(fromNew(path), 'delete'),
    confirmed: new Set<Move>(),
  }
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
