import type { MultipartUploads } from '../../../domain/uploads/multipart/multipart-uploads.ts'
import type { Manifest } from '../../../ports/records/manifest.ts'
import type { S3Operations } from '../s3-request.ts'
import { namedUpload } from './multipart-request.ts'

export interface AbortDependencies {
  readonly multipart: Pick<MultipartUploads, 'abort'>
  readonly published: Pick<Manifest, 'zone'>
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_AbortMultipartUpload.html */
export const abortMultipartUpload: S3Operations<AbortDependencies> = ({ multipart, published }) => [
  {
    name: 'AbortMultipartUpload',
    method: 'DELETE',
    target: 'object',
    query: ['uploadId'],
    scope: 'storage:write',
    handle: async (asked) => {
      await multipart.abort(namedUpload(asked, published), asked.caller.actor)
      return new Response(null, { status: 204 })
    },
  },
]
