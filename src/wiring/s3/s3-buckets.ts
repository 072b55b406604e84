import { listObjectPage } from '../../domain/catalog/objects/object-page.ts'
import type { ContentDigests } from '../../domain/content/objects/content-digests.ts'
import { bucketOperations } from '../../planes/s3/buckets/bucket-operations.ts'
import { bucketSettings } from '../../planes/s3/buckets/bucket-settings.ts'
import { listBuckets } from '../../planes/s3/buckets/list-buckets.ts'
import { listObjects } from '../../planes/s3/listings/list-objects.ts'
import { entityTagsBy } from '../../planes/s3/listings/listed-content.ts'
import type { S3Operation } from '../../planes/s3/s3-request.ts'
import { openZones, type ZoneSources } from './zones.ts'

interface BucketSources extends ZoneSources {
  readonly digests: ContentDigests
}

/** Buckets, and what is in them. */
export function openBuckets({ digests, ...sources }: BucketSources): readonly S3Operation[] {
  const { catalog } = sources.publishing
  const zoneExists = (name: string): boolean => catalog.zone(name) !== undefined
  const any = { prefix: '', delimiter: undefined, after: '', limit: 1 }
  const hasObjects = (zone: string): boolean =>
    listObjectPage({ zone, ...any }, catalog).entries.length > 0
  return [
    ...listBuckets({ zones: () => catalog.zones() }),
    ...bucketOperations({ zones: openZones(sources), zoneExists, hasObjects }),
    ...bucketSettings({ zoneExists }),
    ...listObjects({ objects: catalog, zoneExists, entityTags: entityTagsBy(digests) }),
  ]
}
