import type { Tree } from '../../../ports/content/content-store.ts'
import type { BlobRef } from '../../../ports/content/blob-store.ts'
import type { UploadPart } from '../../../ports/content/upload-part-store.ts'
import { objectChanges, type ObjectWords } from '../../../domain/content/objects/object-sidecar.ts'
import { chooseParts, minPartBytes } from '../../../domain/uploads/multipart/choose-parts.ts'
import type {
  CompletedUpload,
  CompletionPlan,
  MultipartUploads,
} from '../../../domain/uploads/multipart/multipart-uploads.ts'
import { checksumHeaders } from '../objects/object-headers.ts'
import { type ConditionDependencies, writeCondition } from '../objects/write-condition.ts'
import type { Manifest } from '../../../ports/records/manifest.ts'
import { S3Error } from '../s3-error.ts'
import type { S3Operations, S3Request } from '../s3-request.ts'
import {
  invalidPart,
  type ListedPart,
  listedParts,
  requireChecksums,
} from './completion-document.ts'
import { type NamedUpload, namedUpload, noSuchUpload } from './multipart-request.ts'
import { type LongResult, type Patience, patientResponse } from './patient-response.ts'
import { partRuns } from './part-runs.ts'
import { completedTermsOf, type CompletedTerms, termsOf } from './upload-terms.ts'
import { multipartEtag, wholeChecksum } from './whole-checksum.ts'

export interface CompleteDependencies extends ConditionDependencies {
  readonly multipart: Pick<MultipartUploads, 'complete' | 'find'>
  readonly published: Pick<Manifest, 'asset' | 'zone'>
  readonly patience: Patience
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_CompleteMultipartUpload.html */
export const completeMultipartUpload: S3Operations<CompleteDependencies> = (dependencies) => [
  {
    name: 'CompleteMultipartUpload',
    method: 'POST',
    target: 'object',
    query: ['uploadId'],
    scope: 'storage:write',
    handle: async (asked) => {
      const place = namedUpload(asked, dependencies.published)
      const listed = await listedParts(asked.content)
      const result = complete({ asked, place, listed }, dependencies)
      return await patientResponse(result, dependencies.patience)
    },
  },
]

interface Asked {
  readonly asked: S3Request
  readonly place: NamedUpload
  readonly listed: readonly ListedPart[]
}

async function complete(
  { asked, place, listed }: Asked,
  dependencies: CompleteDependencies,
): Promise<LongResult> {
  const { request, caller, url } = asked
  const { multipart } = dependencies
  const etag = multipartEtag(listed.map(({ md5 }) => md5))
  const { completed: before } = await multipart.find(place, caller.actor)
  const precondition = before ? undefined : await writeCondition(request, place.path, dependencies)
  const plan: CompletionPlan = (stored, upload) => {
    const { words, checksum: wanted } = termsOf(upload)
    const parts = requireParts(listed, stored)
    const checksum = wanted && wholeChecksum(wanted, parts)
    requireWhole(request.headers, parts, checksum)
    const said = { etag, ...(checksum && { checksum }) }
    return {
      parts,
      completedAs: JSON.stringify(said satisfies CompletedTerms),
      ...(precondition && { precondition }),
      beside: besideOf(place, { ...words, ...said, ...partRuns(parts) }),
    }
  }
  const completed = await multipart.complete(place, plan, caller.actor)
  // Completed before, with other parts.
  if (completedTermsOf(completed.completedAs).etag !== etag) throw noSuchUpload()
  return resultOf(completed, place, url)
}

const besideOf =
  ({ path }: NamedUpload, words: ObjectWords) =>
  (tree: Tree, { sha256 }: Pick<BlobRef, 'sha256'>) =>
    objectChanges(tree, path, { sha256, ...words })

function requireParts(
  listed: readonly ListedPart[],
  stored: readonly UploadPart[],
): readonly UploadPart[] {
  const chosen = chooseParts(listed, stored)
  if ('parts' in chosen) {
    requireChecksums(listed, chosen.parts)
    return chosen.parts
  }
  const { fault, choice } = chosen
  if (fault === 'unknown') throw invalidPart(choice.number)
  if (fault === 'order')
    throw new S3Error(
      'InvalidPartOrder',
      'The list of parts was not in ascending order. The parts list must be specified in order by part number.',
    )
  throw new S3Error(
    'EntityTooSmall',
    'Your proposed upload is smaller than the minimum allowed object size.',
    { elements: { PartNumber: String(choice.number), MinSizeAllowed: String(minPartBytes) } },
  )
}

/** What the request says of the whole is so. */
function requireWhole(
  headers: Headers,
  parts: readonly UploadPart[],
  checksum: CompletedTerms['checksum'],
): void {
  const size = headers.get('x-amz-mp-object-size')
  const sizeBytes = parts.reduce((sum, part) => sum + part.sizeBytes, 0)
  if (size !== null && size !== String(sizeBytes))
    throw new S3Error(
      'InvalidRequest',
      `The provided 'x-amz-mp-object-size' header value ${size.slice(0, 100)} does not match what was computed: ${sizeBytes}`,
    )
  const type = headers.get('x-amz-checksum-type')
  if (type !== null && checksum !== undefined && type.toUpperCase() !== checksum.type)
    throw new S3Error(
      'InvalidRequest',
      `The upload was created using the ${checksum.type} checksum mode. The complete request must use the same checksum mode.`,
    )
  if (checksum === undefined) return
  const { algorithm, value } = checksum
  const said = headers.get(`x-amz-checksum-${algorithm.toLowerCase()}`)
  if (said !== null && said !== value && said !== value.replace(/-\d+$/u, ''))
    throw new S3Error(
      'BadDigest',
      `The ${algorithm.toLowerCase()} you specified did not match the calculated checksum.`,
    )
}

function resultOf(
  { written, completedAs }: CompletedUpload,
  { bucket, key }: NamedUpload,
  url: URL,
): LongResult {
  const { etag, checksum } = completedTermsOf(completedAs)
  return {
    root: 'CompleteMultipartUploadResult',
    content: {
      Location: `${url.origin}${url.pathname}`,
      Bucket: bucket,
      Key: key,
      ETag: `"${etag}"`,
      ...(checksum && {
        [`Checksum${checksum.algorithm}`]: checksum.value,
        ChecksumType: checksum.type,
      }),
    },
    headers: {
      ...(written.commitId !== undefined && { 'x-amz-version-id': written.commitId }),
      ...checksumHeaders(checksum),
    },
  }
}
