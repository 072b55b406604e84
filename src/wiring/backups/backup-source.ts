import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'

import { filePiece } from '../../adapters/disk/backups/file-piece.ts'
import { RepositoryFiles } from '../../adapters/git/backups/repository-files.ts'
import { exportRows } from '../../adapters/sql/backups/export-rows.ts'
import { ifPresent } from '../../lib/files/file-faults.ts'
import type { BackupSource } from '../../ports/backups/backup-source.ts'
import type { PieceSource } from '../../ports/backups/backup-target.ts'
import type { BlobStore } from '../../ports/content/blob-store.ts'
import { type DatabaseSettings, openDatabaseReader } from '../content/databases.ts'

interface Options {
  readonly database: DatabaseSettings
  readonly blobs: Pick<BlobStore, 'open'>
  readonly hasSecrets: boolean
}

type Files = ReadonlyMap<string, Uint8Array<ArrayBuffer>>

/** Reads beside whoever writes: the database by a connection of its own, the repository as files. */
export function openBackupSource({ database, blobs, hasSecrets }: Options): BackupSource {
  const { dataDirectory } = database
  const repository = new RepositoryFiles(join(dataDirectory, 'repository.git'))
  return {
    references: () => repository.references(),
    async exportRows(keep) {
      await using reader = await openDatabaseReader(database)
      return await exportRows(reader, { hasSecrets, keep })
    },
    repository: (before) => repository.state(before),
    largeBlobs: () => repository.largeBlobs(),
    async openBlob({ sha256, sizeBytes }): Promise<PieceSource | undefined> {
      const found = await blobs.open(sha256)
      if (found === undefined || found.size !== sizeBytes) return undefined
      return { sha256, sizeBytes, bytes: (start, end) => found.slice(start, end).bytes() }
    },
    secretFiles: async () => (hasSecrets ? await secretFilesIn(dataDirectory) : new Map()),
    openFile: ({ location }) => filePiece(location),
  }
}

/** `keys.json`, and the certificates of custom domains with their keys. */
async function secretFilesIn(dataDirectory: string): Promise<Files> {
  const certificates = join(dataDirectory, 'certificates')
  const entries = await ifPresent(readdir(certificates, { recursive: true, withFileTypes: true }))
  const paths = (entries ?? [])
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.new'))
    .map(({ parentPath, name }) => relative(dataDirectory, join(parentPath, name)))
  const found = new Map<string, Uint8Array<ArrayBuffer>>()
  for (const path of ['keys.json', ...paths]) {
    const bytes = await ifPresent(readFile(join(dataDirectory, path)))
    if (bytes !== undefined) found.set(path, new Uint8Array(bytes))
  }
  return found
}
