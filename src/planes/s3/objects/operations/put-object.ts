import type { ContentDigests } from '../../../../domain/content/objects/content-digests.ts'
import type { DirectoryMarkers } from '../../../../domain/content/objects/directory-markers.ts'
import type { MarkerPlace } from '../../../../domain/content/objects/object-place.ts'
import type { Objects } from '../../../../domain/content/objects/objects.ts'
import type { AssetPath } from '../../../../domain/content/asset-path.ts'
import { collectBytes, passingStream } from '../../../../lib/bytes/byte-streams.ts'
import type { Manifest } from '../../../../ports/records/manifest.ts'
import { S3Error } from '../../s3-error.ts'
import type { S3Operations, S3Request } from '../../s3-request.ts'
import { refuseAbsentFeatures } from '../absent-features.ts'
import { namedObject, requireBucket } from '../find-object.ts'
import { checksumHeaders } from '../object-headers.ts'
import { placeOfKey } from '../object-key.ts'
import { wordsOf } from '../request-words.ts'
import { writeCondition } from '../write-condition.ts'

export interface PutDependencies {
  readonly objects: Pick<Objects, 'put'>
  readonly markers: Pick<DirectoryMarkers, 'put'>
  readonly published: Pick<Manifest, 'asset' | 'zone'>
  readonly digests: Pick<ContentDigests, 'known' | 'of' | 'note'>
  readonly maxFileBytes: number
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObject.html */
export const putObject: S3Operations<PutDependencies> = (dependencies) => [
  {
    name: 'PutObject',
    method: 'PUT',
    target: 'object',
    scope: 'storage:write',
    handle: async (asked) => {
      const { bucket, key } = namedObject(asked)
      requireBucket(bucket, asked, dependencies.published)
      const place = placeOfKey(bucket, key)
      refuseAbsentFeatures(asked.request.headers, place)
      requireSize(asked, dependencies.maxFileBytes)
      return place.kind === 'marker'
        ? await putMarker(asked, place, dependencies)
        : await putAsset(asked, place.path, dependencies)
    },
  },
]

function requireSize({ content: { sizeBytes } }: S3Request, maxFileBytes: number): void {
  if (sizeBytes === undefined)
    throw new S3Error('MissingContentLength', 'You must provide the Content-Length HTTP header.')
  if (sizeBytes > maxFileBytes)
    throw new S3Error('EntityTooLarge', 'Your proposed upload exceeds the maximum allowed size', {
      elements: { ProposedSize: String(sizeBytes), MaxSizeAllowed: String(maxFileBytes) },
    })
}

async function putAsset(
  { request, content, caller }: S3Request,
  path: AssetPath,
  dependencies: PutDependencies,
): Promise<Response> {
  const { objects, digests } = dependencies
  const words = wordsOf(request.headers)
  const written = await objects.put(
    {
      path,
      source: passingStream(content.stream()),
      contentType: request.headers.get('content-type'),
      precondition: await writeCondition(request, path, dependencies),
      words: () => words,
    },
    caller.actor,
  )
  const { md5, checksum } = content.digests()
  digests.note({ sha256: written.sha256, md5, ...(checksum && { checksum }) })
  const shown = checksum && ({ ...checksum, type: 'FULL_OBJECT' } as const)
  return new Response(null, {
    headers: {
      etag: `"${md5}"`,
      ...(written.versionId !== undefined && { 'x-amz-version-id': written.versionId }),
      ...checksumHeaders(shown),
    },
  })
}

const emptyMd5 = 'd41d8cd98f00b204e9800998ecf8427e'

async function putMarker(
  { request, content, caller }: S3Request,
  place: MarkerPlace,
  { markers }: PutDependencies,
): Promise<Response> {
  if (content.sizeBytes !== 0)
    throw new S3Error('InvalidArgument', 'key must not end in a slash where the object has bytes', {
      elements: { ArgumentName: 'key' },
    })
  const words = wordsOf(request.headers)
  // Nothing, too, is checked on its way.
  await collectBytes(content.stream())
  const versionId = await markers.put({ place, words: () => words }, caller.actor)
  return new Response(null, {
    headers: {
      etag: `"${emptyMd5}"`,
      ...(versionId !== undefined && { 'x-amz-version-id': versionId }),
    },
  })
}
