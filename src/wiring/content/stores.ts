import { join } from 'node:path'

import { largeFileHostOf } from '../../adapters/git/lfs/remote/large-file-host-of.ts'
import { openGitContentStore } from '../../adapters/git/git-content-store.ts'
import { SqlAuditLog } from '../../adapters/sql/content/sql-audit-log.ts'
import { SqlDomainStore } from '../../adapters/sql/domains/sql-domain-store.ts'
import { SqlPreviewStore } from '../../adapters/sql/previews/sql-preview-store.ts'
import { SqlObjectVersions } from '../../adapters/sql/versions/sql-object-versions.ts'
import { SqlPastAssets } from '../../adapters/sql/past/sql-past-assets.ts'
import { SqlPublicationStore } from '../../adapters/sql/content/sql-publication-store.ts'
import { SqlQuotaStore } from '../../adapters/sql/access/sql-quota-store.ts'
import { SqlErasureStore } from '../../adapters/sql/erasures/sql-erasure-store.ts'
import { SqlFileLockStore } from '../../adapters/sql/locks/sql-file-lock-store.ts'
import { SqlStagedUploadStore } from '../../adapters/sql/uploads/sql-staged-upload-store.ts'
import { SqlUploadPartStore } from '../../adapters/sql/uploads/sql-upload-part-store.ts'
import {
  createErasedNames,
  stagedWithoutErased,
  withoutErased,
} from '../../domain/content/erased-bytes.ts'
import { blobSettingsOf, openBlobs, openStagedBytes } from './blob-stores.ts'
import { openDatabase } from './databases.ts'
import { openReplicatedPublications } from './replicated-publications.ts'
import { replicatedPreviews } from '../../domain/cluster/preview-replication.ts'
import type { ContentStore } from '../../ports/content/content-store.ts'
import type { BlobStore } from '../../ports/content/blob-store.ts'
import type { World } from '../world.ts'

/** Pushing and fetching of large repositories takes its time, but git says how far it is. */
export const remoteTimes = { silentMs: 120_000, longestMs: 3_600_000 }

/** What a commit is called by now. */
export const idNowOf =
  (content: Pick<ContentStore, 'commitNamed'>) =>
  async (id: string): Promise<string> => {
    const named = await content.commitNamed(id)
    return typeof named === 'object' ? named.id : id
  }

export type Stores = Awaited<ReturnType<typeof openStores>>

/** Where everything is kept. */
export async function openStores(world: World, opening: AsyncDisposableStack) {
  const { config, log, now, onFatal } = world
  const database = await openDatabase(world, opening)
  const every = world.writing?.blobs ?? opening.use(await openBlobs(blobSettingsOf(config), world))
  const staged = opening.use(await openStagedBytes(blobSettingsOf(config), every, world))
  const content = opening.use(
    await openGitContentStore({
      directory: join(config.dataDirectory, 'repository.git'),
      blobs: every,
      largeFileBytes: config.lfsAboveMb * 2 ** 20,
      largeFileHost: largeFileHost(world, every, opening),
      now,
      onWarning: (message, error) => log.warn(message, { error }),
      onFatal,
    }),
  )
  const publications = new SqlPublicationStore(database, now)
  const previews = new SqlPreviewStore(database)
  const packs = world.writing?.packs
  const erased = createErasedNames(await publications.erased())
  return {
    database,
    blobs: withoutErased(every, erased),
    staged: stagedWithoutErased(staged, erased),
    erased,
    erasures: new SqlErasureStore(database),
    uploads: new SqlStagedUploadStore(database),
    uploadParts: new SqlUploadPartStore(database),
    locks: new SqlFileLockStore(database),
    content,
    publications:
      packs === undefined
        ? publications
        : await openReplicatedPublications(world, {
            publications,
            content,
            database,
            previews,
            packs,
            opening,
          }),
    domains: new SqlDomainStore(database),
    previews:
      packs === undefined
        ? previews
        : await replicatedPreviews({
            store: previews,
            source: content.source,
            copy: content.copy,
            packs,
            idNow: idNowOf(content),
          }),
    audit: new SqlAuditLog(database),
    past: new SqlPastAssets(database),
    versions: new SqlObjectVersions(database),
    quotas: new SqlQuotaStore(database),
  }
}

/** The mirror has large files too: what the blob store has lost may come back from there. */
function largeFileHost({ config }: World, blobs: BlobStore, opening: AsyncDisposableStack) {
  const { gitRemote: url, gitRemoteToken: token } = config
  if (url === undefined) return undefined
  const closing = new AbortController()
  opening.defer(() => closing.abort())
  return largeFileHostOf({ url, token, blobs, limits: remoteTimes, signal: closing.signal })
}
