import { SqlContentDigestStore } from '../../adapters/sql/objects/sql-content-digest-store.ts'
import { deliverableAt } from '../../domain/content/delivered/expiry.ts'
import { createWithheldAssets } from '../../domain/content/delivered/withheld-assets.ts'
import type { Files } from '../../domain/content/files/files.ts'
import { createContentDigests } from '../../domain/content/objects/content-digests.ts'
import { createDirectoryMarkers } from '../../domain/content/objects/directory-markers.ts'
import { createFormerObjects } from '../../domain/content/objects/former-objects.ts'
import { createObjectBytes } from '../../domain/content/objects/object-bytes.ts'
import { createObjectCopies } from '../../domain/content/objects/object-copies.ts'
import { createObjectRemovals } from '../../domain/content/objects/object-removals.ts'
import { createObjects } from '../../domain/content/objects/objects.ts'
import { createVersionRemovals } from '../../domain/content/objects/version-removals.ts'
import type { CopySources } from '../../planes/s3/objects/copy-source.ts'
import { copyObject } from '../../planes/s3/objects/operations/copy-object.ts'
import { deleteObjects } from '../../planes/s3/objects/operations/delete-objects.ts'
import { objectAcl } from '../../planes/s3/objects/operations/object-acl.ts'
import { objectAttributes } from '../../planes/s3/objects/operations/object-attributes.ts'
import { objectTagging } from '../../planes/s3/objects/operations/object-tagging.ts'
import { putObject } from '../../planes/s3/objects/operations/put-object.ts'
import { readObject } from '../../planes/s3/objects/operations/read-object.ts'
import type { S3Operation } from '../../planes/s3/s3-request.ts'
import type { Publishing } from '../content/publishing.ts'
import type { Stores } from '../content/stores.ts'
import type { World } from '../world.ts'

export interface ObjectSources {
  readonly stores: Pick<Stores, 'content' | 'database' | 'publications' | 'versions'>
  readonly publishing: Pick<
    Publishing,
    'bytes' | 'catalog' | 'manifest' | 'pastFiles' | 'publisher'
  >
  readonly uploading: { readonly files: Pick<Files, 'put'>; readonly maxFileBytes: number }
  readonly opening: AsyncDisposableStack
}

export type ObjectParts = ReturnType<typeof openObjects>

/** What operations on objects stand on. */
export function openObjects(
  { log, monotonicMs, now }: World,
  {
    stores: { content, database, publications, versions },
    publishing,
    uploading,
    opening,
  }: ObjectSources,
) {
  const { bytes, catalog, manifest, pastFiles, publisher } = publishing
  const { files, maxFileBytes } = uploading
  const given = { content, files, publisher, published: catalog }
  const digests = opening.use(
    createContentDigests({
      store: new SqlContentDigestStore(database),
      bytes,
      after: (ms, run) => {
        const timer = setTimeout(run, ms)
        return () => clearTimeout(timer)
      },
      log,
    }),
  )
  const markers = createDirectoryMarkers(given)
  const removals = createObjectRemovals(given)
  return {
    bytes: createObjectBytes(bytes, monotonicMs),
    digests,
    maxFileBytes,
    published: {
      ...deliverableAt(manifest, now),
      isErased: (name: string) => manifest.isErased(name),
      marker: (path: string) => catalog.marker(path),
    },
    former: createFormerObjects({ versions, content, pastFiles }),
    withheld: createWithheldAssets(manifest),
    objects: createObjects(given),
    copies: createObjectCopies(given),
    markers,
    removals,
    versionRemovals: createVersionRemovals({
      ...given,
      versions,
      publications,
      markers,
      removals,
      now,
    }),
  }
}

/** With where it can be copied from. */
export type CopyingParts = ObjectParts & { readonly sources: CopySources }

export const objectOperations = (parts: CopyingParts): readonly S3Operation[] => [
  ...readObject(parts),
  ...putObject(parts),
  ...copyObject(parts),
  ...deleteObjects(parts),
  ...objectAttributes(parts),
  ...objectTagging(parts),
  ...objectAcl(parts),
]
