import type { Commit, Put } from '../../../ports/content/content-store.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import {
  type AssetPath,
  categoryOf,
  fileNameOf,
  formatOf,
  zoneOf,
} from '../../content/asset-path.ts'
import { contentTypeOf } from '../../content/media-type.ts'

/** What a put makes of an asset, but for what is known of it. */
export function assetRecordOf(
  put: Put,
  path: AssetPath,
  { commit, createdAt }: { readonly commit: Commit; readonly createdAt: Date | undefined },
): AssetRecord {
  const name = fileNameOf(path)
  return {
    path,
    zone: zoneOf(path),
    category: categoryOf(path),
    name,
    format: formatOf(name),
    sizeBytes: put.blob.sizeBytes,
    sha256: put.blob.sha256,
    contentType: put.contentType ?? contentTypeOf(name),
    createdAt: createdAt ?? commit.committedAt,
    changedAt: commit.committedAt,
    commitId: commit.id,
  }
}
