import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { backupTargetContract } from '../../../ports/backups/backup-target.contract.ts'
import { DirectoryBackupTarget } from './directory-backup-target.ts'

backupTargetContract('DirectoryBackupTarget', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'sedge-backups-'))
  return {
    target: new DirectoryBackupTarget(directory),
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true }),
  }
})
