import { deliverableAt } from '../../domain/content/delivered/expiry.ts'
import { createDirectoryMarkers } from '../../domain/content/objects/directory-markers.ts'
import { createObjectRemovals } from '../../domain/content/objects/object-removals.ts'
import type { VersionRemovals } from '../../domain/content/objects/version-removals.ts'
import { createObjects } from '../../domain/content/objects/objects.ts'
import { entityTagsBy } from '../../planes/s3/listings/listed-content.ts'
import { listObjects } from '../../planes/s3/listings/list-objects.ts'
import { deleteObjects } from '../../planes/s3/objects/operations/delete-objects.ts'
import { putObject } from '../../planes/s3/objects/operations/put-object.ts'
import { readObject } from '../../planes/s3/objects/operations/read-object.ts'
import { S3Error } from '../../planes/s3/s3-error.ts'
import type { S3Preview } from '../../planes/s3/s3-preview.ts'
import type { Publishing } from '../content/publishing.ts'
import type { ObjectParts } from './s3-objects.ts'
import type { World } from '../world.ts'

interface Opened {
  readonly objects: ObjectParts
  readonly publishing: Pick<Publishing, 'manifest' | 'previewing'>
}

/** A preview has no versions, and must not reach those of what is live. */
const ofLiveAlone: VersionRemovals = {
  remove: () => Promise.reject(new S3Error('NotImplemented', 'Previews have no versions.')),
}

/** What clients of S3 can do with previews: put, read, list and delete objects. */
export const previewsOfS3 =
  ({ now }: Pick<World, 'now'>, { objects, publishing }: Opened): S3Preview =>
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
        ...deliverableAt(shown, now),
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
    return [
      ...listObjects({ objects: catalog, zoneExists, entityTags }),
      ...readObject(parts),
      ...putObject(parts),
      ...deleteObjects(parts),
    ]
  }
