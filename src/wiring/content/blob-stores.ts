import { join } from 'node:path'

import { DiskBlobStore, openDiskBlobStore } from '../../adapters/disk/disk-blob-store.ts'
import type { S3BlobStoreOptions } from '../../adapters/s3/s3-blob-store.ts'
import { openDiskStagedBytes } from '../../adapters/disk/staged/disk-staged-bytes.ts'
import type { Config } from '../../config/config.ts'
import type { BlobStore } from '../../ports/content/blob-store.ts'
import type { StagedBytes } from '../../ports/content/staged-bytes.ts'
import type { World } from '../world.ts'

/** All that opening the blobs takes, as plain data: worker processes are sent it as JSON. */
export interface BlobSettings {
  readonly dataDirectory: string
  /** `undefined` where blobs are files in the data directory. */
  readonly s3: S3Settings | undefined
  /** Whether other processes read the files beside the one that writes them. */
  readonly areShared: boolean
}

type S3Settings = Omit<S3BlobStoreOptions, 'now' | 'random'>

type Settings = Pick<
  Config,
  | 'blobStore'
  | 's3AccessKeyId'
  | 's3SecretAccessKey'
  | 's3SessionToken'
  | 'blobCacheGib'
  | 'dataDirectory'
> &
  Partial<Pick<Config, 'edgeWorkers'>>

/** Where the blobs are: the one place that reads the settings of a backend. */
export function blobSettingsOf(config: Settings): BlobSettings {
  const { blobStore: location, s3AccessKeyId: accessKeyId, s3SecretAccessKey, ...rest } = config
  const { dataDirectory } = rest
  const areShared = (rest.edgeWorkers ?? 0) > 0
  if (location === undefined || accessKeyId === undefined || s3SecretAccessKey === undefined)
    return { dataDirectory, s3: undefined, areShared }
  const credentials = {
    accessKeyId,
    secretAccessKey: s3SecretAccessKey.reveal(),
    sessionToken: rest.s3SessionToken?.reveal(),
  }
  const directory = join(dataDirectory, 'cache', 'blobs')
  const maxCopyBytes = rest.blobCacheGib * 2 ** 30
  return { dataDirectory, s3: { location, credentials, directory, maxCopyBytes }, areShared }
}

/** The blobs, for the process that writes them. */
export async function openBlobs(
  { dataDirectory, s3, areShared }: BlobSettings,
  { now, onFatal }: Pick<World, 'now' | 'onFatal'>,
): Promise<BlobStore> {
  const held = areShared ? { heldBytes: 0 } : {}
  if (s3 === undefined)
    return await openDiskBlobStore({
      directory: blobsIn(dataDirectory),
      isThreaded: true,
      now,
      onFatal,
      ...held,
    })
  return await openS3(s3, { now })
}

/** What of uploads is not whole yet, beside the blobs that it becomes. */
export async function openStagedBytes(
  { dataDirectory, s3 }: BlobSettings,
  blobs: BlobStore,
  { now, onFatal }: Pick<World, 'now' | 'onFatal'>,
): Promise<StagedBytes> {
  const directory = join(blobsIn(dataDirectory), 'staged')
  if (blobs instanceof DiskBlobStore)
    return await openDiskStagedBytes({ directory, blobs, onFatal })
  const { S3BlobStore } = await import('../../adapters/s3/s3-blob-store.ts')
  if (s3 === undefined || !(blobs instanceof S3BlobStore))
    throw new Error('There is nowhere to stage uploads')
  const { openS3StagedBytes } = await import('../../adapters/s3/s3-staged-bytes.ts')
  return await openS3StagedBytes({ ...s3, blobs, now, random: Math.random })
}

/** The same blobs, for a process that reads them beside the one that writes. Nothing is checked or cleaned. */
export async function openBlobReader(
  { dataDirectory, s3 }: BlobSettings,
  { now }: Pick<World, 'now'>,
): Promise<Pick<BlobStore, 'open' | 'read' | 'readAtOnce'>> {
  if (s3 === undefined) return new DiskBlobStore({ directory: blobsIn(dataDirectory) })
  const { S3BlobStore } = await import('../../adapters/s3/s3-blob-store.ts')
  return new S3BlobStore({ ...s3, now, random: Math.random })
}

/** Copies of packs are of use once. */
const packCopyBytes = 256 * 2 ** 20

/** What several nodes share: the blobs, and apart from them the packs of the repository. */
export async function openSharedBlobs(
  settings: BlobSettings,
  world: Pick<World, 'now' | 'onFatal'>,
  opening: AsyncDisposableStack,
) {
  const { s3 } = settings
  if (s3 === undefined) throw new Error('A cluster needs BLOB_STORE: nodes have no files in common')
  const packs = {
    ...s3,
    location: { ...s3.location, prefix: `${s3.location.prefix}repository/` },
    directory: join(settings.dataDirectory, 'cache', 'packs'),
    maxCopyBytes: packCopyBytes,
  }
  return {
    blobs: opening.use(await openS3(s3, world)),
    packs: opening.use(await openS3(packs, world)),
  }
}

async function openS3(options: S3Settings, { now }: Pick<World, 'now'>) {
  const { openS3BlobStore } = await import('../../adapters/s3/s3-blob-store.ts')
  return await openS3BlobStore({ ...options, now, random: Math.random })
}

const blobsIn = (dataDirectory: string): string => join(dataDirectory, 'blobs')
