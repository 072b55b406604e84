import type { Actor } from '../../domain/access/actor.ts'
import { deliverableAt } from '../../domain/content/delivered/expiry.ts'
import { createDirectoryMarkers } from '../../domain/content/objects/directory-markers.ts'
import type { FormerObjects } from '../../domain/content/objects/former-objects.ts'
import { createObjectCopies } from '../../domain/content/objects/object-copies.ts'
import { createObjectRemovals } from '../../domain/content/objects/object-removals.ts'
import type { VersionRemovals } from '../../domain/content/objects/version-removals.ts'
import { createObjects } from '../../domain/content/objects/objects.ts'
import { multipartOfPreview } from '../../domain/uploads/multipart/multipart-of-preview.ts'
import type { MultipartUploads } from '../../domain/uploads/multipart/multipart-uploads.ts'
import { headBucket } from '../../planes/s3/buckets/bucket-operations.ts'
import { bucketSettings } from '../../planes/s3/buckets/bucket-settings.ts'
import { entityTagsBy } from '../../planes/s3/listings/listed-content.ts'
import { listObjects } from '../../planes/s3/listings/list-objects.ts'
import { listOnlyVersions } from '../../planes/s3/listings/list-only-versions.ts'
import type { CopySources } from '../../planes/s3/objects/copy-source.ts'
import { copyObject } from '../../planes/s3/objects/operations/copy-object.ts'
import { deleteObjects } from '../../planes/s3/objects/operations/delete-objects.ts'
import { objectAcl } from '../../planes/s3/objects/operations/object-acl.ts'
import { objectAttributes } from '../../planes/s3/objects/operations/object-attributes.ts'
import { objectTagging } from '../../planes/s3/objects/operations/object-tagging.ts'
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
  readonly publishing: Pick<Publishing, 'catalog' | 'manifest' | 'previewing' | 'publisher'>
  readonly multipart: MultipartUploads
}

interface S3Previews {
  readonly operationsOf: S3Preview
  /** Of what is live. */
  readonly sources: CopySources
}

type S3World = Pick<World, 'log' | 'now'>
type PreviewParts = Awaited<ReturnType<typeof partsOf>>

/** A preview has no versions, and must not reach those of what is live. */
const noRemovals: VersionRemovals = {
  remove: () => Promise.reject(new S3Error('NotImplemented', 'Previews have no versions.')),
}
const noVersions: FormerObjects = { at: async () => undefined, deletionOf: async () => undefined }

/** What clients of S3 can do with previews. */
export function openS3Previews(world: S3World, opened: Opened): S3Previews {
  const { objects, multipart } = opened
  return {
    sources: sourcesFor(undefined, world, opened),
    async operationsOf(zone, name, actor) {
      const own = await partsOf({ zone, name, actor }, world, opened)
      const { catalog, preview } = own
      const parts = { ...own.parts, sources: sourcesFor(own, world, opened) }
      const zoneExists = (each: string) => each === zone
      const listed = { objects: catalog, zoneExists, entityTags: entityTagsBy(objects.digests) }
      const settings = bucketSettings({ zoneExists, isUnversioned: true })
      return [
        ...headBucket({ zoneExists }),
        ...settings.filter(({ method }) => method === 'GET'),
        ...listObjects(listed),
        ...listOnlyVersions(listed),
        ...readObject(parts),
        ...putObject(parts),
        ...copyObject(parts),
        ...deleteObjects({ ...parts, isUnversioned: true }),
        ...objectTagging(parts),
        ...objectAttributes(parts),
        ...objectAcl(parts),
        ...multipartOperations(world, parts, multipartOfPreview(multipart, preview)),
      ]
    },
  }
}

interface Asked {
  readonly zone: string
  readonly name: string
  readonly actor: Actor
}

/** What operations on objects of a preview stand on. */
async function partsOf(
  { zone, name, actor }: Asked,
  { now }: Pick<World, 'now'>,
  { objects, publishing: { manifest, previewing } }: Pick<Opened, 'objects' | 'publishing'>,
) {
  const verbs = await previewing.verbsOf(zone, name, actor)
  const { catalog, files, publisher, preview } = verbs
  const content = { ...verbs.content, head: async () => preview.headCommitId }
  const given = { content, files, publisher, published: catalog }
  const shown = { ...manifest, asset: (path: string) => catalog.asset(path) }
  const parts: ObjectParts = {
    ...objects,
    published: {
      ...deliverableAt(shown, now),
      isErased: (each: string) => manifest.isErased(each),
      marker: (path: string) => catalog.marker(path),
    },
    former: noVersions,
    objects: createObjects(given),
    copies: createObjectCopies(given),
    markers: createDirectoryMarkers(given),
    removals: createObjectRemovals(given),
    versionRemovals: noRemovals,
  }
  return { preview, catalog, parts }
}

/** What can be copied to a preview, or where none is given to what is live. */
const sourcesFor = (
  own: PreviewParts | undefined,
  world: S3World,
  opened: Opened,
): CopySources => ({
  zoneExists: (name) => opened.publishing.catalog.zone(name) !== undefined,
  async open({ zone, preview: name }, actor) {
    const { objects, publishing } = opened
    if (name === undefined) {
      const elsewhere = own && publishing.publisher.commitId
      return { finding: objects, elsewhere }
    }
    const isOwn = own?.preview.zone === zone && own.preview.name === name
    if (isOwn) return { finding: own.parts, elsewhere: undefined }
    const other = await partsOf({ zone, name, actor }, world, opened)
    return { finding: other.parts, elsewhere: other.preview.headCommitId }
  },
})
