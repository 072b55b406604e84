import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { usageStoreContract } from '../../../ports/traffic/usage-store.contract.ts'
import { SqlPublicationStore } from '../content/sql-publication-store.ts'
import { openSqliteDatabase } from '../sqlite/sqlite-database.ts'
import { SqlTrafficStore } from '../traffic/sql-traffic-store.ts'
import { SqlUsageStore } from './sql-usage-store.ts'

usageStoreContract('sqlite', async (now) => {
  const directory = await mkdtemp(join(tmpdir(), 'sedge-usage-'))
  const database = await openSqliteDatabase({ file: join(directory, 'sedge.sqlite') })
  return {
    usage: new SqlUsageStore(database),
    traffic: new SqlTrafficStore(database),
    publications: new SqlPublicationStore(database, now),
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]()
      await rm(directory, { recursive: true })
    },
  }
})
