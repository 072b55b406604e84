import type { Kysely, Transaction } from 'kysely'

import {
  type AssetMove,
  type DeletedAsset,
  deletionsKnownMs,
  movesKnownMs,
} from '../../../ports/records/past-asset.ts'
import { replacing, RowWriter } from '../row-writer.ts'
import type { Schema } from '../schema.ts'
import type { AssetMoveTable, DeletedAssetTable } from './past-asset-schema.ts'
import type { FoldedPublication } from '../content/fold-publications.ts'

type Past = Pick<FoldedPublication, 'deletedAssets' | 'moves'>

/** Writes what was deleted and moved, and forgets what is long past. */
export function createPastAssetWriter(queries: Kysely<Schema>) {
  const deletions = new RowWriter<DeletedAsset>(queries, {
    table: 'deleted_assets',
    rowOf: deletionRow,
    onConflict: replacing('path'),
  })
  const moves = new RowWriter<AssetMove>(queries, {
    table: 'asset_moves',
    rowOf: moveRow,
    onConflict: replacing('to_path', 'commit_id'),
  })
  return {
    async execute(transaction: Transaction<Schema>, past: Past): Promise<void> {
      const deleted = [...past.deletedAssets.values()]
      if (deleted.length > 0) {
        await deletions.execute(transaction, deleted)
        const newest = deleted.reduce(
          (time, { deletedAt }) => Math.max(time, deletedAt.getTime()),
          0,
        )
        await transaction
          .deleteFrom('deleted_assets')
          .where('deleted_at', '<', newest - deletionsKnownMs)
          .execute()
      }
      if (past.moves.length === 0) return
      // One statement cannot write a row twice.
      const moved = [
        ...new Map(past.moves.map((move) => [`${move.commitId} ${move.to}`, move])).values(),
      ]
      await moves.execute(transaction, moved)
      const newest = moved.reduce((time, { movedAt }) => Math.max(time, movedAt.getTime()), 0)
      await transaction
        .deleteFrom('asset_moves')
        .where('moved_at', '<', newest - movesKnownMs)
        .execute()
    },
  }
}

const deletionRow = (asset: DeletedAsset): DeletedAssetTable => ({
  path: asset.path,
  zone: asset.zone,
  size_bytes: asset.sizeBytes,
  sha256: asset.sha256,
  content_type: asset.contentType,
  deleted_at: asset.deletedAt.getTime(),
  deleted_by: asset.deletedBy,
  commit_id: asset.commitId,
  last_commit_id: asset.lastCommitId,
})

const moveRow = ({ from, to, movedAt, commitId }: AssetMove): AssetMoveTable => ({
  to_path: to,
  commit_id: commitId,
  from_path: from,
  moved_at: movedAt.getTime(),
})

export const deletedAssetOf = (row: DeletedAssetTable): DeletedAsset => ({
  path: row.path,
  zone: row.zone,
  sizeBytes: row.size_bytes,
  sha256: row.sha256,
  contentType: row.content_type,
  deletedAt: new Date(row.deleted_at),
  deletedBy: row.deleted_by,
  commitId: row.commit_id,
  lastCommitId: row.last_commit_id,
})

export const assetMoveOf = (row: AssetMoveTable): AssetMove => ({
  from: row.from_path,
  to: row.to_path,
  movedAt: new Date(row.moved_at),
  commitId: row.commit_id,
})
