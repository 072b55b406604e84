import type { AssetRecord } from '../../../ports/records/asset.ts'
import { assetOfRow, assetRow, type AssetRow } from '../manifest/record-rows.ts'

/** What commits have at some paths: `null` where there is no such commit, or no asset. */
export interface PastFilesMessage {
  /** Its whole id, or `ambiguous`. */
  readonly commit: string | null
  /** In the order of the paths. */
  readonly assets: readonly (AssetRow | null)[]
}

/** The commit of a moment. */
export interface MomentMessage {
  readonly commit: string | null
}

export const rowOrNull = (asset: AssetRecord | undefined): AssetRow | null =>
  asset === undefined ? null : assetRow(asset)

export const assetOrUndefined = (row: AssetRow | null | undefined): AssetRecord | undefined =>
  row === null || row === undefined ? undefined : assetOfRow(row)
