import { parseS3Location } from '../lib/net/s3-location.ts'
import { optional, secret, setting, wholeNumber } from './setting.ts'

/** Where blobs are, and who asks for them there. */
export const blobStoreSettings = {
  blobStore: setting(
    'BLOB_STORE',
    '',
    'Blobs in a store that speaks S3 (`s3://bucket/prefix?endpoint=https://host&region=name&style=path`); without it, as files in the data directory',
    optional(parseS3Location),
  ),
  s3AccessKeyId: setting(
    'S3_ACCESS_KEY_ID',
    '',
    'Who asks that store; it needs to read, write, list and delete below the prefix',
    optional(String),
  ),
  s3SecretAccessKey: secret('S3_SECRET_ACCESS_KEY', 'The secret that belongs to it'),
  s3SessionToken: secret('S3_SESSION_TOKEN', 'With temporary credentials, their token'),
  blobCacheGib: setting(
    'BLOB_CACHE_GIB',
    '10',
    'With BLOB_STORE, how many GiB of the data directory may hold copies of blobs in use',
    wholeNumber(1, 1_000_000),
  ),
} as const

/** One sentence a fault. */
export function blobStoreFaults(
  environment: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const isSet = (name: string) => (environment[name]?.trim() ?? '') !== ''
  if (!isSet('BLOB_STORE')) return []
  return ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']
    .filter((name) => !isSet(name))
    .map((name) => `${name} must be set where BLOB_STORE is`)
}
