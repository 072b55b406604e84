import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { RestoredFiles } from '../../adapters/disk/backups/restored-files.ts'
import { verifyRepository } from '../../adapters/git/upkeep/verification.ts'
import { importRows } from '../../adapters/sql/backups/import-rows.ts'
import { isUnused } from '../../adapters/sql/copy-database.ts'
import type { Database } from '../../adapters/sql/database.ts'
import { isKnownMigration } from '../../adapters/sql/migrations.ts'
import { openSqliteDatabase } from '../../adapters/sql/sqlite/sqlite-database.ts'
import type { BackupPlace } from '../../config/backup-settings.ts'
import type { BackupManifest } from '../../domain/backups/backup-manifest.ts'
import { readPiece } from '../../domain/backups/kept-backups.ts'
import { findBackup, restoreFiles } from '../../domain/backups/restore-files.ts'
import { flushDirectory, writeFileDurably } from '../../lib/files/durable-files.ts'
import { restoringName } from '../../lib/files/data-directory-lock.ts'
import { ifPresent } from '../../lib/files/file-faults.ts'
import type { BackupTarget } from '../../ports/backups/backup-target.ts'
import type { BlobStore } from '../../ports/content/blob-store.ts'
import { blobSettingsOf, openBlobs } from '../content/blob-stores.ts'
import type { World } from '../world.ts'
import { type BackupCredentials, openBackupTarget } from './backup-target.ts'

const longMs = 3_600_000

export interface RestoreOptions {
  readonly from: BackupPlace
  /** The id of a backup, or a time; the newest where left out. */
  readonly at: string | undefined
  readonly onFound: (manifest: BackupManifest) => void
  readonly onBytes: (count: number) => void
}

type RestoreSettings = BackupCredentials &
  Pick<World['config'], 'dataDirectory' | 'databaseUrl' | 'blobStore' | 'blobCacheGib'>
type RestoreWorld = Pick<World, 'now' | 'onFatal'> & { readonly config: RestoreSettings }

/**
 * Puts a backup into an empty data directory and, where they are set, an empty database and a bucket. Done again
 * after it was broken off it goes on. Throws, with the reason, where something there is in use or the backup damaged.
 */
export async function restoreBackup(
  world: RestoreWorld,
  { from, at, onFound, onBytes }: RestoreOptions,
): Promise<BackupManifest> {
  const { config } = world
  const { dataDirectory } = config
  const target = await openBackupTarget(from, config, world)
  const begun = await begunRestore(dataDirectory)
  const manifest = await findBackup(target, at ?? begun)
  requireFormOf(manifest)
  await requireEmpty(dataDirectory, { begun, manifest })
  onFound(manifest)
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 })
  await writeFileDurably(join(dataDirectory, restoringName), JSON.stringify({ id: manifest.id }))
  await using blobs = await openBlobs(blobSettingsOf(config), world)
  const files = new RestoredFiles(dataDirectory)
  await restoreFiles(manifest, {
    target,
    onBytes,
    sink: {
      hasFile: (path, sha256) => files.hasFile(path, sha256),
      putFile: (path, sha256, bytes) => files.putFile(path, sha256, bytes),
      hasBlob: (sha256) => blobs.isIntact(sha256),
      putBlob: (sha256, bytes) => putBlob(blobs, sha256, bytes),
    },
  })
  await mkdir(join(dataDirectory, 'repository.git', 'refs'), { recursive: true })
  await requireSoundRepository(join(dataDirectory, 'repository.git'))
  await restoreRows(manifest, { target, config, isResumed: begun !== undefined })
  await rm(join(dataDirectory, restoringName))
  await flushDirectory(dataDirectory)
  return manifest
}

async function begunRestore(dataDirectory: string): Promise<string | undefined> {
  const text = await ifPresent(readFile(join(dataDirectory, restoringName), 'utf8'))
  return text === undefined ? undefined : (JSON.parse(text) as { readonly id: string }).id
}

function requireFormOf({ migration, version }: BackupManifest): void {
  if (!isKnownMigration(migration))
    throw new Error(`The backup was made by Sedge ${version}, which is newer: restore it with that`)
}

interface Begun {
  readonly begun: string | undefined
  readonly manifest: BackupManifest
}

/** What the lock of the directory leaves is nothing. */
const ofTheLock = /^lock\.(?:db|pid)/u

async function requireEmpty(dataDirectory: string, { begun, manifest }: Begun): Promise<void> {
  const names = (await ifPresent(readdir(dataDirectory))) ?? []
  // Who has the keys elsewhere may bring them along.
  const isOurs = (name: string) =>
    ofTheLock.test(name) || (name === 'keys.json' && !manifest.hasSecrets)
  if (begun === manifest.id || names.every(isOurs)) return
  throw new Error(
    begun === undefined
      ? `${dataDirectory} is not empty: a backup is restored into a new directory`
      : `${dataDirectory} has half of the backup ${begun}: go on with --at ${begun}, or empty it`,
  )
}

async function putBlob(
  blobs: BlobStore,
  sha256: string,
  bytes: AsyncIterable<Uint8Array>,
): Promise<void> {
  await using incoming = await blobs.receive(streamOf(bytes))
  if (incoming.sha256 !== sha256)
    throw new Error(`The blob ${sha256} has other bytes in the backup than it had`)
  await incoming.keep()
}

const streamOf = (bytes: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> => {
  const pieces = bytes[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await pieces.next()
      if (done === true) controller.close()
      else controller.enqueue(value)
    },
    cancel: async () => void (await pieces.return?.()),
  })
}

async function requireSoundRepository(directory: string): Promise<void> {
  const faults = await verifyRepository(directory)
  if (faults.length > 0) throw new Error(`The repository is damaged: ${faults.join('; ')}`)
}

interface RowsOptions {
  readonly target: BackupTarget
  readonly config: Pick<RestoreSettings, 'databaseUrl' | 'dataDirectory'>
  readonly isResumed: boolean
}

/** In the form that they had, which the next start brings to the newest. */
async function restoreRows(
  manifest: BackupManifest,
  { target, config, isResumed }: RowsOptions,
): Promise<void> {
  const { tables, migration: upTo } = manifest
  await using database = await openEmpty(config, upTo)
  if (!(await isUnused(database))) {
    // All rows came in one transaction, after which the former process was killed.
    if (isResumed && (await isAsIn(database, manifest))) return
    throw new Error('The database is in use: a backup is restored into an empty one')
  }
  await importRows(database, { tables, read: (sha256) => readPiece(target, sha256) })
}

async function openEmpty(
  { databaseUrl, dataDirectory }: RowsOptions['config'],
  upTo: string,
): Promise<Database> {
  if (databaseUrl === undefined)
    return await openSqliteDatabase({ file: join(dataDirectory, 'sedge.db'), upTo })
  const { openPostgresDatabase } = await import('../../adapters/sql/postgres/postgres-database.ts')
  const limits = { idleMs: longMs, statementMs: longMs }
  return await openPostgresDatabase({ url: databaseUrl.reveal(), limits, upTo })
}

async function isAsIn(
  { queries }: Pick<Database, 'queries'>,
  { commitId, feedSeq }: BackupManifest,
): Promise<boolean> {
  const position = await queries
    .selectFrom('position')
    .select(['commit_id', 'feed_seq'])
    .executeTakeFirstOrThrow()
  return position.commit_id === commitId && position.feed_seq === feedSeq
}
