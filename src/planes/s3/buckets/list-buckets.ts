import { reaches } from '../../../domain/access/actor.ts'
import type { ZoneRecord } from '../../../ports/records/zone.ts'
import {
  continuationToken,
  invalidArgument,
  readContinuationToken,
  readCount,
} from '../listings/list-parameters.ts'
import { owner } from '../owner.ts'
import type { S3Operations, S3Request } from '../s3-request.ts'
import { xmlResponse } from '../xml/xml-response.ts'
import { bucketRegion } from './bucket-operations.ts'

export interface ListBucketsDependencies {
  /** By name. */
  readonly zones: () => readonly Pick<ZoneRecord, 'name' | 'createdAt'>[]
}

const mostBuckets = 10_000

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListBuckets.html */
export const listBuckets: S3Operations<ListBucketsDependencies> = (dependencies) => [
  {
    name: 'ListBuckets',
    method: 'GET',
    target: 'service',
    scope: 'zones:read',
    orScope: 'storage:read',
    handle: (asked) => list(asked, dependencies),
  },
]

function list({ caller, query }: S3Request, { zones }: ListBucketsDependencies): Response {
  const prefix = query.get('prefix') ?? ''
  const token = query.get('continuation-token')
  const after = token ? readContinuationToken(token) : ''
  const limit = readLimit(query)
  const found = zones().filter(
    ({ name }) => reaches(caller.actor, name) && name.startsWith(prefix) && name > after,
  )
  const page = found.slice(0, limit)
  const last = page.at(-1)
  const isPaged = query.has('max-buckets') || token !== null
  return xmlResponse('ListAllMyBucketsResult', {
    Owner: owner,
    Buckets: {
      Bucket: page.map(({ name, createdAt }) => ({
        Name: name,
        CreationDate: createdAt.toISOString(),
        BucketRegion: isPaged ? bucketRegion : undefined,
      })),
    },
    ContinuationToken:
      last !== undefined && found.length > page.length ? continuationToken(last.name) : undefined,
    Prefix: prefix === '' ? undefined : prefix,
  })
}

function readLimit(query: URLSearchParams): number {
  const limit = readCount(query, 'max-buckets') ?? mostBuckets
  if (limit >= 1 && limit <= mostBuckets) return limit
  throw invalidArgument(
    'max-buckets',
    String(limit),
    `Argument max-buckets must be an integer between 1 and ${mostBuckets}`,
  )
}
