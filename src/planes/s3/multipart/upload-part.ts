import type { MultipartUploads } from '../../../domain/uploads/multipart/multipart-uploads.ts'
import type { Manifest } from '../../../ports/records/manifest.ts'
import { checksumAlgorithms, checksumField } from '../content/content-checksums.ts'
import { S3Error } from '../s3-error.ts'
import type { ContentDigests, S3Operations, S3Request } from '../s3-request.ts'
import { summed } from './hashing-content.ts'
import { namedUpload, partNumberIn } from './multipart-request.ts'
import { termsOf } from './upload-terms.ts'
import type { ChecksumPlan } from './whole-checksum.ts'

export interface UploadPartDependencies {
  readonly multipart: Pick<MultipartUploads, 'find' | 'putPart'>
  readonly published: Pick<Manifest, 'zone'>
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_UploadPart.html */
export const uploadPart: S3Operations<UploadPartDependencies> = ({ multipart, published }) => [
  {
    name: 'UploadPart',
    method: 'PUT',
    target: 'object',
    query: ['partNumber', 'uploadId'],
    scope: 'storage:write',
    handle: async (asked) => {
      const { content, caller, query } = asked
      const number = partNumberIn(query)
      const place = namedUpload(asked, published)
      if (content.sizeBytes === undefined)
        throw new S3Error(
          'MissingContentLength',
          'You must provide the Content-Length HTTP header.',
        )
      const { checksum: plan } = termsOf(await multipart.find(place, caller.actor))
      const { stream, digests } = arriving(asked, plan)
      const { sizeBytes } = content
      const part = { number, sizeBytes, body: stream, digests }
      const { md5, checksum } = await multipart.putPart(place, part, caller.actor)
      return new Response(null, {
        headers: {
          etag: `"${md5}"`,
          ...(checksum && {
            [`x-amz-checksum-${checksum.algorithm.toLowerCase()}`]: checksum.value,
          }),
        },
      })
    },
  },
]

/**
 * Where the upload is to have checksums and the client sent none of this part, it is made here: what a client
 * does not say it cannot say wrongly.
 */
function arriving({ content, request }: S3Request, plan: ChecksumPlan | undefined) {
  const own = saysChecksum(request.headers)
    ? { stream: content.stream(), checksum: () => undefined }
    : summed(content.stream(), plan?.algorithm)
  const digests = (): ContentDigests => {
    const { md5, checksum } = content.digests()
    const isOther = plan !== undefined && checksum !== undefined
    if (isOther && checksum.algorithm !== plan.algorithm)
      throw new S3Error(
        'InvalidRequest',
        `Checksum Type mismatch occurred, expected checksum Type: ${plan.algorithm.toLowerCase()}, actual checksum Type: ${checksum.algorithm.toLowerCase()}`,
      )
    return { md5, checksum: checksum ?? own.checksum() }
  }
  return { stream: own.stream, digests }
}

/** Before the body or behind it. */
const saysChecksum = (headers: Headers): boolean =>
  headers.has('x-amz-trailer') ||
  checksumAlgorithms.some((algorithm) => headers.has(checksumField(algorithm)))
