import { reaches } from '../../../domain/access/actor.ts'
import type { ZoneRecord } from '../../../ports/records/zone.ts'
import type { S3Operations } from '../s3-request.ts'
import { xmlResponse } from '../xml/xml-response.ts'

export interface ListBucketsDependencies {
  readonly zones: () => readonly Pick<ZoneRecord, 'name' | 'createdAt'>[]
}

/** https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListBuckets.html */
export const listBuckets: S3Operations<ListBucketsDependencies> = ({ zones }) => [
  {
    name: 'ListBuckets',
    method: 'GET',
    target: 'service',
    scope: 'zones:read',
    handle: ({ caller: { actor } }) => {
      const buckets = zones()
        .filter(({ name }) => reaches(actor, name))
        .map(({ name, createdAt }) => ({ Name: name, CreationDate: createdAt.toISOString() }))
      return xmlResponse('ListAllMyBucketsResult', {
        Owner: { ID: actor.credentialId, DisplayName: actor.credentialId },
        Buckets: { Bucket: buckets },
      })
    },
  },
]
