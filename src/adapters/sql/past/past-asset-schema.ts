export interface DeletedAssetTable {
  readonly path: string
  readonly zone: string
  readonly size_bytes: number
  readonly sha256: string
  readonly content_type: string
  readonly deleted_at: number
  readonly deleted_by: string
  readonly commit_id: string
  readonly last_commit_id: string
}

export interface AssetMoveTable {
  readonly to_path: string
  readonly commit_id: string
  readonly from_path: string
  readonly moved_at: number
}
