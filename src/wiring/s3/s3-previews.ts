import { deliverableAt } from '../../domain/content/delivered/expiry.ts'
import { createDirectoryMarkers } from '../../domain/content/objects/directory-markers.ts'
import { createObjectRemovals } from '../../domain/content/objects/object-removals.ts'
import type { VersionRemovals } from '../../domain/content/objects/version-removals.ts'
import { createObjects } from '../../domain/content/objects/objects.ts'
import { multipartOfPreview } from '../../domain/uploads/multipart/multipart-of-preview.ts'
import type { MultipartUploads } from '../../domain/uploads/multipart/multipart-uploads.ts'
import { headBucket } from '../../planes/s3/buckets/bucket-operations.ts'
import { entityTagsBy } from '../../planes/s3/listings/listed-content.ts'
import { listObjects } from '../../planes/s3/listings/list-objects.ts'
import { deleteObjects } from '../../planes/s3/objects/operations/delete-objects.ts'
import { putObject } from '../../planes/s3/objects/operations/put-object.ts'
import { readObject } from '../../planes/s3/objects/operations/read-object.ts'
import { S3Error } from '../../planes/s3/s3-error.ts'
import type { S3Preview } from '../../planes/s3/s3-preview.ts'
import type { Publishing } from '../content/publishing.ts'
import { multipartOperations } from './s3-multipart.ts'
import type { ObjectParts } from './s3-objects.ts'
import type { World } from '../world.ts'

interface Opened {
  readonly objects: ObjectParts
  readonly publishing: Pick<Publishing, 'manifest' | 'previewing'>
  readonly multipart: MultipartUploads
}

/** A preview has no versions, and must not reach those of what is live. */
const ofLiveAlone: VersionRemovals = {
  remove: () => Promise.reject(new S3Error('NotImplemented', 'Previews have no versions.')),
}

/** What clients of S3 can do with previews: put, read, list and delete objects. */
export const previewsOfS3 =
  (world: Pick<World, 'log' | 'now'>, { objects, publishing, multipart }: Opened): S3Preview =>
  async (zone, name, actor) => {
    const { manifest, previewing } = publishing
    const verbs = await previewing.verbsOf(zone, name, actor)
    const { catalog, files, publisher, preview } = verbs
    const content = { ...verbs.content, head: async () => preview.headCommitId }
    const given = { content, files, publisher, published: catalog }
    const shown = { ...manifest, asset: (path: string) => catalog.asset(path) }
    const parts = {
      ...objects,
      published: {
        ...deliverableAt(shown, world.now),
        isErased: (each: string) => manifest.isErased(each),
        marker: (path: string) => catalog.marker(path),
      },
      objects: createObjects(given),
      markers: createDirectoryMarkers(given),
      removals: createObjectRemovals(given),
      versionRemovals: ofLiveAlone,
    }
    const zoneExists = (each: string) => each === zone
    const entityTags = entityTagsBy(objects.digests)
    const inParts = multipartOperations(world, parts, multipartOfPreview(multipart, preview))
    return [
      ...headBucket({ zoneExists }),
      ...listObjects({ objects: catalog, zoneExists, entityTags }),
      ...readObject(parts),
      ...putObject(parts),
      ...deleteObjects(parts),
      ...inParts.filter(({ name: each }) => each !== 'UploadPartCopy'),
    ]
  }
