import {
  type ListedVersion,
  listVersionPage,
  type VersionPage,
  type VersionPageQuery,
} from '../../../domain/catalog/objects/version-page.ts'
import { rootOf } from '../../../domain/catalog/objects/object-page.ts'
import type { ObjectVersions } from '../../../ports/content/object-versions.ts'
import type { ObjectVersion } from '../../../ports/records/object-version.ts'
import { requireBucket } from '../buckets/require-bucket.ts'
import { owner } from '../owner.ts'
import type { S3Operations, S3Request } from '../s3-request.ts'
import type { XmlContent } from '../xml/write-xml.ts'
import { xmlResponse } from '../xml/xml-response.ts'
import {
  asSent,
  invalidArgument,
  type ListParameters,
  readListParameters,
} from './list-parameters.ts'

export interface ListVersionsDependencies {
  readonly versions: Pick<ObjectVersions, 'find' | 'list'>
  readonly zoneExists: (name: string) => boolean
  /** With quotes, in the order of the versions; of deletions anything. */
  readonly versionTags: (versions: readonly ObjectVersion[]) => Promise<readonly string[]>
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectVersions.html */
export const listVersions: S3Operations<ListVersionsDependencies> = (dependencies) => [
  {
    name: 'ListObjectVersions',
    method: 'GET',
    target: 'bucket',
    query: ['versions'],
    scope: 'storage:read',
    handle: (asked) => list(asked, dependencies),
  },
]

async function list(asked: S3Request, dependencies: ListVersionsDependencies): Promise<Response> {
  const zone = requireBucket(asked, dependencies)
  const parameters = readListParameters(asked.query)
  const { prefix, delimiter, maxKeys: limit, encode } = parameters
  const place = await readPlace(asked.query, zone, dependencies)
  const query = { zone, prefix, delimiter, limit, ...place }
  const page = await listVersionPage(query, dependencies.versions)
  const last = page.isTruncated ? page.entries.at(-1) : undefined
  return xmlResponse('ListVersionsResult', {
    Name: zone,
    ...asSent(parameters),
    KeyMarker: encode(place.after),
    VersionIdMarker: place.afterCommitId ?? '',
    NextKeyMarker: last && encode(last.kind === 'prefix' ? last.prefix : last.key),
    NextVersionIdMarker: last?.kind === 'version' ? last.version.commitId : undefined,
    IsTruncated: page.isTruncated,
    ...(await entriesOf(page, parameters, dependencies)),
  })
}

/** After which version it goes on. Refuses one that the key does not have. */
async function readPlace(
  query: URLSearchParams,
  zone: string,
  { versions }: ListVersionsDependencies,
): Promise<Pick<VersionPageQuery, 'after' | 'afterCommitId'>> {
  const after = query.get('key-marker') ?? ''
  const marker = query.get('version-id-marker') || undefined
  if (marker === undefined) return { after, afterCommitId: undefined }
  if (after === '')
    throw invalidArgument(
      'version-id-marker',
      marker,
      'A version-id marker cannot be specified without a key marker.',
    )
  const isCommit = /^[0-9a-f]{40,64}$/u.test(marker)
  const found = isCommit ? await versions.find(rootOf(zone) + after, marker) : undefined
  if (found === undefined)
    throw invalidArgument('version-id-marker', marker, 'Invalid version id specified')
  return { after, afterCommitId: marker }
}

type Entries = Readonly<Record<string, readonly XmlContent[]>>

async function entriesOf(
  { entries }: VersionPage,
  { encode }: ListParameters,
  { versionTags }: ListVersionsDependencies,
): Promise<Entries> {
  const found = entries.filter((entry) => entry.kind === 'version')
  const stored = found.filter(({ version }) => version.content !== undefined)
  const tags = await versionTags(stored.map(({ version }) => version))
  return {
    Version: stored.map((entry, place) => ({
      ...versionFields(entry, encode),
      ETag: tags[place] ?? '',
      Size: entry.version.content?.sizeBytes ?? 0,
      StorageClass: 'STANDARD',
    })),
    DeleteMarker: found
      .filter(({ version }) => version.content === undefined)
      .map((entry) => versionFields(entry, encode)),
    CommonPrefixes: entries
      .filter((entry) => entry.kind === 'prefix')
      .map(({ prefix }) => ({ Prefix: encode(prefix) })),
  }
}

const versionFields = (
  { key, version, isLatest }: Extract<ListedVersion, { kind: 'version' }>,
  encode: ListParameters['encode'],
) => ({
  Key: encode(key),
  VersionId: version.commitId,
  IsLatest: isLatest,
  LastModified: version.committedAt.toISOString(),
  Owner: owner,
})
