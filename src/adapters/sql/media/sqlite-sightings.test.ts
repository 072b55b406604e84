import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { sightingStoreContract } from '../../../ports/vision/sighting-store.contract.ts'
import { openSqliteDatabase } from '../sqlite/sqlite-database.ts'
import { SqlSightingStore } from './sql-sighting-store.ts'

sightingStoreContract('sqlite', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'sedge-sqlite-'))
  const database = await openSqliteDatabase({ file: join(directory, 'sedge.sqlite') })
  return Object.assign(new SqlSightingStore(database), {
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]()
      await rm(directory, { recursive: true })
    },
  })
})
