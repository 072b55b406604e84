import type { BlobRef } from '../../../ports/content/blob-store.ts'
import type { ContentDigest } from '../../../ports/objects/content-digest-store.ts'
import type { ObjectMetadata } from '../../../ports/records/asset-metadata.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import type { ContentDigests } from '../../../domain/content/objects/content-digests.ts'
import { markerContent } from '../../../domain/content/directory-marker.ts'
import type { FormerObject } from '../../../domain/content/objects/former-objects.ts'
import type { DirectoryMarker } from '../../../ports/records/object-version.ts'
import { objectOf } from '../../../domain/content/metadata/object-metadata.ts'

/** An object, or a former version of one. */
export interface ObjectState extends BlobRef {
  readonly contentType: string
  readonly changedAt: Date
  /** The commit that wrote the bytes. */
  readonly versionId: string | undefined
  /** What is said of these very bytes. */
  readonly object: ObjectMetadata | undefined
}

export const stateOf = (asset: AssetRecord): ObjectState => ({
  sha256: asset.sha256,
  sizeBytes: asset.sizeBytes,
  contentType: asset.contentType,
  changedAt: asset.changedAt,
  versionId: asset.commitId,
  object: objectOf(asset),
})

/** With its quotes. */
export const entityTag = ({ object }: Pick<ObjectState, 'object'>, md5: string): string =>
  `"${object?.etag ?? md5}"`

/** Of the bytes of one object. */
export async function digestOf(
  { sha256 }: Pick<BlobRef, 'sha256'>,
  digests: Pick<ContentDigests, 'known' | 'of'>,
): Promise<ContentDigest> {
  const digest = digests.known(sha256) ?? (await digests.of([sha256])).get(sha256)
  if (digest === undefined) throw new Error(`nothing was made of ${sha256}`)
  return digest
}

/** A directory that was put by itself is an object without bytes. */
export const markerState = (
  { changedAt, commitId }: Pick<DirectoryMarker, 'changedAt' | 'commitId'>,
  object: ObjectMetadata | undefined,
): ObjectState => ({ ...markerContent, changedAt, versionId: commitId, object })

/** A former version of an object. */
export const formerState = (
  { content, committedAt, object }: Extract<FormerObject, { kind: 'content' }>,
  versionId: string,
): ObjectState => ({ ...content, changedAt: committedAt, versionId, object })
