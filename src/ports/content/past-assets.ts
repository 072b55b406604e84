import type { AssetMove, DeletedAsset } from '../records/past-asset.ts'

export interface DeletedAssetQuery {
  /** Nothing that was deleted before. */
  readonly since: Date
  /** Of these zones alone, where given. */
  readonly zones?: readonly string[] | undefined
  readonly offset: number
  readonly limit: number
}

/**
 * What became of paths that have no file any more. Written with publications: a path has one deletion, the
 * newest, and none that is older than `deletionsKnownMs` before another one. The end of a zone takes its
 * own with it. What has a file again is not among the deleted.
 */
export interface PastAssets {
  /** The newest first; of one moment, in byte order of the path. `total` counts all, whatever the limit. */
  deleted(
    query: DeletedAssetQuery,
  ): Promise<{ readonly total: number; readonly items: readonly DeletedAsset[] }>
  /** Those of `paths` that are deleted, in no order. Any number may be asked for. */
  deletedAt(paths: readonly string[]): Promise<readonly DeletedAsset[]>
  /** What is deleted below a directory, at most `limit`, in byte order of the path. */
  deletedBelow(directory: string, limit: number): Promise<readonly DeletedAsset[]>
  /** Moves to any of `paths`, the newest first. */
  movesTo(paths: readonly string[]): Promise<readonly AssetMove[]>
}
