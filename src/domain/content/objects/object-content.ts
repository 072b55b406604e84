import type { AssetRecord } from '../../../ports/records/asset.ts'
import type { ObjectContent } from '../../../ports/records/object-version.ts'
import { objectOf } from '../metadata/object-metadata.ts'

/** An asset as clients of S3 have it. */
export function contentOf(asset: AssetRecord): ObjectContent {
  const { sha256, sizeBytes, contentType } = asset
  const entityTag = objectOf(asset)?.etag
  return { sha256, sizeBytes, contentType, ...(entityTag !== undefined && { entityTag }) }
}
