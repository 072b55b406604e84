import { Database as BunDatabase } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { Kysely, Migrator, sql } from 'kysely'
import { Client } from 'pg'

import { have, postgres } from '../../../test/support/needs.ts'
import type { DatabaseServer } from '../../../test/support/postgres-server.ts'
import { openDatabaseServer } from '../../../test/support/shared-servers.ts'
import { assetAt, entry, failureOf } from '../../ports/content/publication-store.contract.ts'
import type { Database } from './database.ts'
import type { Flavour } from './flavour.ts'
import { migrationsFor } from './migrations.ts'
import { postgresLimits } from './postgres/postgres-connections.ts'
import { openPostgresDatabase } from './postgres/postgres-database.ts'
import { createPostgresDialect } from './postgres/postgres-dialect.ts'
import { postgresFlavour } from './postgres/postgres-flavour.ts'
import type { Schema } from './schema.ts'
import { SqlFormerFocalPoints } from './media/sql-former-focal-points.ts'
import { SqlMediaFactsStore } from './media/sql-media-facts-store.ts'
import { SqlPublicationStore } from './content/sql-publication-store.ts'
import { openSqliteDatabase } from './sqlite/sqlite-database.ts'
import { createSqliteDialect } from './sqlite/sqlite-dialect.ts'
import { sqliteFlavour } from './sqlite/sqlite-flavour.ts'

/** A database of a test's own, which may be opened as any version would. */
interface Place extends AsyncDisposable {
  readonly flavour: Flavour
  /** As it is, with no table made. */
  readonly openBare: () => Kysely<Schema>
  readonly open: () => Promise<Database>
}

async function sqlitePlace(): Promise<Place> {
  const directory = await mkdtemp(join(tmpdir(), 'sedge-migrate-'))
  const file = join(directory, 'sedge.db')
  return {
    flavour: sqliteFlavour,
    openBare: () => new Kysely({ dialect: createSqliteDialect(new BunDatabase(file)) }),
    open: () => openSqliteDatabase({ file }),
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true }),
  }
}

let server: DatabaseServer

async function postgresPlace(): Promise<Place & { readonly url: string }> {
  const url = await server.createDatabase()
  return {
    url,
    flavour: postgresFlavour,
    openBare: () =>
      new Kysely({
        dialect: createPostgresDialect({ url, limits: postgresLimits, epoch: undefined }),
      }),
    open: () => openPostgresDatabase({ url }),
    [Symbol.asyncDispose]: async () => {},
  }
}

/** What the version made whose newest step was `last`, with something in it. */
async function makeFormer({ openBare, flavour }: Place, last: string): Promise<void> {
  const queries = openBare()
  const migrator = new Migrator({
    db: queries,
    provider: { getMigrations: async () => migrationsFor(flavour) },
    migrationTableName: 'migrations',
    migrationLockTableName: 'migration_lock',
  })
  const { error } = await migrator.migrateTo(last)
  if (error !== undefined) throw error
  await queries
    .insertInto('zones')
    .values({ name: 'acme', created_at: 1, enabled: 1, suspended: 0 })
    .execute()
  await queries.destroy()
}

async function shapeOf({ open }: Place) {
  await using database = await open()
  const tables = await database.queries.introspection.getTables()
  const columns = tables.flatMap(({ name: table, columns: all }) =>
    all.map(({ name, dataType, isNullable }) => [table, name, dataType, isNullable].join(' ')),
  )
  return columns.toSorted()
}

function migrationTests(engine: string, newPlace: () => Promise<Place>): void {
  test(`${engine}: what any former version made comes to look like what is new, with all that was in it`, async () => {
    await using fresh = await newPlace()
    const expected = await shapeOf(fresh)
    expect(expected.length).toBeGreaterThan(100)
    for (const last of Object.keys(migrationsFor(fresh.flavour)).slice(0, -1)) {
      await using place = await newPlace()
      await makeFormer(place, last)

      expect(await shapeOf(place)).toEqual(expected)
      await using database = await place.open()
      const zones = await new SqlPublicationStore(database).zones()
      expect(zones.map(({ name }) => name)).toEqual(['acme'])
    }
  }, 240_000)

  test(`${engine}: focal points of bytes are still there, and wait to be given to assets once`, async () => {
    await using place = await newPlace()
    await makeFormer(place, '018-log-levels')
    await usingBare(place, async (queries) => {
      await sql`insert into media_facts (sha256, header, focal_point)
        values ('a', '{}', '{"x":0.5,"y":1}'), ('b', '{}', null)`.execute(queries)
    })
    await using database = await place.open()
    const former = new SqlFormerFocalPoints(database)
    expect(await former.waiting()).toEqual([{ sha256: 'a', point: { x: 0.5, y: 1 } }])
    await former.markCarried()

    expect(await former.waiting()).toEqual([])
    expect(await new SqlMediaFactsStore(database).find('a')).toBeDefined()
  })

  test(`${engine}: what a newer version has changed is refused, and left as it is`, async () => {
    await using place = await newPlace()
    await makeFormer(place, '001-first-tables')
    await usingBare(place, async (queries) => {
      await sql`insert into migrations values ('999-from-the-future', '2030')`.execute(queries)
    })
    const failure = await failureOf(place.open())

    expect(failure).toMatchObject({ name: 'StoreUnavailableError', store: 'metadata', final: true })
    expect(failure).toHaveProperty('message', expect.stringContaining('999-from-the-future'))
    const left = await usingBare(place, (queries) => queries.introspection.getTables())
    expect(left.map(({ name }) => name)).not.toContain('tokens')
  })
}

async function usingBare<T>(
  { openBare }: Place,
  work: (queries: Kysely<Schema>) => Promise<T>,
): Promise<T> {
  const queries = openBare()
  try {
    return await work(queries)
  } finally {
    await queries.destroy()
  }
}

migrationTests('sqlite', sqlitePlace)

if (have('migrations on PostgreSQL', postgres)) {
  beforeAll(async () => void (server = await openDatabaseServer()), 240_000)
  afterAll(async () => await server[Symbol.asyncDispose]())

  migrationTests('postgres', postgresPlace)

  test('of processes that start at once, one of them killed meanwhile, one makes the tables and none fails', async () => {
    await using place = await postgresPlace()
    await makeFormer(place, '003-traffic')
    const other = new Client(place.url)
    await other.connect()
    await other.query('begin; lock table domains in access exclusive mode')
    const children = Array.from({ length: 3 }, () =>
      Bun.spawn([process.execPath, opening, place.url], { stdio: ['ignore', 'ignore', 'inherit'] }),
    )
    await untilWaiting(place.url, children.length)
    const [killed] = children
    killed?.kill('SIGKILL')
    await killed?.exited
    await other.query('commit')

    for (const child of children.slice(1)) expect(await child.exited).toBe(0)
    await other.end()
    await using database = await place.open()
    const { rows } = await sql<{ name: string }>`select name from migrations order by name`.execute(
      database.queries,
    )
    expect(rows.map(({ name }) => name)).toEqual(Object.keys(migrationsFor(postgresFlavour)))
  }, 240_000)

  test('a service that runs goes on while a newer one adds to the tables', async () => {
    await using place = await postgresPlace()
    await using database = await place.open()
    const store = new SqlPublicationStore(database)
    const publish = (path: string) =>
      store.publish([{ assets: [assetAt(path)], feed: [entry(path)] }])
    await publish('acme/v1/a')
    const newer = new Client(place.url)
    await newer.connect()
    for (const table of ['assets', 'feed', 'audit', 'zones', 'webhooks'])
      await newer.query(`alter table ${table} add column later text`)
    await newer.query('create table later (name text)')
    await newer.end()
    // What was prepared for the former shape is refused once for each connection, and prepared again.
    const failures: unknown[] = []
    for (const path of ['acme/v1/b', 'acme/v1/c', 'acme/v1/d'])
      await publish(path).catch((error: unknown) => failures.push(error))
    await publish('acme/v1/e')

    for (const failure of failures)
      expect(failure).toMatchObject({
        name: 'StoreUnavailableError',
        store: 'metadata',
        final: false,
      })
    expect(failures.length).toBeLessThan(2)
    const paths = await Array.fromAsync(store.assets(), ({ path }) => path)
    expect(paths).toHaveLength(5 - failures.length)
    expect((await store.position()).seq).toBe(5 - failures.length)
  })
}

const opening = join(import.meta.dir, 'postgres', 'open-postgres.fixture.ts')

/** One waits for the table, the others for the one. */
async function untilWaiting(url: string, count: number): Promise<void> {
  // Not in the transaction that they wait for: there, what was seen first stays.
  const client = new Client(url)
  await client.connect()
  for (let waiting = 0; waiting < count;) {
    const { rows } = await client.query<{ waiting: number }>(
      `select count(*)::int as waiting from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    )
    waiting = rows[0]?.waiting ?? 0
  }
  await client.end()
}
