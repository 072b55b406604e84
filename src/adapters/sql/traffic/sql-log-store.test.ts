import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { logStoreContract } from '../../../ports/traffic/log-store.contract.ts'
import { SqlLogStore } from './sql-log-store.ts'
import { openSqliteDatabase } from '../sqlite/sqlite-database.ts'

logStoreContract('sqlite', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'sedge-logs-'))
  const database = await openSqliteDatabase({ file: join(directory, 'sedge.sqlite') })
  return {
    logs: new SqlLogStore(database),
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]()
      await rm(directory, { recursive: true })
    },
  }
})
