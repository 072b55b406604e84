import { join } from 'node:path'

import { UploadPack } from '../../adapters/git/remote/upload-pack.ts'
import { GitZoneRepositories } from '../../adapters/git/zones/zone-repositories.ts'
import { SqlZoneCommitStore } from '../../adapters/sql/zone-commits/sql-zone-commit-store.ts'
import { deriveKey } from '../../domain/access/derived-key.ts'
import { createClones } from '../../domain/content/clones.ts'
import { createFileLocks } from '../../domain/content/file-locks.ts'
import { createBroughtObjects } from '../../domain/content/brought-objects.ts'
import { createStoredObjects } from '../../domain/content/stored-objects.ts'
import { zoneDirectory } from '../../domain/content/zone-settings.ts'
import { trustedProxies } from '../../http/request/client-address.ts'
import { Slots } from '../../lib/async/slots.ts'
import { type CloneService, createCloneService } from '../../planes/git/clone-service.ts'
import { createLfsService } from '../../planes/git/lfs/lfs-service.ts'
import { createObjectGrants } from '../../planes/git/lfs/object-grants.ts'
import { isOfLfs } from '../../server/routes.ts'
import type { Access } from '../access/access.ts'
import type { Limits } from '../access/limits.ts'
import type { Measuring } from '../metrics/measuring.ts'
import type { World } from '../world.ts'
import type { Publishing } from './publishing.ts'
import { openPushes } from '../git/pushes.ts'
import { newestCommit } from '../git/newest-commit.ts'
import { idNowOf, type Stores } from './stores.ts'

/** Each is a git process. */
const maxClones = 8

interface Opened {
  readonly stores: Stores
  readonly publishing: Publishing
  readonly limits: Pick<Limits, 'rates'>
  readonly access: Access
  readonly measuring: Measuring | undefined
}

/** The repository for those who clone it over HTTP, and its large files for `git lfs`. */
export function openClones(world: World, opened: Opened): CloneService {
  const { config, log, newId } = world
  const { access, measuring } = opened
  const slots = new Slots(maxClones)
  measuring?.gauge(
    { name: 'sedge_clones_running', help: 'Git processes that serve clones and fetches.' },
    () => slots.taken,
  )
  const given = {
    authenticate: access.authenticate,
    guesses: access.guesses,
    trustedProxies: trustedProxies(config.trustedProxies),
    manifest: opened.publishing.manifest,
    newId,
    log,
  }
  const parts = lfsParts(world, opened)
  const lfs = createLfsService({ ...given, ...parts, baseUrl: config.baseUrl })
  const zones = openZoneRepositories(world, opened)
  const pushes = openPushes(world, { ...opened, access: given, ...parts, zones })
  const clones = createCloneService({
    ...given,
    pushes,
    clones: createClones({
      source: new UploadPack(join(config.dataDirectory, 'repository.git')),
      zones,
      slots,
    }),
  })
  return {
    fetch: (request, peerAddress) =>
      (isOfLfs(request.url) ? lfs : clones).fetch(request, peerAddress),
  }
}

function openZoneRepositories(
  { config, log }: World,
  { stores, publishing }: Opened,
): GitZoneRepositories {
  const { database } = stores
  const zones = new GitZoneRepositories({
    repository: join(config.dataDirectory, 'repository.git'),
    directory: join(config.dataDirectory, 'zone-repositories'),
    commits: new SqlZoneCommitStore(database),
    newest: () => newestCommit(stores),
    idNow: idNowOf(stores.content),
    directoryOf: zoneDirectory,
  })
  const present = new Set(publishing.catalog.zones().map(({ name }) => name))
  zones
    .keepOnly(present)
    .catch((error: unknown) => log.warn('repositories of former zones stay', { error }))
  return zones
}

function lfsParts({ config, now, newId }: World, { stores, publishing }: Opened) {
  const { catalog, bytes, manifest } = publishing
  const maxObjectBytes = config.maxFileMb * 2 ** 20
  return {
    maxObjectBytes,
    brought: createBroughtObjects(),
    objects: createStoredObjects({
      blobs: stores.blobs,
      bytes,
      assetsOf: (zone) => catalog.zoneFiles(zone),
      maxBytes: maxObjectBytes,
    }),
    grants: createObjectGrants({
      key: deriveKey(config.keys.signedUrlSecret, 'stored object'),
      now,
    }),
    locks: createFileLocks({ store: stores.locks, manifest, now, newId }),
  }
}
