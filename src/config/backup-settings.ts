import { parseS3Location, type S3Location } from '../lib/net/s3-location.ts'
import { filePath, flag, optional, secret, setting, wholeNumber } from './setting.ts'

/** A directory, absolute, or a place in a store that speaks S3. */
export type BackupPlace = string | S3Location

/** Where backups go, when, and how long they stay. */
export const backupSettings = {
  backupTo: setting(
    'BACKUP_TO',
    '',
    'Where backups go: a directory, or `s3://bucket/prefix?endpoint=https://host&region=name&style=path`. Nothing else may be there. Empty: no backups',
    optional(backupPlace),
  ),
  backupEveryHours: setting(
    'BACKUP_EVERY_HOURS',
    '24',
    'With BACKUP_TO, how many hours there are from one backup to the next; 0 for those alone that somebody orders',
    wholeNumber(0, 8760),
  ),
  backupKeep: setting(
    'BACKUP_KEEP',
    '7',
    'How many of the newest backups are kept',
    wholeNumber(1, 10_000),
  ),
  backupKeepDays: setting(
    'BACKUP_KEEP_DAYS',
    '7',
    'Of how many days the last backup is kept besides',
    wholeNumber(0, 10_000),
  ),
  backupKeepWeeks: setting(
    'BACKUP_KEEP_WEEKS',
    '4',
    'Of how many weeks the last backup is kept besides',
    wholeNumber(0, 10_000),
  ),
  backupSecrets: flag(
    'BACKUP_SECRETS',
    'Back up `keys.json` and the private keys of certificates too: whoever reads the backup then has every key of the service. Without it, keep the keys elsewhere; a restored service needs them',
  ),
  backupMibPerSecond: setting(
    'BACKUP_MIB_PER_SECOND',
    '50',
    'How many MiB a second a backup reads and writes at most, so that deliveries are not slowed',
    wholeNumber(1, 100_000),
  ),
  backupS3AccessKeyId: setting(
    'BACKUP_S3_ACCESS_KEY_ID',
    '',
    'With an S3 store as BACKUP_TO, who writes there; without it, S3_ACCESS_KEY_ID',
    optional(String),
  ),
  backupS3SecretAccessKey: secret('BACKUP_S3_SECRET_ACCESS_KEY', 'The secret that belongs to it'),
} as const

/** Throws how the sentence that begins with its name goes on. */
export function backupPlace(text: string): BackupPlace {
  if (text.startsWith('s3:')) return parseS3Location(text)
  if (/^[a-z][a-z\d+.-]*:\/\//iu.test(text))
    throw new Error(
      'must be a directory, or a URL such as s3://bucket/prefix?endpoint=https://host',
    )
  return filePath(text)
}

/** One sentence a fault. */
export function backupFaults(
  environment: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const isSet = (name: string) => (environment[name]?.trim() ?? '') !== ''
  const own = ['BACKUP_S3_ACCESS_KEY_ID', 'BACKUP_S3_SECRET_ACCESS_KEY']
  const unpaired = own.filter((name) => !isSet(name))
  if (unpaired.length === 1)
    return [`${unpaired[0]} must be set where ${own.find((name) => isSet(name))} is`]
  const isS3 = environment['BACKUP_TO']?.trim().startsWith('s3:') === true
  const hasKeys =
    isSet(own[0] ?? '') || (isSet('S3_ACCESS_KEY_ID') && isSet('S3_SECRET_ACCESS_KEY'))
  return isS3 && !hasKeys ? ['BACKUP_S3_ACCESS_KEY_ID must be set where BACKUP_TO is s3://…'] : []
}
