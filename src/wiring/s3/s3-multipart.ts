import type { MultipartUploads } from '../../domain/uploads/multipart/multipart-uploads.ts'
import { abortMultipartUpload } from '../../planes/s3/multipart/abort-multipart-upload.ts'
import { completeMultipartUpload } from '../../planes/s3/multipart/complete-multipart-upload.ts'
import { createMultipartUpload } from '../../planes/s3/multipart/create-multipart-upload.ts'
import { listMultipartUploads } from '../../planes/s3/multipart/list-multipart-uploads.ts'
import { listParts } from '../../planes/s3/multipart/list-parts.ts'
import type { Patience } from '../../planes/s3/multipart/patient-response.ts'
import { uploadPart } from '../../planes/s3/multipart/upload-part.ts'
import { uploadPartCopy } from '../../planes/s3/multipart/upload-part-copy.ts'
import { toS3Error } from '../../planes/s3/s3-error.ts'
import type { S3Operation } from '../../planes/s3/s3-request.ts'
import { xmlErrorDocument } from '../../planes/s3/xml/write-xml.ts'
import type { CopyingParts } from './s3-objects.ts'
import type { World } from '../world.ts'

/** Objects that come in parts. */
export function multipartOperations(
  { log }: Pick<World, 'log'>,
  objects: CopyingParts,
  multipart: MultipartUploads,
): readonly S3Operation[] {
  const parts = { ...objects, multipart, patience: patienceOf(log) }
  return [
    ...createMultipartUpload(parts),
    ...uploadPart(parts),
    ...uploadPartCopy(parts),
    ...listParts(parts),
    ...listMultipartUploads(parts),
    ...completeMultipartUpload(parts),
    ...abortMultipartUpload(parts),
  ]
}

const patienceOf = (log: World['log']): Patience => ({
  after: (ms, run) => {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
  errorDocument(thrown) {
    const { code, message, elements, status, cause } = toS3Error(thrown)
    if (status >= 500) log.error('request refused late', { operation: 's3', code, error: cause })
    return xmlErrorDocument({ Code: code, Message: message, ...elements })
  },
})
