import { trustedProxies } from '../http/request/client-address.ts'
import { listBuckets } from '../planes/s3/buckets/list-buckets.ts'
import { createS3Service, type S3Service } from '../planes/s3/s3-service.ts'
import { createS3Authenticate } from '../planes/s3/signature/authenticate.ts'
import type { Access } from './access/access.ts'
import type { Publishing } from './content/publishing.ts'
import type { World } from './world.ts'

interface Opened {
  readonly publishing: Publishing
  readonly access: Access
}

/** The zones for clients of S3. */
export function openS3(world: World, { publishing, access }: Opened): S3Service {
  const { config, log, now, newId } = world
  const { catalog } = publishing
  return createS3Service({
    operations: [...listBuckets({ zones: () => catalog.zones() })],
    authenticate: createS3Authenticate({ ...access.operations, guesses: access.guesses, now }),
    trustedProxies: trustedProxies(config.trustedProxies),
    s3Host: config.s3Host,
    newId,
    log,
  })
}
