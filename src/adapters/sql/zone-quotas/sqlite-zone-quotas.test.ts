import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { zoneQuotaStoreContract } from '../../../ports/access/zone-quota-store.contract.ts'
import { SqlAuditLog } from '../content/sql-audit-log.ts'
import { SqlPublicationStore } from '../content/sql-publication-store.ts'
import { openSqliteDatabase } from '../sqlite/sqlite-database.ts'
import { SqlZoneQuotaStore } from './sql-zone-quota-store.ts'

zoneQuotaStoreContract('sqlite', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'sedge-zone-quotas-'))
  const database = await openSqliteDatabase({ file: join(directory, 'sedge.sqlite') })
  return {
    quotas: new SqlZoneQuotaStore(database),
    publications: new SqlPublicationStore(database),
    audit: new SqlAuditLog(database),
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]()
      await rm(directory, { recursive: true })
    },
  }
})
