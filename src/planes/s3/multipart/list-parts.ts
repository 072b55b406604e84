import type { MultipartUploads } from '../../../domain/uploads/multipart/multipart-uploads.ts'
import type { UploadPart } from '../../../ports/content/upload-part-store.ts'
import type { Manifest } from '../../../ports/records/manifest.ts'
import type { S3Operations } from '../s3-request.ts'
import { xmlResponse } from '../xml/xml-response.ts'
import { countIn, namedUpload } from './multipart-request.ts'
import { termsOf } from './upload-terms.ts'

export interface ListPartsDependencies {
  readonly multipart: Pick<MultipartUploads, 'find' | 'parts'>
  readonly published: Pick<Manifest, 'zone'>
}

const mostParts = 1000

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListParts.html */
export const listParts: S3Operations<ListPartsDependencies> = ({ multipart, published }) => [
  {
    name: 'ListParts',
    method: 'GET',
    target: 'object',
    query: ['uploadId'],
    scope: 'storage:read',
    handle: async (asked) => {
      const { caller, query } = asked
      const place = namedUpload(asked, published)
      const limit = countIn(query, 'max-parts', { usual: mostParts, most: mostParts })
      const after = countIn(query, 'part-number-marker', { usual: 0, most: 10_000 })
      const upload = await multipart.find(place, caller.actor)
      const found = await multipart.parts(place, { after, limit: limit + 1 }, caller.actor)
      const shown = found.slice(0, limit)
      const { checksum } = termsOf(upload)
      const owner = { ID: upload.credentialId, DisplayName: upload.credentialId }
      return xmlResponse('ListPartsResult', {
        Bucket: place.bucket,
        Key: place.key,
        UploadId: upload.id,
        PartNumberMarker: after,
        NextPartNumberMarker: shown.at(-1)?.number ?? after,
        MaxParts: limit,
        IsTruncated: limit > 0 && found.length > limit,
        Initiator: owner,
        Owner: owner,
        StorageClass: 'STANDARD',
        ChecksumAlgorithm: checksum?.algorithm,
        ChecksumType: checksum?.type,
        Part: shown.map(listedPart),
      })
    },
  },
]

const listedPart = ({ number, storedAt, md5, sizeBytes, checksum }: UploadPart) => ({
  PartNumber: number,
  LastModified: storedAt.toISOString(),
  ETag: `"${md5}"`,
  Size: sizeBytes,
  ...(checksum && { [`Checksum${checksum.algorithm}`]: checksum.value }),
})
