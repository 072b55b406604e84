import { have, s3Server } from '../../../test/support/needs.ts'
import { openBlobServer } from '../../../test/support/shared-servers.ts'
import { backupTargetContract } from '../../ports/backups/backup-target.contract.ts'
import { S3BackupTarget } from './s3-backup-target.ts'

if (have('backups in S3', s3Server))
  backupTargetContract('S3BackupTarget', async () => {
    const server = await openBlobServer()
    const bucket = await server.createBucket()
    const { credentials } = server
    const target = new S3BackupTarget({
      location: bucket.location(),
      credentials,
      now: () => new Date(),
      random: Math.random,
    })
    return { target, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
  })
