import { owner } from '../owner.ts'
import { S3Error } from '../s3-error.ts'
import type { S3Operation, S3Operations, S3Request } from '../s3-request.ts'
import { readXml, textIn } from '../xml/read-xml.ts'
import type { XmlContent } from '../xml/write-xml.ts'
import { xmlResponse } from '../xml/xml-response.ts'
import { requirePrivate } from './bucket-operations.ts'
import { requireBucket } from './require-bucket.ts'

export interface BucketSettingsDependencies {
  readonly zoneExists: (name: string) => boolean
  /** They are as of a bucket that never had versioning. */
  readonly isUnversioned?: true
}

/** What is the same of every bucket, each by the query that asks for it. */
const fixed: readonly Setting[] = [
  { name: 'GetBucketLocation', query: 'location', root: 'LocationConstraint', content: '' },
  {
    name: 'GetBucketVersioning',
    query: 'versioning',
    root: 'VersioningConfiguration',
    content: { Status: 'Enabled' },
  },
  {
    name: 'GetBucketAcl',
    query: 'acl',
    root: 'AccessControlPolicy',
    content: {
      Owner: owner,
      AccessControlList: { Grant: { Grantee: owner, Permission: 'FULL_CONTROL' } },
    },
  },
  {
    name: 'GetBucketPolicyStatus',
    query: 'policyStatus',
    root: 'PolicyStatus',
    content: { IsPublic: false },
  },
  {
    name: 'GetPublicAccessBlock',
    query: 'publicAccessBlock',
    root: 'PublicAccessBlockConfiguration',
    content: {
      BlockPublicAcls: true,
      IgnorePublicAcls: true,
      BlockPublicPolicy: true,
      RestrictPublicBuckets: false,
    },
  },
  {
    name: 'GetBucketOwnershipControls',
    query: 'ownershipControls',
    root: 'OwnershipControls',
    content: { Rule: { ObjectOwnership: 'BucketOwnerEnforced' } },
  },
  {
    name: 'GetBucketRequestPayment',
    query: 'requestPayment',
    root: 'RequestPaymentConfiguration',
    content: { Payer: 'BucketOwner' },
  },
  {
    name: 'GetBucketAccelerateConfiguration',
    query: 'accelerate',
    root: 'AccelerateConfiguration',
    content: '',
  },
  { name: 'GetBucketLogging', query: 'logging', root: 'BucketLoggingStatus', content: '' },
  {
    name: 'GetBucketNotificationConfiguration',
    query: 'notification',
    root: 'NotificationConfiguration',
    content: '',
  },
]

interface Setting {
  readonly name: string
  readonly query: string
  readonly root: string
  readonly content: XmlContent
}

/** What no bucket has: clients ask whether it is set, and are told so in S3's own words. */
const notConfigured = [
  ['GetBucketPolicy', 'policy', 'NoSuchBucketPolicy', 'The bucket policy does not exist'],
  ['GetBucketTagging', 'tagging', 'NoSuchTagSet', 'The TagSet does not exist'],
  [
    'GetBucketEncryption',
    'encryption',
    'ServerSideEncryptionConfigurationNotFoundError',
    'The server side encryption configuration was not found',
  ],
  [
    'GetBucketLifecycleConfiguration',
    'lifecycle',
    'NoSuchLifecycleConfiguration',
    'The lifecycle configuration does not exist',
  ],
  [
    'GetObjectLockConfiguration',
    'object-lock',
    'ObjectLockConfigurationNotFoundError',
    'Object Lock configuration does not exist for this bucket',
  ],
  [
    'GetBucketReplication',
    'replication',
    'ReplicationConfigurationNotFoundError',
    'The replication configuration was not found',
  ],
  [
    'GetBucketWebsite',
    'website',
    'NoSuchWebsiteConfiguration',
    'The specified bucket does not have a website configuration',
  ],
] as const

/** Settings of buckets: most are the same of all, or of none. */
export const bucketSettings: S3Operations<BucketSettingsDependencies> = (dependencies) => [
  ...fixed.map(({ name, query, root, content }) =>
    asking({ name, query }, (asked) => {
      requireBucket(asked, dependencies)
      const isOther = dependencies.isUnversioned === true && query === 'versioning'
      return xmlResponse(root, isOther ? '' : content)
    }),
  ),
  ...notConfigured.map(([name, query, code, message]) =>
    asking({ name, query }, (asked) => {
      const bucket = requireBucket(asked, dependencies)
      throw new S3Error(code, message, { elements: { BucketName: bucket } })
    }),
  ),
  {
    name: 'PutBucketVersioning',
    method: 'PUT',
    target: 'bucket',
    query: ['versioning'],
    scope: 'zones:write',
    handle: (asked) => putVersioning(asked, dependencies),
  },
  {
    name: 'PutBucketAcl',
    method: 'PUT',
    target: 'bucket',
    query: ['acl'],
    scope: 'zones:write',
    handle: (asked) => putAcl(asked, dependencies),
  },
]

const asking = (
  { name, query }: Pick<Setting, 'name' | 'query'>,
  handle: (asked: S3Request) => Response,
): S3Operation => ({
  name,
  method: 'GET',
  target: 'bucket',
  query: [query],
  scope: 'storage:read',
  handle,
})

/** Versions are commits, which nobody can keep git from making. */
async function putVersioning(asked: S3Request, dependencies: BucketSettingsDependencies) {
  requireBucket(asked, dependencies)
  const configuration = await readXml(asked.content, 'VersioningConfiguration')
  const status = textIn(configuration, 'Status')
  if (status === 'Suspended')
    throw new S3Error('NotImplemented', 'Versioning is always enabled and cannot be suspended.')
  if (status !== 'Enabled' || textIn(configuration, 'MfaDelete') === 'Enabled')
    throw new S3Error(
      'IllegalVersioningConfigurationException',
      'The versioning configuration specified in the request is invalid.',
    )
  return new Response(null)
}

function putAcl(asked: S3Request, dependencies: BucketSettingsDependencies): Response {
  requireBucket(asked, dependencies)
  requirePrivate(asked.request.headers)
  if (!asked.request.headers.has('x-amz-acl'))
    throw new S3Error('NotImplemented', 'Nothing of access control lists is implemented.')
  return new Response(null)
}
