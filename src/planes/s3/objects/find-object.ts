import type { AssetPath } from '../../../domain/content/asset-path.ts'
import { deliveredAsset } from '../../../domain/content/delivered/delivered-assets.ts'
import type { Deliverable } from '../../../domain/content/delivered/expiry.ts'
import type { WithheldAssets } from '../../../domain/content/delivered/withheld-assets.ts'
import type { Catalog } from '../../../domain/catalog/catalog.ts'
import type { DirectoryMarkers } from '../../../domain/content/objects/directory-markers.ts'
import type { FormerObjects } from '../../../domain/content/objects/former-objects.ts'
import { type ObjectPlace, pathOfPlace } from '../../../domain/content/objects/object-place.ts'
import { asRefusal } from '../../../domain/errors.ts'
import { unerased } from '../../../domain/content/erased-bytes.ts'
import type { Manifest } from '../../../ports/records/manifest.ts'
import type { ZoneRecord } from '../../../ports/records/zone.ts'
import { S3Error } from '../s3-error.ts'
import type { S3Request } from '../s3-request.ts'
import { findablePlace } from './object-key.ts'
import { formerState, markerState, type ObjectState, stateOf } from './object-state.ts'

export interface FindDependencies {
  readonly published: Deliverable & Pick<Catalog, 'marker'> & Pick<Manifest, 'isErased'>
  readonly withheld: WithheldAssets
  readonly former: FormerObjects
  readonly markers: Pick<DirectoryMarkers, 'said'>
}

export interface FoundObject {
  readonly place: ObjectPlace
  readonly state: ObjectState
  /** Whether the key has had other bytes since, or none. */
  readonly isFormer: boolean
}

/**
 * The object that a request names, with the version it names. Refuses with `NoSuchBucket`, `NoSuchKey`,
 * `NoSuchVersion` and `AccessDenied`.
 */
export const findObject = (
  asked: S3Request,
  dependencies: FindDependencies,
): Promise<FoundObject> =>
  findObjectAt(asked, asked.query.get('versionId') ?? undefined, dependencies)

/** The same of a version that is named elsewhere. */
export async function findObjectAt(
  asked: S3Request,
  versionId: string | undefined,
  dependencies: FindDependencies,
): Promise<FoundObject> {
  const { bucket, key } = namedObject(asked)
  requireBucket(bucket, asked, dependencies.published)
  const place = findablePlace(bucket, key)
  if (place === undefined) throw asked.caller.isAnonymous ? accessDenied() : noSuchKey(key)
  const state = await currentState(place, asked, dependencies)
  if (state !== undefined && (versionId === undefined || versionId === state.versionId))
    return { place, state, isFormer: false }
  if (asked.caller.isAnonymous) throw accessDenied()
  return versionId === undefined
    ? await refuseAbsent(place, key, dependencies)
    : {
        place,
        state: await formerStateAt(place, versionId, { key, ...dependencies }),
        isFormer: true,
      }
}

async function currentState(
  place: ObjectPlace,
  asked: S3Request,
  dependencies: FindDependencies,
): Promise<ObjectState | undefined> {
  if (place.kind === 'asset') {
    const asset = currentAsset(place.path, asked, dependencies)
    return asset && stateOf(asset)
  }
  const marker = dependencies.published.marker(pathOfPlace(place))
  if (marker === undefined || asked.caller.isAnonymous) return undefined
  return markerState(marker, await dependencies.markers.said(place))
}

/** What was taken away says by which version. */
async function refuseAbsent(
  place: ObjectPlace,
  key: string,
  { former }: FindDependencies,
): Promise<never> {
  const commitId = await former.deletionOf(place)
  throw noSuchKey(key, commitId === undefined ? {} : markerHeaders(commitId))
}

async function formerStateAt(
  place: ObjectPlace,
  versionId: string,
  { key, former, published }: FindDependencies & { readonly key: string },
): Promise<ObjectState> {
  const found = await former.at(place, checkedVersionId(versionId))
  if (found === undefined)
    throw new S3Error('NoSuchVersion', 'The specified version does not exist.', {
      elements: { Key: key, VersionId: versionId },
    })
  if (found.kind === 'deletion')
    throw new S3Error(
      'MethodNotAllowed',
      'The specified method is not allowed against this resource.',
      {
        elements: { Method: 'GET', ResourceType: 'DeleteMarker' },
        headers: {
          ...markerHeaders(versionId),
          Allow: 'DELETE',
          'Last-Modified': found.committedAt.toUTCString(),
        },
      },
    )
  unerased(key, found.content, published)
  return formerState(found, versionId)
}

/** Versions are commits. */
export function checkedVersionId(text: string): string {
  if (/^[0-9a-f]{40}$/u.test(text)) return text
  throw new S3Error('InvalidArgument', 'Invalid version id specified', {
    elements: { ArgumentName: 'versionId', ArgumentValue: text.slice(0, 1024) },
  })
}

/** What tells that a version is a deletion. */
export const markerHeaders = (commitId: string): Readonly<Record<string, string>> => ({
  'x-amz-delete-marker': 'true',
  'x-amz-version-id': commitId,
})

/** Who signs nothing has what an edge would deliver, and hears of nothing else. */
function currentAsset(
  path: AssetPath,
  { url, caller }: S3Request,
  { published, withheld }: FindDependencies,
) {
  if (caller.isAnonymous)
    try {
      withheld.requireShown(path, { hostname: url.hostname, zone: undefined })
      return deliveredAsset(published, path, { isSigned: false })
    } catch (thrown) {
      const refusal = asRefusal(thrown)
      if (refusal === undefined || refusal.code === 'Erased') throw thrown
      throw accessDenied()
    }
  return published.asset(path)
}

/** Both are there wherever an operation is of an object. */
export function namedObject({ bucket, key }: Pick<S3Request, 'bucket' | 'key'>) {
  if (bucket === undefined || key === undefined) throw new Error('no object is named')
  return { bucket, key }
}

export function requireBucket(
  bucket: string,
  { caller }: Pick<S3Request, 'caller'>,
  published: Pick<Deliverable, 'zone'>,
): ZoneRecord {
  const zone = published.zone(bucket)
  if (zone !== undefined) return zone
  if (caller.isAnonymous) throw accessDenied()
  throw new S3Error('NoSuchBucket', 'The specified bucket does not exist', {
    elements: { BucketName: bucket },
  })
}

const accessDenied = () => new S3Error('AccessDenied', 'Access Denied')

export const noSuchKey = (key: string, headers: Readonly<Record<string, string>> = {}) =>
  new S3Error('NoSuchKey', 'The specified key does not exist.', { elements: { Key: key }, headers })
