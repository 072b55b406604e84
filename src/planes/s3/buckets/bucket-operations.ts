import type { Zones } from '../../../domain/content/zones.ts'
import { parseZoneName } from '../../../domain/content/zone-name.ts'
import { asRefusal } from '../../../domain/errors.ts'
import { S3Error } from '../s3-error.ts'
import type { S3Operations, S3Request } from '../s3-request.ts'
import { readXml } from '../xml/read-xml.ts'
import { requireBucket } from './require-bucket.ts'

export interface BucketDependencies {
  readonly zones: Pick<Zones, 'create' | 'remove'>
  readonly zoneExists: (name: string) => boolean
  /** Whether the zone has an object now. */
  readonly hasObjects: (zone: string) => boolean
}

/** What `x-amz-bucket-region` says; which region a client takes it for does not matter. */
export const bucketRegion = 'us-east-1'

export const bucketOperations: S3Operations<BucketDependencies> = (dependencies) => [
  {
    /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_CreateBucket.html */
    name: 'CreateBucket',
    method: 'PUT',
    target: 'bucket',
    scope: 'zones:write',
    handle: (asked) => createBucket(asked, dependencies),
  },
  ...headBucket(dependencies),
  {
    /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteBucket.html */
    name: 'DeleteBucket',
    method: 'DELETE',
    target: 'bucket',
    scope: 'zones:write',
    handle: (asked) => deleteBucket(asked, dependencies),
  },
]

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_HeadBucket.html */
export const headBucket: S3Operations<Pick<BucketDependencies, 'zoneExists'>> = (zones) => [
  {
    name: 'HeadBucket',
    method: 'HEAD',
    target: 'bucket',
    scope: 'storage:read',
    handle(asked) {
      requireBucket(asked, zones)
      return new Response(null, {
        headers: { 'x-amz-bucket-region': bucketRegion, 'x-amz-access-point-alias': 'false' },
      })
    },
  },
]

async function createBucket(
  { bucket = '', caller, request, content }: S3Request,
  { zones, zoneExists }: BucketDependencies,
): Promise<Response> {
  if (zoneExists(bucket)) throw alreadyOwned(bucket)
  requireName(bucket)
  requireNoLock(request.headers)
  requirePrivate(request.headers)
  if (content.sizeBytes !== 0 && request.body !== null)
    await readXml(content, 'CreateBucketConfiguration', { maxBytes: 64 * 1024 })
  try {
    await zones.create(bucket, caller.actor, { isBare: true })
  } catch (thrown) {
    throw asRefusal(thrown)?.code === 'ZoneExists' ? alreadyOwned(bucket) : thrown
  }
  return new Response(null, { headers: { Location: `/${bucket}` } })
}

function requireNoLock(headers: Headers): void {
  if (headers.get('x-amz-bucket-object-lock-enabled')?.toLowerCase() === 'true')
    throw new S3Error('NotImplemented', 'Nothing of object lock is implemented.')
}

/** Everything is private but what the edge delivers; to ask for that is to ask for nothing. */
export function requirePrivate(headers: Headers): void {
  const acl = headers.get('x-amz-acl')
  const hasGrants = [...headers.keys()].some((name) => name.startsWith('x-amz-grant-'))
  if (hasGrants || (acl !== null && acl !== 'private'))
    throw new S3Error('NotImplemented', 'Nothing of access control lists is implemented.')
}

function requireName(bucket: string): void {
  try {
    parseZoneName(bucket)
  } catch (cause) {
    const reason = asRefusal(cause)?.message ?? ''
    throw new S3Error('InvalidBucketName', `The specified bucket is not valid: ${reason}`, {
      elements: { BucketName: bucket.slice(0, 255) },
      cause,
    })
  }
}

const alreadyOwned = (bucket: string): S3Error =>
  new S3Error(
    'BucketAlreadyOwnedByYou',
    'Your previous request to create the named bucket succeeded and you already own it.',
    { elements: { BucketName: bucket } },
  )

async function deleteBucket(asked: S3Request, dependencies: BucketDependencies) {
  const zone = requireBucket(asked, dependencies)
  if (dependencies.hasObjects(zone)) throw notEmpty(zone)
  try {
    await dependencies.zones.remove(zone, asked.caller.actor, { onlyIfEmpty: true })
  } catch (thrown) {
    throw asRefusal(thrown)?.code === 'PathConflict' ? notEmpty(zone) : thrown
  }
  return new Response(null, { status: 204 })
}

const notEmpty = (zone: string): S3Error =>
  new S3Error('BucketNotEmpty', 'The bucket you tried to delete is not empty', {
    elements: { BucketName: zone },
  })
