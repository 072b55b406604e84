import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { embeddedMetadataStoreContract } from '../../../ports/media/embedded-metadata.contract.ts'
import { openSqliteDatabase } from '../sqlite/sqlite-database.ts'
import { SqlEmbeddedMetadataStore } from './sql-embedded-metadata-store.ts'

embeddedMetadataStoreContract('sqlite', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'sedge-sqlite-'))
  const database = await openSqliteDatabase({ file: join(directory, 'sedge.sqlite') })
  return Object.assign(new SqlEmbeddedMetadataStore(database), {
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]()
      await rm(directory, { recursive: true })
    },
  })
})
