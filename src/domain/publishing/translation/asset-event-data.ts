import type { AssetMetadata } from '../../../ports/records/asset-metadata.ts'
import { type AssetRecord, assetWith } from '../../../ports/records/asset.ts'
import { type AssetPath, repositoryPath } from '../../content/asset-path.ts'

/** What is told of an asset that was stored or changed. */
export const assetEventData = (asset: AssetRecord) => ({
  path: repositoryPath(asset.path as AssetPath),
  size: asset.sizeBytes,
  zone: asset.zone,
  category: asset.category,
  contentType: asset.contentType,
  checksum: asset.sha256,
  commit: asset.commitId,
  ...(asset.metadata !== undefined && { metadata: metadataEventData(asset.metadata) }),
})

/** What persons and files say; that of programs is theirs. */
const metadataEventData = ({
  expiresAt,
  fault: _fault,
  object: _object,
  ...metadata
}: AssetMetadata) =>
  expiresAt === undefined ? metadata : { ...metadata, expires: expiresAt.toISOString() }

/** Told where it was moved; null where it is left to what is found in the image. */
export function focalPointData(
  { metadata: before }: AssetRecord,
  { metadata: after }: AssetRecord,
) {
  const [from, to] = [before?.focalPoint, after?.focalPoint]
  return from?.x === to?.x && from?.y === to?.y ? {} : { focalPoint: to ?? null }
}

/** The record with what is known of it now. */
export const describedAs = (
  record: AssetRecord,
  metadata: AssetMetadata | undefined,
): AssetRecord => assetWith(record, { metadata })
