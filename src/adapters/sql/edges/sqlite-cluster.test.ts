import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { packLedgerContract } from '../../../ports/content/pack-ledger.contract.ts'
import { writerLeaseContract } from '../../../ports/edges/writer-lease.contract.ts'
import { SqlPackLedger } from '../content/sql-pack-ledger.ts'
import { SqlPublicationStore } from '../content/sql-publication-store.ts'
import { SqlWriterLease } from './sql-writer-lease.ts'
import { openSqliteDatabase } from '../sqlite/sqlite-database.ts'
import { sqliteFlavour } from '../sqlite/sqlite-flavour.ts'

async function open() {
  const directory = await mkdtemp(join(tmpdir(), 'sedge-sqlite-'))
  const database = await openSqliteDatabase({ file: join(directory, 'sedge.sqlite') })
  return {
    database,
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]()
      await rm(directory, { recursive: true })
    },
  }
}

packLedgerContract('sqlite', async () => {
  const { database, ...disposable } = await open()
  const publications = new SqlPublicationStore(database)
  return { ledger: new SqlPackLedger(database), publications, ...disposable }
})

writerLeaseContract('sqlite', async () => {
  const { database, ...disposable } = await open()
  const openLease = () => new SqlWriterLease({ database, flavour: sqliteFlavour, termMs: 300 })
  const lease = openLease()
  return {
    lease,
    other: openLease(),
    async outlastTerm() {
      while ((await lease.holder()) !== undefined) await Bun.sleep(20)
    },
    ...disposable,
  }
})
