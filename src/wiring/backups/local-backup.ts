import { hostname } from 'node:os'

import type { BackupPlace } from '../../config/backup-settings.ts'
import type { BackupManifest } from '../../domain/backups/backup-manifest.ts'
import { collectPieces } from '../../domain/backups/collect-pieces.ts'
import { listManifestNames, readManifest } from '../../domain/backups/kept-backups.ts'
import { type BackupProgress, takeBackup } from '../../domain/backups/take-backup.ts'
import { takeTurnAt } from '../../domain/backups/target-turn.ts'
import { verifyBackup } from '../../domain/backups/verify-backup.ts'
import { blobSettingsOf, openBlobReader } from '../content/blob-stores.ts'
import type { World } from '../world.ts'
import { openBackupSource } from './backup-source.ts'
import { openBackupTarget } from './backup-target.ts'
import { fourDigits, isRunning, paceOf, planOf } from './backups.ts'

type LocalWorld = Pick<World, 'now' | 'monotonicMs'> & {
  readonly config: Omit<World['config'], 'keys' | 'previousKeys' | 'tls'>
}

/** What a command does with a place of backups, without a service. */
export interface LocalBackups {
  readonly place: string
  /** Of the data directory of the settings, whether a service runs on it or not. */
  take(progress: BackupProgress): Promise<BackupManifest>
  /** Oldest first; those that are damaged without a manifest. */
  list(): Promise<readonly { readonly id: string; readonly manifest: BackupManifest | undefined }[]>
  /** The SHA-256 of the pieces that are gone or damaged. */
  verify(manifest: BackupManifest, onBytes: (count: number) => void): Promise<readonly string[]>
}

export async function openLocalBackups(
  world: LocalWorld,
  place: BackupPlace,
): Promise<LocalBackups> {
  const { config, now } = world
  const target = await openBackupTarget(place, config, world)
  const pace = paceOf(config, world, new AbortController().signal)
  const holder = { host: hostname(), pid: process.pid }
  const { retention, hasSecrets } = planOf(config)
  const turn = () => takeTurnAt(target, { holder, now, isRunning })
  return {
    place: target.place,
    async take(progress) {
      const { dataDirectory, version } = config
      const database = { dataDirectory, databaseUrl: config.databaseUrl?.reveal() }
      const blobs = await openBlobReader(blobSettingsOf(config), world)
      const source = openBackupSource({ database, blobs, hasSecrets })
      const options = { source, target, pace, progress, version, hasSecrets, now }
      await using _turn = await turn()
      await target.clear()
      const manifest = await takeBackup({ ...options, random: fourDigits })
      await collectPieces(target, retention)
      return manifest
    },
    async list() {
      const names = [...(await listManifestNames(target))]
      return await Array.fromAsync(names, async ([id, name]) => ({
        id,
        manifest: await readManifest(target, name),
      }))
    },
    async verify(manifest, onPiece) {
      await using _turn = await turn()
      return (await verifyBackup(manifest, { target, now, pace, onPiece })).faults
    },
  }
}
