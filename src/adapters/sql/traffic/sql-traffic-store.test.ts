import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { trafficStoreContract } from '../../../ports/traffic/traffic-store.contract.ts'
import { SqlTrafficStore } from './sql-traffic-store.ts'
import { openSqliteDatabase } from '../sqlite/sqlite-database.ts'

trafficStoreContract('sqlite', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'sedge-traffic-'))
  const database = await openSqliteDatabase({ file: join(directory, 'sedge.sqlite') })
  return {
    traffic: new SqlTrafficStore(database),
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]()
      await rm(directory, { recursive: true })
    },
  }
})
