import { type BackupPlace, backupPlace } from '../backup-settings.ts'
import { oneOf, optional, secret, setting, wholeNumber } from '../setting.ts'

/** Where lines of requests go besides, for other programs. */
export const accessLogSettings = {
  accessLogTo: setting(
    'ACCESS_LOG_TO',
    '',
    'Where a line for each request goes besides: `stdout`, a directory, or `s3://bucket/prefix?endpoint=https://host&region=name&style=path`, as compressed files by the hour. Empty: nowhere',
    optional(accessLogPlace),
  ),
  accessLogFormat: setting(
    'ACCESS_LOG_FORMAT',
    'json',
    '`json`, or `combined` as Apache and nginx have it',
    oneOf(['json', 'combined']),
  ),
  accessLogEverySeconds: setting(
    'ACCESS_LOG_EVERY_SECONDS',
    '300',
    'After how many seconds such a file is written, however little it has; a process that is killed loses as much',
    wholeNumber(5, 3_600),
  ),
  accessLogS3AccessKeyId: setting(
    'ACCESS_LOG_S3_ACCESS_KEY_ID',
    '',
    'With an S3 store as ACCESS_LOG_TO, who writes there; without it, S3_ACCESS_KEY_ID',
    optional(String),
  ),
  accessLogS3SecretAccessKey: secret(
    'ACCESS_LOG_S3_SECRET_ACCESS_KEY',
    'The secret that belongs to it',
  ),
} as const

function accessLogPlace(text: string): BackupPlace {
  return text === 'stdout' ? text : backupPlace(text)
}

/** One sentence a fault. */
export function accessLogFaults(
  environment: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const valueOf = (name: string) => environment[name]?.trim() ?? ''
  const to = valueOf('ACCESS_LOG_TO')
  const own = ['ACCESS_LOG_S3_ACCESS_KEY_ID', 'ACCESS_LOG_S3_SECRET_ACCESS_KEY']
  const shared = ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']
  const areSet = (names: readonly string[]) => names.every((name) => valueOf(name) !== '')
  const unpaired = own.filter((name) => valueOf(name) === '')
  if (unpaired.length === 1)
    return [`${unpaired[0]} must be set where ${own.find((name) => name !== unpaired[0])} is`]
  const noLines = to !== '' && valueOf('REQUEST_LOG_MB') === '0'
  return [
    ...(noLines ? ['REQUEST_LOG_MB must be more than 0 where ACCESS_LOG_TO is set'] : []),
    ...(to.startsWith('s3:') && !areSet(own) && !areSet(shared)
      ? ['ACCESS_LOG_S3_ACCESS_KEY_ID must be set where ACCESS_LOG_TO is s3://…']
      : []),
  ]
}
