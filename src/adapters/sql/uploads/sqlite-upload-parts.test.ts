import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { uploadPartStoreContract } from '../../../ports/content/upload-part-store.contract.ts'
import { openSqliteDatabase } from '../sqlite/sqlite-database.ts'
import { SqlUploadPartStore } from './sql-upload-part-store.ts'

uploadPartStoreContract('sqlite', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'sedge-sqlite-'))
  const database = await openSqliteDatabase({ file: join(directory, 'sedge.sqlite') })
  return Object.assign(new SqlUploadPartStore(database), {
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]()
      await rm(directory, { recursive: true })
    },
  })
})
