import { listObjectPage } from '../../domain/catalog/objects/object-page.ts'
import { createZoneCors } from '../../domain/content/cors/zone-cors.ts'
import type { ContentDigests } from '../../domain/content/objects/content-digests.ts'
import type { FormerObjects } from '../../domain/content/objects/former-objects.ts'
import { bucketOperations } from '../../planes/s3/buckets/bucket-operations.ts'
import { bucketSettings } from '../../planes/s3/buckets/bucket-settings.ts'
import { bucketCors } from '../../planes/s3/cors/bucket-cors.ts'
import { createS3Cors, type S3Cors } from '../../planes/s3/cors/s3-cors.ts'
import { listBuckets } from '../../planes/s3/buckets/list-buckets.ts'
import { listObjects } from '../../planes/s3/listings/list-objects.ts'
import { listVersions } from '../../planes/s3/listings/list-versions.ts'
import { entityTagsBy } from '../../planes/s3/listings/listed-content.ts'
import { versionTagsBy } from '../../planes/s3/listings/version-tags.ts'
import type { S3Operation } from '../../planes/s3/s3-request.ts'
import type { Stores } from '../content/stores.ts'
import { openZones, type ZoneSources } from '../zones.ts'

interface BucketSources extends ZoneSources {
  readonly stores: Pick<Stores, 'blobs' | 'content' | 'versions'>
  readonly objects: { readonly digests: ContentDigests; readonly former: FormerObjects }
}

interface Buckets {
  readonly operations: readonly S3Operation[]
  readonly cors: S3Cors
}

/** Buckets, and what is in them. */
export function openBuckets({ objects, ...sources }: BucketSources): Buckets {
  const { catalog, publisher } = sources.publishing
  const { content, blobs, versions } = sources.stores
  const { digests } = objects
  const cors = createZoneCors({ content, blobs, publisher })
  const zoneExists = (name: string): boolean => catalog.zone(name) !== undefined
  const any = { prefix: '', delimiter: undefined, after: '', limit: 1 }
  const hasObjects = (zone: string): boolean =>
    listObjectPage({ zone, ...any }, catalog).entries.length > 0
  const operations = [
    ...listBuckets({ zones: () => catalog.zones() }),
    ...bucketOperations({ zones: openZones(sources), zoneExists, hasObjects }),
    ...bucketSettings({ zoneExists }),
    ...bucketCors({ cors, zoneExists }),
    ...listObjects({ objects: catalog, zoneExists, entityTags: entityTagsBy(digests) }),
    ...listVersions({ versions, zoneExists, versionTags: versionTagsBy(objects) }),
  ]
  return { operations, cors: createS3Cors(cors) }
}
