import { listObjectPage } from '../../../domain/catalog/objects/object-page.ts'
import { requireBucket } from '../buckets/require-bucket.ts'
import { onlyVersionId } from '../objects/only-version.ts'
import { owner } from '../owner.ts'
import type { S3Operations, S3Request } from '../s3-request.ts'
import { xmlResponse } from '../xml/xml-response.ts'
import { asSent, invalidArgument, readListParameters } from './list-parameters.ts'
import { changedAt, type ListObjectsDependencies, placeOf } from './list-objects.ts'
import { objectContent } from './listed-content.ts'

/**
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectVersions.html of a bucket without versions: what
 * it has now, each as its only version.
 */
export const listOnlyVersions: S3Operations<ListObjectsDependencies> = (dependencies) => [
  {
    name: 'ListObjectVersions',
    method: 'GET',
    target: 'bucket',
    query: ['versions'],
    scope: 'storage:read',
    handle: (asked) => list(asked, dependencies),
  },
]

async function list(asked: S3Request, dependencies: ListObjectsDependencies): Promise<Response> {
  const zone = requireBucket(asked, dependencies)
  const parameters = readListParameters(asked.query)
  const { prefix, delimiter, maxKeys: limit, encode } = parameters
  const { after, marker } = readPlace(asked.query)
  const query = { zone, prefix, delimiter, after, limit }
  const { entries, isTruncated } = listObjectPage(query, dependencies.objects)
  const found = entries.filter((entry) => entry.kind === 'object')
  const tags = await dependencies.entityTags(found.map(({ object }) => objectContent(object)))
  const last = isTruncated ? entries.at(-1) : undefined
  return xmlResponse('ListVersionsResult', {
    Name: zone,
    ...asSent(parameters),
    KeyMarker: encode(after),
    VersionIdMarker: marker,
    NextKeyMarker: last && encode(placeOf(last)),
    NextVersionIdMarker: last?.kind === 'object' ? onlyVersionId : undefined,
    IsTruncated: isTruncated,
    Version: found.map(({ key, object }, place) => ({
      Key: encode(key),
      VersionId: onlyVersionId,
      IsLatest: true,
      LastModified: changedAt(object).toISOString(),
      ETag: tags[place] ?? '',
      Size: objectContent(object).sizeBytes,
      Owner: owner,
      StorageClass: 'STANDARD',
    })),
    CommonPrefixes: entries
      .filter((entry) => entry.kind === 'prefix')
      .map((entry) => ({ Prefix: encode(entry.prefix) })),
  })
}

/** After which key it goes on, and as whose version that was said. */
function readPlace(query: URLSearchParams): { readonly after: string; readonly marker: string } {
  const after = query.get('key-marker') ?? ''
  const marker = query.get('version-id-marker') ?? ''
  if (marker !== '' && (marker !== onlyVersionId || after === ''))
    throw invalidArgument('version-id-marker', marker, 'Invalid version id specified')
  return { after, marker }
}
