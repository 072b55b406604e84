import { Database as BunDatabase } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'

import { Kysely, sql } from 'kysely'

import {
  assetAt,
  at,
  entry,
  failureOf,
  zoneOf,
} from '../../../ports/content/publication-store.contract.ts'
import { Database } from '../database.ts'
import { migrate } from '../migrate.ts'
import type { Schema } from '../schema.ts'
import { SqlPublicationStore } from '../content/sql-publication-store.ts'
import { SqlQuotaStore } from '../access/sql-quota-store.ts'
import { openSqliteDatabase } from './sqlite-database.ts'
import { createSqliteDialect } from './sqlite-dialect.ts'
import { sqliteFlavour } from './sqlite-flavour.ts'
import { LogFlushError, openWriteAheadLog } from './write-ahead-log.ts'

async function temporaryFile() {
  const directory = await mkdtemp(join(tmpdir(), 'sedge-sqlite-'))
  return {
    file: join(directory, 'sedge.sqlite'),
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true }),
  }
}

test('everything is there after closing and opening again', async () => {
  await using place = await temporaryFile()
  const asset = assetAt('acme/v1/a')
  {
    await using database = await openSqliteDatabase(place)
    await new SqlPublicationStore(database).publish([
      { commitId: 'c1', zones: [zoneOf('acme')], assets: [asset], feed: [entry('a')] },
    ])
  }
  await using database = await openSqliteDatabase(place)
  const store = new SqlPublicationStore(database)

  expect(await store.position()).toEqual({ commitId: 'c1', seq: 1 })
  expect(await Array.fromAsync(store.assets())).toEqual([asset])
  expect((await store.publish([{ feed: [entry('b')] }]))[0]?.seq).toBe(2)
})

test('of publications acknowledged before a kill none is lost, and no number is given twice or left out', async () => {
  await using place = await temporaryFile()
  const acknowledged = new Map<number, string>()
  for (let cycle = 0; cycle < 10; cycle += 1) {
    await using child = Bun.spawn(
      [
        process.execPath,
        new URL('publish-until-killed.fixture.ts', import.meta.url).pathname,
        place.file,
      ],
      { stdout: 'pipe', stderr: 'inherit' },
    )
    let output = ''
    for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
      output += chunk
      if (output.split('\n').length > 5 + cycle * 7) child.kill('SIGKILL')
    }
    for (const line of output.split('\n').slice(0, -1)) {
      const [seq = '', commitId = ''] = line.split(' ')
      expect(acknowledged.has(Number(seq))).toBe(false)
      acknowledged.set(Number(seq), commitId)
    }

    await using database = await openSqliteDatabase(place)
    const store = new SqlPublicationStore(database)
    const feed = await store.feedAfter(0, 1_000_000)
    expect(feed.map(({ seq }) => seq)).toEqual(feed.map((_, index) => index + 1))
    for (const [seq, commitId] of acknowledged) expect(feed[seq - 1]?.commitId).toBe(commitId)
    const commitsOfAssets = (await Array.fromAsync(store.assets())).map(({ commitId }) => commitId)
    expect(commitsOfAssets.toSorted()).toEqual(
      feed.map(({ commitId }) => commitId ?? '').toSorted(),
    )
    expect((await store.position()).commitId).toBe(feed.at(-1)?.commitId)
    expect(await database.integrityFaults()).toEqual([])
  }
  expect(acknowledged.size).toBeGreaterThan(100)
}, 60_000)

test('the log is copied into the file meanwhile, and begins anew however much is written', async () => {
  await using place = await temporaryFile()
  const sizeOf = async (suffix: string) =>
    (await stat(`${place.file}${suffix}`).catch(() => ({ size: 0 }))).size
  {
    await using database = await openSqliteDatabase({ ...place, changesBetween: 1_000 })
    const store = new SqlPublicationStore(database)
    const before = await sizeOf('')
    for (let round = 0; round < 60; round += 1) {
      const assets = Array.from({ length: 1_000 }, (_, index) =>
        assetAt(`acme/v1/${index}`, { commitId: `c${round}` }),
      )
      await store.publish([{ commitId: `c${round}`, assets, feed: [entry(`${round}`)] }])
    }
    while ((await sizeOf('')) < before + 100_000) await Bun.sleep(10)
    // All of it together is more than that.
    expect(await sizeOf('-wal')).toBeLessThan(100_000_000)
    expect(
      (await Array.fromAsync(store.assets())).every(({ commitId }) => commitId === 'c59'),
    ).toBe(true)
    expect(await database.integrityFaults()).toEqual([])
  }
  expect(await sizeOf('-wal')).toBe(0)
}, 60_000)

test('a file that is no database is refused', async () => {
  await using place = await temporaryFile()
  await Bun.write(place.file, 'this is not a database, however long it may be '.repeat(100))

  expect(await failureOf(openSqliteDatabase(place))).toMatchObject({ code: 'SQLITE_NOTADB' })
})

test('two handles can share a file, the first of them making its tables', async () => {
  await using place = await temporaryFile()
  const [a, b] = await Promise.all([openSqliteDatabase(place), openSqliteDatabase(place)])
  await using first = a
  await using second = b

  await new SqlPublicationStore(first).publish([{ feed: [entry('a')] }])
  expect((await new SqlPublicationStore(second).position()).seq).toBe(1)
})

test('a database file is its owner’s alone', async () => {
  await using place = await temporaryFile()
  await using database = await openSqliteDatabase(place)
  await new SqlPublicationStore(database).publish([{ feed: [entry('a')] }])

  for (const suffix of ['', '-wal', '-shm'])
    expect((await stat(`${place.file}${suffix}`)).mode & 0o077).toBe(0)
})

test('there is a write-ahead log, and what refers to nothing is refused', async () => {
  await using place = await temporaryFile()
  await using database = await openSqliteDatabase(place)
  const pragma = async (name: string) =>
    await database.unflushedTransaction(async (transaction) => {
      const { rows } = await sql.raw<object>(`pragma ${name}`).execute(transaction)
      return Object.values(rows[0] ?? {})
    })

  expect(await pragma('journal_mode')).toEqual(['wal'])
  expect(await pragma('foreign_keys')).toEqual([1])
})

test('whoever reads waits for nobody who writes, and sees what was committed', async () => {
  await using place = await temporaryFile()
  await using database = await openSqliteDatabase(place)
  const store = new SqlPublicationStore(database)
  const { promise: gate, resolve: openGate } = Promise.withResolvers<void>()
  const writing = database.transaction(async (transaction) => {
    await transaction.updateTable('position').set({ commit_id: 'new' }).execute()
    await gate
  })
  expect((await store.position()).commitId).toBeUndefined()
  expect(await database.isHealthy()).toBe(true)

  openGate()
  await writing
  expect((await store.position()).commitId).toBe('new')
})

test('a database that nobody has read from leaves nothing beside its file', async () => {
  await using place = await temporaryFile()
  const database = await openSqliteDatabase(place)
  await database[Symbol.asyncDispose]()
  for (const suffix of ['-wal', '-shm'])
    expect(await Bun.file(place.file + suffix).exists()).toBe(false)
})

test('whoever reads sees nothing that is not flushed yet', async () => {
  await using place = await temporaryFile()
  await using writer = await openSqliteDatabase(place)
  const { promise: flushed, resolve: flush } = Promise.withResolvers<void>()
  using handle = new BunDatabase(place.file, { readonly: true })
  const dialect = createSqliteDialect(handle, { flushed: () => flushed })
  const reading = new Kysely<Schema>({ dialect })
  let isRead = false
  const position = reading
    .selectFrom('position')
    .select('commit_id')
    .executeTakeFirst()
    .finally(() => (isRead = true))
  await writer.transaction((each) =>
    each.updateTable('position').set({ commit_id: 'new' }).execute(),
  )
  expect(isRead).toBe(false)
  flush()
  expect(await position).toEqual({ commit_id: 'new' })
})

test('nothing comes between the statements of a transaction, whatever it waits for', async () => {
  await using place = await temporaryFile()
  await using database = await openSqliteDatabase(place)
  const store = new SqlPublicationStore(database)
  const { promise: gate, resolve: openGate } = Promise.withResolvers<void>()
  const slow = database.transaction(async (transaction) => {
    await transaction.updateTable('position').set({ commit_id: 'half' }).execute()
    await gate
    throw new Error('changed my mind')
  })
  const reading = store.position()
  const publishing = store.publish([{ feed: [entry('a')] }])
  openGate()

  expect(await failureOf(slow)).toMatchObject({ message: 'changed my mind' })
  expect(await reading).toEqual({ commitId: undefined, seq: 0 })
  expect((await publishing)[0]?.seq).toBe(1)
  expect((await store.position()).commitId).toBeUndefined()
})

const setMaxPages = (database: Database, count: number) =>
  database.transaction((each) => sql.raw(`pragma max_page_count = ${count}`).execute(each))

test('a full disk refuses what does not fit, keeps what was there, and is left when there is room', async () => {
  await using place = await temporaryFile()
  await using database = await openSqliteDatabase(place)
  const store = new SqlPublicationStore(database)
  await store.publish([{ commitId: 'c1', feed: [entry('a')] }])
  await setMaxPages(database, 30)
  const assets = Array.from({ length: 2000 }, (_, index) => assetAt(`acme/v1/${index}`))

  const failure = await failureOf(store.publish([{ commitId: 'c2', assets, feed: [entry('b')] }]))

  expect(failure).toMatchObject({ name: 'StoreUnavailableError', store: 'metadata', final: false })
  expect(await store.position()).toEqual({ commitId: 'c1', seq: 1 })
  await setMaxPages(database, 100_000)
  expect((await store.publish([{ commitId: 'c2', assets, feed: [entry('b')] }]))[0]?.seq).toBe(2)
})

test('after a failed flush nothing is written any more, and the database is not healthy', async () => {
  await using place = await temporaryFile()
  await using opened = await openSqliteDatabase(place)
  await using kysely = new Kysely<Schema>({
    dialect: createSqliteDialect(new BunDatabase(place.file)),
  })
  const broken = new Error('disk I/O error')
  const database = new Database(kysely, {
    ...sqliteFlavour,
    unavailability: (error) => (error === broken ? { final: true } : undefined),
  })
  const failing = database.transaction(() => Promise.reject(broken))

  expect(await failureOf(failing)).toMatchObject({ final: true, cause: broken })
  expect(await failureOf(new SqlPublicationStore(database).publish([{ feed: [] }]))).toMatchObject({
    name: 'StoreUnavailableError',
    store: 'metadata',
    final: true,
  })
  expect(await database.isHealthy()).toBe(false)
  expect(await opened.isHealthy()).toBe(true)
})

test('errors of the database are told from mistakes of ours', async () => {
  await using place = await temporaryFile()
  await using database = await openSqliteDatabase(place)
  const duplicate = database.transaction(async (transaction) => {
    await transaction
      .insertInto('quotas')
      .values({ name: 'a', quota_window: 'b', used: 1 })
      .execute()
    await transaction
      .insertInto('quotas')
      .values({ name: 'a', quota_window: 'b', used: 1 })
      .execute()
  })

  expect(await failureOf(duplicate)).toMatchObject({ name: 'SQLiteError' })
  expect(await new SqlQuotaStore(database).used('a', 'b')).toBe(0)
  expect(await database.isHealthy()).toBe(true)
})

test('damaged pages are found by the integrity check', async () => {
  await using place = await temporaryFile()
  {
    await using database = await openSqliteDatabase(place)
    const assets = Array.from({ length: 2000 }, (_, index) => assetAt(`acme/v1/${index}`))
    await new SqlPublicationStore(database).publish([{ assets, feed: [] }])
    expect(await database.integrityFaults()).toEqual([])
  }
  const bytes = await Bun.file(place.file).bytes()
  // A page of rows, wherever the tables before them have left it.
  const row = Buffer.from(bytes.buffer).lastIndexOf('acme/v1/1500')
  const page = row - (row % 4096)
  bytes.fill(0xff, page, page + 4096)
  await Bun.write(place.file, bytes)

  await using database = await openSqliteDatabase(place)
  expect(await database.integrityFaults()).not.toEqual([])
})

test('a closed database is not healthy', async () => {
  await using place = await temporaryFile()
  const database = await openSqliteDatabase(place)
  expect(await database.isHealthy()).toBe(true)
  await database[Symbol.asyncDispose]()

  expect(await database.isHealthy()).toBe(false)
})

test('a use given back while others take is never lost', async () => {
  await using place = await temporaryFile()
  await using database = await openSqliteDatabase(place)
  const quotas = new SqlQuotaStore(database)
  const key = { name: 'purge', window: at(0).toISOString(), amount: 1 }
  await Promise.all(
    Array.from({ length: 30 }, async () => {
      await quotas.take({ ...key, limit: 100 })
      await quotas.refund(key)
    }),
  )

  expect(await quotas.used(key.name, key.window)).toBe(0)
})

const synchronous = async (queries: Pick<Database['queries'], 'getExecutor'>) =>
  (await sql<{ synchronous: number }>`pragma synchronous`.execute(queries)).rows[0]?.synchronous

test('a transaction may do without a flush, and the next one does not', async () => {
  await using place = await temporaryFile()
  await using database = await openFlushedBy(place, async () => {})
  expect(await database.unflushedTransaction(synchronous)).toBe(1)
  const failing = database.unflushedTransaction(() => Promise.reject(new Error('changed my mind')))
  expect(await failing.catch((error: Error) => error.message)).toBe('changed my mind')
  expect(await synchronous(database.queries)).toBe(2)
})

test('SQLite flushes what is no transaction, and leaves the rest to another thread', async () => {
  await using place = await temporaryFile()
  await using database = await openFlushedBy(place, async () => {})
  expect(await database.transaction(synchronous)).toBe(1)
  expect(await synchronous(database.queries)).toBe(2)
  await database.transaction(() => Promise.reject(new Error('changed my mind'))).catch(() => {})
  expect(await synchronous(database.queries)).toBe(2)
})

/** A database whose log is flushed by `flush`. */
async function openFlushedBy(place: { readonly file: string }, flush: () => Promise<void>) {
  const handle = new BunDatabase(place.file)
  handle.run('pragma journal_mode = wal')
  handle.run('pragma synchronous = full')
  const log = { ...openWriteAheadLog(handle, place.file), flush }
  const kysely = new Kysely<Schema>({ dialect: createSqliteDialect(handle, { log }) })
  await migrate(kysely, sqliteFlavour)
  return new Database(kysely, sqliteFlavour)
}

test('nobody is told of a commit, or sees it, before it was flushed', async () => {
  await using place = await temporaryFile()
  const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let isSlow = false
  await using database = await openFlushedBy(place, async () => {
    if (!isSlow) return
    begun.resolve()
    await ended.promise
  })
  const store = new SqlPublicationStore(database)
  isSlow = true
  const order: string[] = []
  const writing = database
    .transaction((each) => each.updateTable('position').set({ commit_id: 'new' }).execute())
    .then(() => order.push('told'))
  const reading = store.position().then((position) => order.push(`seen ${position?.commitId}`))
  await begun.promise
  await setImmediate()
  expect(order).toEqual([])

  ended.resolve()
  await Promise.all([writing, reading])
  expect(order.toSorted()).toEqual(['seen new', 'told'])
})

test('a flush that fails is final', async () => {
  await using place = await temporaryFile()
  let isBroken = false
  await using database = await openFlushedBy(place, async () => {
    if (isBroken) throw new LogFlushError(new Error('EIO'))
  })
  isBroken = true
  const failing = database.transaction((each) =>
    each.updateTable('position').set({ commit_id: 'lost' }).execute(),
  )
  expect(await failureOf(failing)).toMatchObject({ name: 'StoreUnavailableError', final: true })
  expect(await database.isHealthy()).toBe(false)
})

test('nothing comes between the statements of one without a flush either', async () => {
  await using place = await temporaryFile()
  await using database = await openSqliteDatabase(place)
  const store = new SqlPublicationStore(database)
  const { promise: gate, resolve: openGate } = Promise.withResolvers<void>()
  const slow = database.unflushedTransaction(async (transaction) => {
    await transaction.updateTable('position').set({ commit_id: 'half' }).execute()
    await gate
    throw new Error('changed my mind')
  })
  const reading = store.position()
  openGate()
  await slow.catch(() => {})
  expect((await reading)?.commitId).not.toBe('half')
})

test('others have turns while a transaction of many statements goes on', async () => {
  using handle = new BunDatabase(':memory:')
  const kysely = new Kysely<Schema>({ dialect: createSqliteDialect(handle) })
  const seen = { turns: 0 }
  const other = setInterval(() => (seen.turns += 1), 0)
  await kysely.transaction().execute(async (transaction) => {
    const start = performance.now()
    while (seen.turns < 2 && performance.now() - start < 10_000)
      await sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < 5000) select sum(i) from n`.execute(
        transaction,
      )
  })
  clearInterval(other)

  expect(seen.turns).toBeGreaterThanOrEqual(2)
})
