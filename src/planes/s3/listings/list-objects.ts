import {
  type ListedObject,
  listObjectPage,
  type ObjectPage,
} from '../../../domain/catalog/objects/object-page.ts'
import { requireBucket } from '../buckets/require-bucket.ts'
import { owner } from '../owner.ts'
import type { S3Operations, S3Request } from '../s3-request.ts'
import type { XmlContent } from '../xml/write-xml.ts'
import { xmlResponse } from '../xml/xml-response.ts'
import {
  asSent,
  continuationToken,
  type ListParameters,
  readContinuationToken,
  readListParameters,
} from './list-parameters.ts'
import { type EntityTags, objectContent } from './listed-content.ts'

type Objects = Parameters<typeof listObjectPage>[1]

export interface ListObjectsDependencies {
  readonly objects: Objects
  readonly zoneExists: (name: string) => boolean
  readonly entityTags: EntityTags
}

export const listObjects: S3Operations<ListObjectsDependencies> = (dependencies) => [
  {
    /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjects.html */
    name: 'ListObjects',
    method: 'GET',
    target: 'bucket',
    scope: 'storage:read',
    handle: (asked) => listFirstVersion(asked, dependencies),
  },
  {
    /** https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListObjectsV2.html */
    name: 'ListObjectsV2',
    method: 'GET',
    target: 'bucket',
    query: ['list-type=2'],
    scope: 'storage:read',
    handle: (asked) => listSecondVersion(asked, dependencies),
  },
]

async function listFirstVersion(asked: S3Request, dependencies: ListObjectsDependencies) {
  const zone = requireBucket(asked, dependencies)
  const parameters = readListParameters(asked.query)
  const { encode, delimiter } = parameters
  const marker = asked.query.get('marker') ?? ''
  const page = pageOf({ zone, parameters, after: marker }, dependencies)
  const last = page.entries.at(-1)
  const next = page.isTruncated && delimiter !== undefined && last !== undefined
  return xmlResponse('ListBucketResult', {
    Name: zone,
    ...asSent(parameters),
    Marker: encode(marker),
    NextMarker: next ? encode(placeOf(last)) : undefined,
    IsTruncated: page.isTruncated,
    ...(await entriesOf(page, { parameters, dependencies, hasOwner: true })),
  })
}

async function listSecondVersion(asked: S3Request, dependencies: ListObjectsDependencies) {
  const { query } = asked
  const zone = requireBucket(asked, dependencies)
  const parameters = readListParameters(query)
  const startAfter = query.get('start-after') ?? undefined
  const token = query.get('continuation-token') ?? undefined
  const after = token ? readContinuationToken(token) : (startAfter ?? '')
  const page = pageOf({ zone, parameters, after }, dependencies)
  const last = page.entries.at(-1)
  return xmlResponse('ListBucketResult', {
    Name: zone,
    ...asSent(parameters),
    StartAfter: startAfter === undefined ? undefined : parameters.encode(startAfter),
    ContinuationToken: token,
    NextContinuationToken:
      page.isTruncated && last !== undefined ? continuationToken(placeOf(last)) : undefined,
    KeyCount: page.entries.length,
    IsTruncated: page.isTruncated,
    ...(await entriesOf(page, {
      parameters,
      dependencies,
      hasOwner: query.get('fetch-owner') === 'true',
    })),
  })
}

interface Wanted {
  readonly zone: string
  readonly parameters: ListParameters
  readonly after: string
}

function pageOf({ zone, parameters, after }: Wanted, { objects }: ListObjectsDependencies) {
  const { prefix, delimiter, maxKeys: limit } = parameters
  return listObjectPage({ zone, prefix, delimiter, after, limit }, objects)
}

export const placeOf = (entry: ListedObject): string =>
  entry.kind === 'object' ? entry.key : entry.prefix

interface Writing {
  readonly parameters: ListParameters
  readonly dependencies: ListObjectsDependencies
  readonly hasOwner: boolean
}

async function entriesOf(
  { entries }: ObjectPage,
  { parameters: { encode }, dependencies, hasOwner }: Writing,
): Promise<Readonly<Record<string, readonly XmlContent[]>>> {
  const found = entries.filter((entry) => entry.kind === 'object')
  const tags = await dependencies.entityTags(found.map(({ object }) => objectContent(object)))
  return {
    Contents: found.map(({ key, object }, place) => ({
      Key: encode(key),
      LastModified: changedAt(object).toISOString(),
      ETag: tags[place] ?? '',
      Size: objectContent(object).sizeBytes,
      Owner: hasOwner ? owner : undefined,
      StorageClass: 'STANDARD',
    })),
    CommonPrefixes: entries
      .filter((entry) => entry.kind === 'prefix')
      .map(({ prefix }) => ({ Prefix: encode(prefix) })),
  }
}

export const changedAt = (object: Extract<ListedObject, { kind: 'object' }>['object']): Date =>
  object.kind === 'asset' ? object.asset.changedAt : object.marker.changedAt
