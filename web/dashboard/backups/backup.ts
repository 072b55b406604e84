import type { ResponseOf } from '../../../src/client/types.ts'
import { t } from '../language/text.ts'

export type BackupsView = ResponseOf<'listBackups'>
export type Backup = BackupsView['Backups'][number]
export type BackupJob = NonNullable<BackupsView['Running']>

export const stateKinds = { unverified: 'plain', verified: 'good', damaged: 'bad' } as const

export const stateWord = (state: Backup['State']): string =>
  ({ unverified: t('Not verified'), verified: t('Verified'), damaged: t('Damaged') })[state]

export const phaseWord = (phase: BackupJob['Phase']): string =>
  ({
    rows: t('Reading the database'),
    repository: t('Copying the repository'),
    'large-files': t('Copying large files'),
    check: t('Checking every piece'),
  })[phase]

/** The command that puts it back, for a shell. */
export const restoreCommand = (to: string, id: string): string =>
  `npx sedge restore --from '${to}' --at ${id} --data-dir ./data`
