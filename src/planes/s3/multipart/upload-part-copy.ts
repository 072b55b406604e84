import type { MultipartUploads } from '../../../domain/uploads/multipart/multipart-uploads.ts'
import type { ObjectBytes } from '../../../domain/content/objects/object-bytes.ts'
import { type CopySourceDependencies, findCopySource } from '../objects/copy-source.ts'
import type { FoundObject } from '../objects/find-object.ts'
import { S3Error } from '../s3-error.ts'
import type { S3Operations, S3Request } from '../s3-request.ts'
import { hashed } from './hashing-content.ts'
import { namedUpload, partNumberIn } from './multipart-request.ts'
import { type LongResult, type Patience, patientResponse } from './patient-response.ts'
import { termsOf } from './upload-terms.ts'

export interface UploadPartCopyDependencies extends CopySourceDependencies {
  readonly multipart: Pick<MultipartUploads, 'find' | 'putPart'>
  readonly bytes: Pick<ObjectBytes, 'open' | 'openFormer'>
  readonly patience: Patience
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_UploadPartCopy.html */
export const uploadPartCopy: S3Operations<UploadPartCopyDependencies> = (dependencies) => [
  {
    name: 'UploadPartCopy',
    method: 'PUT',
    target: 'object',
    query: ['partNumber', 'uploadId'],
    header: 'x-amz-copy-source',
    scope: 'storage:write',
    handle: async (asked) => {
      const number = partNumberIn(asked.query)
      const place = namedUpload(asked, dependencies.published)
      const upload = await dependencies.multipart.find(place, asked.caller.actor)
      const source = await findCopySource(asked, dependencies)
      const span = copiedSpan(asked.request.headers, source.state.sizeBytes)
      const bytes = await openSource(source, span, dependencies)
      const { stream, digests } = hashed(bytes, termsOf(upload).checksum?.algorithm)
      const part = { number, sizeBytes: span.end - span.start, body: stream, digests }
      const stored = dependencies.multipart.putPart(place, part, asked.caller.actor)
      const { isFormer, state } = source
      return await patientResponse(
        stored.then(({ storedAt, md5, checksum }): LongResult => ({
          root: 'CopyPartResult',
          content: {
            LastModified: storedAt.toISOString(),
            ETag: `"${md5}"`,
            ...(checksum && { [`Checksum${checksum.algorithm}`]: checksum.value }),
          },
          headers:
            isFormer && state.versionId !== undefined
              ? { 'x-amz-copy-source-version-id': state.versionId }
              : {},
        })),
        dependencies.patience,
      )
    },
  },
]

interface Span {
  readonly start: number
  /** The byte behind the last one. */
  readonly end: number
}

/** `bytes=first-last`, both of which must be there. */
function copiedSpan(headers: S3Request['request']['headers'], sizeBytes: number): Span {
  const range = headers.get('x-amz-copy-source-range')
  if (range === null) return { start: 0, end: sizeBytes }
  const [, first, last] = /^bytes=(\d{1,15})-(\d{1,15})$/u.exec(range) ?? []
  if (first === undefined || Number(first) > Number(last))
    throw new S3Error(
      'InvalidArgument',
      'The x-amz-copy-source-range value must be of the form bytes=first-last where first and last are the zero-based offsets of the first and last bytes to copy',
      { elements: { ArgumentName: 'x-amz-copy-source-range' } },
    )
  if (Number(last) >= sizeBytes)
    throw new S3Error(
      'InvalidRange',
      `Range specified is not valid for source object of size: ${sizeBytes}`,
    )
  return { start: Number(first), end: Number(last) + 1 }
}

async function openSource(
  { state, isFormer }: FoundObject,
  span: Span,
  { bytes }: UploadPartCopyDependencies,
): Promise<ReadableStream<Uint8Array>> {
  if (state.sizeBytes === 0) return new Blob([]).stream()
  const found = isFormer ? bytes.openFormer(state, span) : bytes.open(state, span)
  return (await found).stream()
}
