import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { erasureStoreContract } from '../../../ports/erasing/erasure-store.contract.ts'
import { openSqliteDatabase } from '../sqlite/sqlite-database.ts'
import { SqlErasureStore } from './sql-erasure-store.ts'

erasureStoreContract('sqlite', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'sedge-sqlite-'))
  const database = await openSqliteDatabase({ file: join(directory, 'sedge.sqlite') })
  return Object.assign(new SqlErasureStore(database), {
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]()
      await rm(directory, { recursive: true })
    },
  })
})
