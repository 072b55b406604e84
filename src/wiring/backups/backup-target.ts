import { isAbsolute } from 'node:path'

import { DirectoryBackupTarget } from '../../adapters/disk/backups/directory-backup-target.ts'
import type { BackupPlace } from '../../config/backup-settings.ts'
import type { Config } from '../../config/config.ts'
import type { BackupTarget } from '../../ports/backups/backup-target.ts'
import type { World } from '../world.ts'

export type BackupCredentials = Pick<
  Config,
  | 'backupS3AccessKeyId'
  | 'backupS3SecretAccessKey'
  | 's3AccessKeyId'
  | 's3SecretAccessKey'
  | 's3SessionToken'
>

/** Throws where an S3 store is named and nobody to ask it as. */
export async function openBackupTarget(
  place: BackupPlace,
  settings: BackupCredentials,
  { now }: Pick<World, 'now'>,
): Promise<BackupTarget> {
  if (typeof place === 'string') {
    if (!isAbsolute(place)) throw new Error('The directory of backups must be an absolute path')
    return new DirectoryBackupTarget(place)
  }
  const { S3BackupTarget } = await import('../../adapters/s3/s3-backup-target.ts')
  const credentials = credentialsOf(settings)
  return new S3BackupTarget({ location: place, credentials, now, random: Math.random })
}

function credentialsOf(settings: BackupCredentials) {
  const { backupS3AccessKeyId, backupS3SecretAccessKey, s3AccessKeyId } = settings
  const own = {
    accessKeyId: backupS3AccessKeyId,
    secret: backupS3SecretAccessKey,
    token: undefined,
  }
  const shared = {
    accessKeyId: s3AccessKeyId,
    secret: settings.s3SecretAccessKey,
    token: settings.s3SessionToken,
  }
  const { accessKeyId, secret, token } = backupS3AccessKeyId === undefined ? shared : own
  if (accessKeyId === undefined || secret === undefined)
    throw new Error('BACKUP_S3_ACCESS_KEY_ID and BACKUP_S3_SECRET_ACCESS_KEY must be set')
  return { accessKeyId, secretAccessKey: secret.reveal(), sessionToken: token?.reveal() }
}
