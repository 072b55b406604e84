import { trustedProxies } from '../../http/request/client-address.ts'
import { postObject } from '../../planes/s3/form/post-object.ts'
import type { S3Operation } from '../../planes/s3/s3-request.ts'
import { createS3Service, type S3Response, type S3Service } from '../../planes/s3/s3-service.ts'
import { createS3Authenticate } from '../../planes/s3/signature/authenticate.ts'
import { createS3Signers, type S3Signers } from '../../planes/s3/signature/signers.ts'
import type { Access } from '../access/access.ts'
import type { Publishing } from '../content/publishing.ts'
import type { Stores } from '../content/stores.ts'
import type { MultipartUploads } from '../../domain/uploads/multipart/multipart-uploads.ts'
import { openBuckets } from './s3-buckets.ts'
import { multipartOperations } from './s3-multipart.ts'
import { openS3Previews } from './s3-previews.ts'
import { objectOperations, type ObjectSources, openObjects } from './s3-objects.ts'
import type { World } from '../world.ts'
import type { ZoneSources } from '../zones.ts'

interface Opened extends ObjectSources, ZoneSources {
  readonly uploading: ObjectSources['uploading'] & { readonly multipart: MultipartUploads }
  readonly stores: Stores
  readonly publishing: Publishing
  readonly access: Access
  readonly onS3Response: (observed: S3Response) => void
}

export interface OpenedS3 extends S3Service {
  /** Forgets what was found out about bytes that are gone. */
  readonly forget: (sha256: string) => Promise<void>
}

/** The zones for clients of S3. */
export function openS3(
  world: World,
  { access, onS3Response: onResponse, ...opened }: Opened,
): OpenedS3 {
  const { config, log, now, newId } = world
  const objects = openObjects(world, opened)
  const signers = createS3Signers({ ...access.operations, guesses: access.guesses })
  const buckets = openBuckets({ ...opened, objects })
  const { multipart } = opened.uploading
  const previews = openS3Previews(world, { objects, publishing: opened.publishing, multipart })
  const parts = { ...objects, sources: previews.sources }
  const service = createS3Service({
    operations: withForms(world, signers, [
      ...buckets.operations,
      ...objectOperations(parts),
      ...multipartOperations(world, parts, multipart),
    ]),
    cors: buckets.cors,
    zoneExists: (name) => opened.publishing.catalog.zone(name) !== undefined,
    ofPreview: previews.operationsOf,
    authenticate: createS3Authenticate({ signers, now }),
    trustedProxies: trustedProxies(config.trustedProxies),
    s3Host: config.s3Host,
    newId,
    log,
    onResponse,
  })
  async function forget(sha256: string): Promise<void> {
    objects.bytes.forget(sha256)
    await objects.digests.forget(sha256)
  }
  return { ...service, forget }
}

/** A form stores its file as a request does that puts it. */
function withForms(
  { config, now }: World,
  signers: S3Signers,
  operations: readonly S3Operation[],
): readonly S3Operation[] {
  const put = operations.find(({ name }) => name === 'PutObject')
  if (put === undefined) return operations
  const maxFileBytes = config.maxFileMb * 2 ** 20
  return [...operations, ...postObject({ put: put.handle, signers, maxFileBytes, now })]
}
