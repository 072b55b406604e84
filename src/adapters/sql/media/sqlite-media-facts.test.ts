import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { mediaFactsStoreContract } from '../../../ports/media/media-facts-store.contract.ts'
import { SqlMediaFactsStore } from './sql-media-facts-store.ts'
import { openSqliteDatabase } from '../sqlite/sqlite-database.ts'

mediaFactsStoreContract('sqlite', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'sedge-sqlite-'))
  const database = await openSqliteDatabase({ file: join(directory, 'sedge.sqlite') })
  return Object.assign(new SqlMediaFactsStore(database), {
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]()
      await rm(directory, { recursive: true })
    },
  })
})
