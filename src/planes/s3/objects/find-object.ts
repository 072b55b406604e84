import type { AssetPath } from '../../../domain/content/asset-path.ts'
import { deliveredAsset } from '../../../domain/content/delivered/delivered-assets.ts'
import type { Deliverable } from '../../../domain/content/delivered/expiry.ts'
import type { WithheldAssets } from '../../../domain/content/delivered/withheld-assets.ts'
import type { DirectoryMarkers } from '../../../domain/content/objects/directory-markers.ts'
import type { MarkerPlace, ObjectPlace } from '../../../domain/content/objects/object-place.ts'
import { asRefusal } from '../../../domain/errors.ts'
import type { ZoneRecord } from '../../../ports/records/zone.ts'
import { S3Error } from '../s3-error.ts'
import type { S3Request } from '../s3-request.ts'
import { findablePlace } from './object-key.ts'
import { markerState, type ObjectState, stateOf } from './object-state.ts'

export interface FindDependencies {
  readonly published: Deliverable
  readonly withheld: WithheldAssets
  readonly markers: Pick<DirectoryMarkers, 'has'>
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
  const { published, markers } = dependencies
  const { bucket, key } = namedObject(asked)
  const zone = requireBucket(bucket, asked, published)
  const place = findablePlace(bucket, key)
  if (versionId !== undefined)
    throw new S3Error('NotImplemented', 'Versions of objects are not implemented.')
  if (place?.kind !== 'asset') return await findMarker(place, { asked, zone, markers })
  return { place, state: stateOf(currentAsset(place.path, asked, dependencies)), isFormer: false }
}

interface MarkerSearch {
  readonly asked: S3Request
  readonly zone: ZoneRecord
  readonly markers: Pick<DirectoryMarkers, 'has'>
}

async function findMarker(
  place: MarkerPlace | undefined,
  { asked, zone, markers }: MarkerSearch,
): Promise<FoundObject> {
  if (asked.caller.isAnonymous) throw accessDenied()
  if (place === undefined || !(await markers.has(place))) throw noSuchKey(asked.key)
  return { place, state: markerState(zone.createdAt), isFormer: false }
}

/** Who signs nothing has what an edge would deliver, and hears of nothing else. */
function currentAsset(
  path: AssetPath,
  { url, key, caller }: S3Request,
  { published, withheld }: FindDependencies,
) {
  if (caller.isAnonymous)
    try {
      withheld.requireShown(path, { hostname: url.hostname, zone: undefined })
      return deliveredAsset(published, path, { isSigned: false })
    } catch (thrown) {
      if (asRefusal(thrown) === undefined) throw thrown
      throw accessDenied()
    }
  const asset = published.asset(path)
  if (asset === undefined) throw noSuchKey(key)
  return asset
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

export const noSuchKey = (key = '') =>
  new S3Error('NoSuchKey', 'The specified key does not exist.', { elements: { Key: key } })
