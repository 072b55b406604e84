import { S3Error } from '../s3-error.ts'
import type { S3Request } from '../s3-request.ts'

interface Zones {
  readonly zoneExists: (name: string) => boolean
}

/** The zone that a request is about. Refuses with `NoSuchBucket` where there is none. */
export function requireBucket(
  { bucket = '' }: Pick<S3Request, 'bucket'>,
  { zoneExists }: Zones,
): string {
  if (zoneExists(bucket)) return bucket
  throw new S3Error('NoSuchBucket', 'The specified bucket does not exist', {
    elements: { BucketName: bucket.slice(0, 255) },
  })
}
