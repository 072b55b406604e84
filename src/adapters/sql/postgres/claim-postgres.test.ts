import { afterAll, beforeAll, expect, test } from 'bun:test'

import { Client } from 'pg'

import { have, postgres } from '../../../../test/support/needs.ts'
import { type PostgresServer, startPostgres } from '../../../../test/support/postgres-server.ts'
import { failureOf } from '../../../ports/content/publication-store.contract.ts'
import { claimPostgres } from './claim-postgres.ts'

let server: PostgresServer
const inUse = { name: 'StoreUnavailableError', store: 'metadata', final: true }

if (have('claims of a database', postgres)) {
  beforeAll(async () => void (server = await startPostgres({ flushes: false })), 60_000)
  afterAll(async () => await server[Symbol.asyncDispose]())

  test('one process at a time has a database, and the next once it lets go', async () => {
    const url = await server.createDatabase()
    const options = { url, onLost: () => {} }
    const first = await claimPostgres(options)

    expect(await failureOf(claimPostgres({ ...options, patienceMs: 0 }))).toMatchObject(inUse)
    const waiting = claimPostgres(options)
    await first[Symbol.asyncDispose]()
    await using second = await waiting
    expect(second).toBeDefined()
    await using other = await claimPostgres({ ...options, url: await server.createDatabase() })
    expect(other).toBeDefined()
  })

  test('a claim outlives a restart of the server, and a loss to another process is told', async () => {
    const url = await server.createDatabase()
    const { promise: lost, resolve: onLost } = Promise.withResolvers<Error>()
    await using first = await claimPostgres({ url, onLost })
    expect(first).toBeDefined()
    await server.restart('kill')
    while (!(await isHeld(url))) await Bun.sleep(100)

    await server.stop('kill')
    await server.start()
    const options = { url, onLost: () => {}, patienceMs: 3_000 }
    await using second = await claimPostgres(options).catch(() => undefined)
    // Whoever came first has it: where that is the newcomer, the first one hears of it.
    if (second !== undefined) expect(await lost).toMatchObject(inUse)
  }, 60_000)
}

/** Looks without taking it: whoever renews its claim just then would find it taken. */
async function isHeld(url: string): Promise<boolean> {
  const client = new Client(url)
  try {
    await client.connect()
    const { rowCount } = await client.query(
      "select 1 from pg_locks where locktype = 'advisory' and granted",
    )
    return (rowCount ?? 0) > 0
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}
