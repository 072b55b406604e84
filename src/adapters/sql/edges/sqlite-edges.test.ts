import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { edgeStoresContract } from '../../../ports/edges/edge-store.contract.ts'
import { SqlEdgeStore } from './sql-edge-store.ts'
import { SqlPastStore } from './sql-past-store.ts'
import { SqlReplicaStore } from './sql-replica-store.ts'
import { SqlTrafficSpool } from '../traffic/sql-traffic-spool.ts'
import { openSqliteDatabase } from '../sqlite/sqlite-database.ts'

edgeStoresContract('sqlite', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'sedge-sqlite-'))
  const database = await openSqliteDatabase({
    file: join(directory, 'edge.db'),
    survivesPowerCut: false,
  })
  return {
    edges: new SqlEdgeStore(database),
    replica: new SqlReplicaStore(database),
    spool: new SqlTrafficSpool(database, { maxCharacters: 5_000 }),
    past: new SqlPastStore(database, { maxCharacters: 1_000 }),
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]()
      await rm(directory, { recursive: true })
    },
  }
})
