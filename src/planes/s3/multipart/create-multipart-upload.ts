import type { MultipartUploads } from '../../../domain/uploads/multipart/multipart-uploads.ts'
import type { Manifest } from '../../../ports/records/manifest.ts'
import { refuseAbsentFeatures } from '../objects/absent-features.ts'
import { namedObject, requireBucket } from '../objects/find-object.ts'
import { placeOfKey } from '../objects/object-key.ts'
import { wordsOf } from '../objects/request-words.ts'
import { S3Error } from '../s3-error.ts'
import type { S3Operations } from '../s3-request.ts'
import { xmlResponse } from '../xml/xml-response.ts'
import { keptTerms } from './upload-terms.ts'
import { checksumPlanOf } from './whole-checksum.ts'

export interface CreateDependencies {
  readonly multipart: Pick<MultipartUploads, 'create'>
  readonly published: Pick<Manifest, 'zone'>
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_CreateMultipartUpload.html */
export const createMultipartUpload: S3Operations<CreateDependencies> = ({
  multipart,
  published,
}) => [
  {
    name: 'CreateMultipartUpload',
    method: 'POST',
    target: 'object',
    query: ['uploads'],
    scope: 'storage:write',
    handle: async (asked) => {
      const { request, caller } = asked
      const { bucket, key } = namedObject(asked)
      requireBucket(bucket, asked, published)
      const place = placeOfKey(bucket, key)
      refuseAbsentFeatures(request.headers, place)
      if (place.kind === 'marker') throw notOfMarker()
      const checksum = checksumPlanOf(request.headers)
      const { id } = await multipart.create(
        {
          path: place.path,
          contentType: request.headers.get('content-type'),
          clientMetadata: keptTerms({
            words: wordsOf(request.headers),
            ...(checksum && { checksum }),
          }),
        },
        caller.actor,
      )
      const response = xmlResponse('InitiateMultipartUploadResult', {
        Bucket: bucket,
        Key: key,
        UploadId: id,
      })
      if (checksum !== undefined) {
        response.headers.set('x-amz-checksum-algorithm', checksum.algorithm)
        response.headers.set('x-amz-checksum-type', checksum.type)
      }
      return response
    },
  },
]

const notOfMarker = () =>
  new S3Error('InvalidArgument', 'key must not end in a slash where the object comes in parts', {
    elements: { ArgumentName: 'key' },
  })
