import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { fileLockStoreContract } from '../../../ports/content/file-lock-store.contract.ts'
import { openSqliteDatabase } from '../sqlite/sqlite-database.ts'
import { SqlFileLockStore } from './sql-file-lock-store.ts'

fileLockStoreContract('sqlite', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'sedge-sqlite-'))
  const database = await openSqliteDatabase({ file: join(directory, 'sedge.sqlite') })
  return Object.assign(new SqlFileLockStore(database), {
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]()
      await rm(directory, { recursive: true })
    },
  })
})
