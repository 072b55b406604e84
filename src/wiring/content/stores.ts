import { join } from 'node:path'

import { openDiskBlobStore } from '../../adapters/disk/disk-blob-store.ts'
import { openGitContentStore } from '../../adapters/git/git-content-store.ts'
import type { S3BlobStoreOptions } from '../../adapters/s3/s3-blob-store.ts'
import type { Database } from '../../adapters/sql/database.ts'
import { SqlAuditLog } from '../../adapters/sql/content/sql-audit-log.ts'
import { SqlDomainStore } from '../../adapters/sql/domains/sql-domain-store.ts'
import { SqlPublicationStore } from '../../adapters/sql/content/sql-publication-store.ts'
import { SqlQuotaStore } from '../../adapters/sql/access/sql-quota-store.ts'
import { openSqliteDatabase } from '../../adapters/sql/sqlite/sqlite-database.ts'
import type { Config } from '../../config/config.ts'
import type { BlobStore } from '../../ports/content/blob-store.ts'
import { openShipped } from './replicated-publications.ts'
import type { World } from '../world.ts'

export type Stores = Awaited<ReturnType<typeof openStores>>

/** Where everything is kept. */
export async function openStores(world: World, opening: AsyncDisposableStack) {
  const { config, log, now, onFatal } = world
  const database = await openDatabase(world, opening)
  const blobs = world.writing?.blobs ?? opening.use(await openBlobs(world))
  const content = opening.use(
    await openGitContentStore({
      directory: join(config.dataDirectory, 'repository.git'),
      blobs,
      now,
      onWarning: (message, error) => log.warn(message, { error }),
      onFatal,
    }),
  )
  const publications = new SqlPublicationStore(database)
  const packs = world.writing?.packs
  return {
    database,
    blobs,
    content,
    publications:
      packs === undefined
        ? publications
        : await openShipped(world, { publications, content, database, packs, opening }),
    domains: new SqlDomainStore(database),
    audit: new SqlAuditLog(database),
    quotas: new SqlQuotaStore(database),
  }
}

export async function openDatabase(
  { config, onFatal, writing }: World,
  opening: AsyncDisposableStack,
): Promise<Database> {
  const { databaseUrl, dataDirectory } = config
  if (databaseUrl === undefined)
    return opening.use(await openSqliteDatabase({ file: join(dataDirectory, 'sedge.db'), onFatal }))
  // Loaded where it is wanted: one machine alone starts without it.
  const { openPostgresDatabase } = await import('../../adapters/sql/postgres/postgres-database.ts')
  const url = databaseUrl.reveal()
  if (writing !== undefined) {
    const { epoch } = writing
    const limits = { idleMs: clusterIdleMs }
    return opening.use(await openPostgresDatabase({ url, limits, epoch, onFatal }))
  }
  const { claimPostgres } = await import('../../adapters/sql/postgres/claim-postgres.ts')
  opening.use(await claimPostgres({ url, onLost: onFatal }))
  return opening.use(await openPostgresDatabase({ url }))
}

/** A node that stops in the middle of a transaction holds the next one up for so long. */
const clusterIdleMs = 3_000

export async function openBlobs({ config, now, onFatal }: World): Promise<BlobStore> {
  const options = s3Options(config)
  if (options === undefined)
    return await openDiskBlobStore({
      directory: join(config.dataDirectory, 'blobs'),
      now,
      onFatal,
    })
  const { openS3BlobStore } = await import('../../adapters/s3/s3-blob-store.ts')
  return await openS3BlobStore({ ...options, now, random: Math.random })
}

type S3Settings = Pick<
  Config,
  | 'blobStore'
  | 's3AccessKeyId'
  | 's3SecretAccessKey'
  | 's3SessionToken'
  | 'blobCacheGib'
  | 'dataDirectory'
>

/** `undefined` where blobs are files. */
export function s3Options(
  settings: S3Settings,
): Omit<S3BlobStoreOptions, 'now' | 'random'> | undefined {
  const { blobStore: location, s3AccessKeyId: accessKeyId, s3SecretAccessKey, ...rest } = settings
  if (location === undefined || accessKeyId === undefined || s3SecretAccessKey === undefined)
    return undefined
  return {
    location,
    credentials: {
      accessKeyId,
      secretAccessKey: s3SecretAccessKey.reveal(),
      sessionToken: rest.s3SessionToken?.reveal(),
    },
    directory: join(rest.dataDirectory, 'cache', 'blobs'),
    maxCopyBytes: rest.blobCacheGib * 2 ** 30,
  }
}
