import { join } from 'node:path'

import { openDiskBlobStore } from '../../adapters/disk/disk-blob-store.ts'
import {
  copyDatabase,
  type CopiedTable,
  countRows,
  isUnused,
} from '../../adapters/sql/copy-database.ts'
import { openSqliteDatabase } from '../../adapters/sql/sqlite/sqlite-database.ts'
import { mapConcurrently } from '../../lib/async/map-concurrently.ts'
import type { BlobStore } from '../../ports/content/blob-store.ts'
import type { CertificateStore } from '../../ports/domains/certificate-store.ts'
import { openCertificateFiles, openCertificateStore } from './certificate-store.ts'
import { blobSettingsOf, openBlobs } from './blob-stores.ts'
import { openDatabase } from './databases.ts'
import type { World } from '../world.ts'

/** What `sedge migrate-data` moves. */
export interface Migration {
  /** `undefined` where metadata stays in SQLite. */
  readonly tables: readonly CopiedTable[] | undefined
  /** Why the rows cannot be copied there, if so. */
  readonly obstacle: string | undefined
  /** Those of custom domains; `undefined` where they stay files. */
  readonly certificateCount: number | undefined
  /** `undefined` where blobs stay files. */
  readonly blobs: readonly string[] | undefined
  copyRows(): Promise<void>
  /** Copies those that are not there, and reads each back; resolves once all are right. */
  copyBlobs(onCopied: () => void): Promise<void>
}

/** Opens the data directory and the stores elsewhere that are set up, for as long as `move` takes. */
export async function migrateData<T>(
  world: World,
  move: (migration: Migration) => Promise<T>,
): Promise<T> {
  await using opening = new AsyncDisposableStack()
  const { config, now } = world
  const file = join(config.dataDirectory, 'sedge.db')
  const rows = config.databaseUrl && {
    source: opening.use(await openSqliteDatabase({ file })),
    target: await openDatabase(world, opening),
  }
  const blobs = config.blobStore && {
    source: opening.use(
      await openDiskBlobStore({ directory: join(config.dataDirectory, 'blobs'), now }),
    ),
    target: opening.use(await openBlobs(blobSettingsOf(config), world)),
  }
  const isBlocked = rows !== undefined && !(await isUnused(rows.target))
  const all = blobs && (await Array.fromAsync(blobs.source.list(), ({ sha256 }) => sha256))
  return await move({
    tables: rows && (await countRows(rows.source)),
    obstacle: isBlocked ? 'the database is in use already' : undefined,
    blobs: all,
    certificateCount: rows && (await openCertificateFiles(world).then(countCertificates)),
    async copyRows() {
      if (rows === undefined) return
      await copyDatabase(rows.source, rows.target)
      // Its first opening takes along what is in files.
      await openCertificateStore(world, rows.target)
    },
    async copyBlobs(onCopied) {
      if (blobs === undefined) return
      await mapConcurrently(all ?? [], blobsAtOnce, async (sha256) => {
        await copyBlob(sha256, blobs)
        onCopied()
      })
    },
  })
}

const countCertificates = async (store: CertificateStore): Promise<number> =>
  (await store.list()).length

const blobsAtOnce = 8

async function copyBlob(
  sha256: string,
  { source, target }: { readonly source: BlobStore; readonly target: BlobStore },
): Promise<void> {
  const blob = await source.open(sha256)
  if (blob === undefined || !(await source.isIntact(sha256)))
    throw new Error(`Blob ${sha256} is damaged here: run "sedge doctor --repair" first`)
  if ((await target.stat(sha256))?.sizeBytes !== blob.size) {
    await using incoming = await target.receive(blob.stream())
    await incoming.keep()
  }
  if (!(await target.isIntact(sha256))) throw new Error(`Blob ${sha256} did not arrive as it was`)
}
