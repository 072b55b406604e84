import { afterAll, beforeAll, expect, test } from 'bun:test'

import { have, postgres } from '../../../../test/support/needs.ts'
import { type PostgresServer, startPostgres } from '../../../../test/support/postgres-server.ts'
import { openTcpProxy } from '../../../../test/support/tcp-proxy.ts'
import { assetAt, entry, failureOf } from '../../../ports/content/publication-store.contract.ts'
import { openPostgresDatabase } from './postgres-database.ts'
import { SqlPublicationStore } from '../content/sql-publication-store.ts'
import { SqlQuotaStore } from '../access/sql-quota-store.ts'

let server: PostgresServer

/** Short, so that a test of waiting does not wait for long. */
const limits = { connectMs: 500, statementMs: 500, idleMs: 500, turnMs: 500 }

if (have('PostgreSQL under faults', postgres)) {
  beforeAll(async () => void (server = await startPostgres()), 60_000)
  afterAll(async () => await server[Symbol.asyncDispose]())

  for (const how of ['kill', 'stop'] as const)
    test(`of what was acknowledged before and after each ${how} of the server nothing is lost, and writing goes on by itself`, async () => {
      const url = await server.createDatabase()
      await using database = await openPostgresDatabase({ url })
      const store = new SqlPublicationStore(database)
      const acknowledged = new Map<number, string>()
      let refused = 0
      const ending = new AbortController()
      const writing = (async () => {
        while (!ending.signal.aborted) {
          const commitId = crypto.randomUUID()
          const publication = {
            commitId,
            assets: [assetAt(`acme/v1/${commitId}`, { commitId })],
            feed: [{ ...entry(`acme/v1/${commitId}`), commitId }],
          }
          const entries = await store.publish([publication]).catch((error: unknown) => {
            expect(error).toMatchObject({
              name: 'StoreUnavailableError',
              store: 'metadata',
              final: false,
            })
            refused += 1
          })
          for (const { seq } of entries ?? []) {
            expect(acknowledged.has(seq)).toBe(false)
            acknowledged.set(seq, commitId)
          }
        }
      })()
      const acknowledgedAtLeast = async (count: number) => {
        while (acknowledged.size < count) await Bun.sleep(5)
      }
      for (let round = 1; round <= 5; round += 1) {
        await acknowledgedAtLeast(round * 20)
        await server.restart(how)
      }
      await acknowledgedAtLeast(120)
      ending.abort()
      await writing

      const feed = await store.feedAfter(0, 1_000_000)
      expect(feed.map(({ seq }) => seq)).toEqual(feed.map((_, index) => index + 1))
      for (const [seq, commitId] of acknowledged) expect(feed[seq - 1]?.commitId).toBe(commitId)
      const assets = await Array.fromAsync(store.assets(), ({ commitId }) => commitId)
      expect(assets.toSorted()).toEqual(feed.map(({ commitId }) => commitId ?? '').toSorted())
      expect(refused).toBeGreaterThan(0)
    }, 60_000)

  for (const fault of ['black hole', 'cut'] as const)
    test(`a ${fault} on the way to the server is refused in time, and is left when it is over`, async () => {
      const direct = new URL(await server.createDatabase())
      await using proxy = await openTcpProxy(Number(direct.port))
      direct.port = String(proxy.port)
      await using database = await openPostgresDatabase({ url: direct.href, limits })
      const store = new SqlPublicationStore(database)
      await store.publish([{ feed: [entry('a')] }])
      proxy.turnInto(fault)
      const failures = await Promise.all(
        [1, 2, 3].flatMap(() => [
          failureOf(store.publish([{ feed: [entry('b')] }])),
          failureOf(store.position()),
        ]),
      )

      for (const failure of failures)
        expect(failure).toMatchObject({
          name: 'StoreUnavailableError',
          store: 'metadata',
          final: false,
        })
      expect(await database.isHealthy()).toBe(false)
      proxy.turnInto('open')
      await store.publish([{ feed: [entry('c')] }])
      expect((await store.position()).seq).toBe(2)
    }, 30_000)

  test('programs that start at once make the tables once, and take turns in writing', async () => {
    const url = await server.createDatabase()
    const databases = await Promise.all(
      Array.from({ length: 4 }, () => openPostgresDatabase({ url })),
    )
    const granted = await Promise.all(
      databases.flatMap((database) =>
        Array.from({ length: 10 }, () =>
          new SqlQuotaStore(database).take({ name: 'a', window: 'b', amount: 1, limit: 25 }),
        ),
      ),
    )
    for (const database of databases) await database[Symbol.asyncDispose]()

    expect(granted.filter((used) => used !== undefined)).toHaveLength(25)
  })

  test('a writer that stops in the middle of a transaction is left behind, and changes nothing', async () => {
    const url = await server.createDatabase()
    await using paused = await openPostgresDatabase({ url, limits })
    await using other = await openPostgresDatabase({ url })
    const { promise: gate, resolve: openGate } = Promise.withResolvers<void>()
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const stuck = failureOf(
      paused.transaction(async (transaction) => {
        await transaction.updateTable('position').set({ commit_id: 'half' }).execute()
        begin()
        await gate
      }),
    )
    await begun
    const [first] = await new SqlPublicationStore(other).publish([{ feed: [entry('a')] }])
    openGate()

    expect(first?.seq).toBe(1)
    expect(await stuck).toMatchObject({
      name: 'StoreUnavailableError',
      store: 'metadata',
      final: false,
    })
    expect((await new SqlPublicationStore(paused).position()).commitId).toBeUndefined()
  })

  test('a mistake of ours is no unavailability, and leaves nothing behind', async () => {
    await using database = await openPostgresDatabase({ url: await server.createDatabase() })
    const row = { name: 'a', quota_window: 'b', used: 1 }
    const duplicate = database.transaction(async (transaction) => {
      await transaction.insertInto('quotas').values(row).execute()
      await transaction.insertInto('quotas').values(row).execute()
    })

    expect(await failureOf(duplicate)).toMatchObject({ code: '23505' })
    expect(await new SqlQuotaStore(database).used('a', 'b')).toBe(0)
    expect(await database.isHealthy()).toBe(true)
  })
}
