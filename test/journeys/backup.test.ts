import { expect, test } from 'bun:test'
import { join } from 'node:path'

import { Client } from 'pg'

import { freePort } from '../support/free-port.ts'
import { have, postgres, postgresBinaries, s3Server } from '../support/needs.ts'
import { sedge } from '../support/sedge-command.ts'
import { access, account, startService, temporaryDirectory } from '../support/service-process.ts'
import { openBlobServer, openDatabaseServer } from '../support/shared-servers.ts'

if (have('backup and restore on PostgreSQL and S3', postgres, s3Server)) {
  test('what was backed up while the service wrote is put back, into an empty database and bucket', async () => {
    await using place = await newPlace()
    const { directory } = place
    const environment = await place.newStores()
    const kept = new Map<string, string>()
    let token = ''
    {
      await using service = await startService({ dataDirectory: `${directory}/data`, environment })
      token = await createZoneAndToken(service.url)
      const writing = writeUntilStopped(service.url)
      await writing.until(20)
      await dump(environment.DATABASE_URL, `${directory}/backup.dump`)
      await writing.until(40)
      for (const [path, body] of writing.answered) kept.set(path, body)
      await run([
        'git',
        'clone',
        '--quiet',
        '--mirror',
        `${directory}/data/repository.git`,
        `${directory}/restored/repository.git`,
      ])
      await writing.stop()
      await service.kill()
    }

    const restored = { ...(await place.newStores()), DATA_DIR: `${directory}/restored` }
    await restore(restored.DATABASE_URL, `${directory}/backup.dump`)
    await using service = await startService({
      dataDirectory: `${directory}/restored`,
      environment: restored,
    })
    await expectFiles(service.url, kept, { Authorization: `Bearer ${token}` })
    const first = [...kept.keys()][0] ?? ''
    expect(await (await fetch(`${service.url}/${first}`)).text()).toBe(kept.get(first) ?? '')
    const audit = await fetch(`${service.url}/api/core/audit-logs`, { headers: account })
    expect(await audit.text()).toContain('"action":"zone.create"')
    expect((await put(service.url, 'acme/v1/logos/after.txt', 'after')).status).toBe(201)
    expect((await fetch(`${service.url}/api/health?deep=1`)).status).toBe(200)
    expect(await service.stop()).toBe(0)
    const examined = await sedge(['doctor'], restored)
    expect([examined.exitCode, examined.out]).toEqual([0, 'All is well.\n'])
  }, 120_000)

  test('a cluster comes back from its database and bucket alone, as it was when the database was dumped', async () => {
    await using place = await newPlace()
    const { directory } = place
    const stores = await place.newStores()
    const port = await freePort()
    const environment = {
      ...stores,
      PORT: String(port),
      CLUSTER_ADDRESS: `http://127.0.0.1:${port}`,
      WEBHOOK_SECRET_KEY: 'test-webhook-secret-key-0123456789',
    }
    const kept = new Map<string, string>()
    const written = new Map<string, string>()
    {
      await using service = await startService({ dataDirectory: `${directory}/data`, environment })
      await createZoneAndToken(service.url)
      const writing = writeUntilStopped(service.url)
      await writing.until(20)
      for (const [path, body] of writing.answered) kept.set(path, body)
      await dump(stores.DATABASE_URL, `${directory}/backup.dump`)
      await writing.until(40)
      await writing.stop()
      for (const [path, body] of writing.answered) written.set(path, body)
      await service.kill()
    }

    const { DATABASE_URL } = await place.newStores()
    await restore(DATABASE_URL, `${directory}/backup.dump`)
    await using service = await startService({
      dataDirectory: `${directory}/restored`,
      environment: { ...environment, DATABASE_URL },
    })
    await expectFiles(service.url, kept, access)
    expect((await put(service.url, 'acme/v1/logos/after.txt', 'after')).status).toBe(201)
    expect((await fetch(`${service.url}/api/health?deep=1`)).status).toBe(200)
    await service.stop()

    // The bucket is gone too: what a node has left is enough, and becomes what all nodes have.
    const anew = { ...environment, ...(await place.newStores()) }
    await restore(anew.DATABASE_URL, `${directory}/backup.dump`)
    const alone = { ...anew, CLUSTER_ADDRESS: '' }
    const dataDirectory = `${directory}/data`
    await (await startService({ dataDirectory, environment: alone })).stop()
    await ask(anew.DATABASE_URL, 'delete from repository_packs')
    await (await startService({ dataDirectory, environment: anew })).stop()
    await using node = await startService({
      dataDirectory: `${directory}/empty`,
      environment: anew,
    })
    await expectFiles(node.url, written, access)
  }, 180_000)

  test('a service does not start on tables of a newer one, and says why', async () => {
    await using place = await newPlace()
    const environment = { ...(await place.newStores()), DATA_DIR: `${place.directory}/data` }
    await (await startService({ dataDirectory: environment.DATA_DIR, environment })).stop()
    await ask(
      environment.DATABASE_URL,
      `insert into migrations values ('999-from-the-future', '2030')`,
    )

    expect(await sedge(['serve'], environment)).toMatchObject({
      exitCode: 1,
      error: expect.stringContaining(
        'Sedge did not start: The database was changed by a newer Sedge',
      ),
    })
  }, 60_000)
}

interface Place extends AsyncDisposable {
  readonly directory: string
  /** An empty database and an empty bucket. */
  newStores(): Promise<{ readonly DATABASE_URL: string; readonly BLOB_STORE: string }>
}

async function newPlace(): Promise<Place> {
  await using opening = new AsyncDisposableStack()
  const directory = opening.use(await temporaryDirectory()).path
  const database = opening.use(await openDatabaseServer())
  const blobs = opening.use(await openBlobServer())
  const { accessKeyId, secretAccessKey } = blobs.credentials
  const opened = opening.move()
  return {
    directory,
    async newStores() {
      return {
        DATABASE_URL: await database.createDatabase(),
        BLOB_STORE: (await blobs.createBucket()).url(),
        S3_ACCESS_KEY_ID: accessKeyId,
        S3_SECRET_ACCESS_KEY: secretAccessKey,
      }
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

async function createZoneAndToken(url: string): Promise<string> {
  const post = async (path: string, body: object) => {
    const init = { method: 'POST', headers: account, body: JSON.stringify(body) }
    return (await (await fetch(`${url}${path}`, init)).json()) as { readonly token?: string }
  }
  await post('/api/core/zones', { Name: 'acme' })
  return (await post('/api/tokens', { name: 'reader', scopes: ['storage:read'] })).token ?? ''
}

const put = async (url: string, path: string, body: string): Promise<Response> =>
  await fetch(`${url}/api/storage/${path}`, { method: 'PUT', headers: access, body })

/** Writes one file after the other, and keeps what was answered. */
function writeUntilStopped(url: string) {
  const answered = new Map<string, string>()
  const ending = new AbortController()
  const writing = (async () => {
    while (!ending.signal.aborted) {
      const [path, body] = [`acme/v1/logos/${answered.size}.txt`, crypto.randomUUID()]
      const response = await put(url, path, body)
      await response.arrayBuffer()
      if (response.status === 201) answered.set(path, body)
    }
  })()
  return {
    answered,
    async until(count: number): Promise<void> {
      while (answered.size < count) await Bun.sleep(5)
    },
    async stop(): Promise<void> {
      ending.abort()
      await writing
    },
  }
}

async function expectFiles(
  url: string,
  files: ReadonlyMap<string, string>,
  headers: Record<string, string>,
): Promise<void> {
  for (const [path, body] of files) {
    const response = await fetch(`${url}/api/storage/${path}`, { headers })
    expect([path, await response.text()]).toEqual([path, body])
  }
}

async function ask(databaseUrl: string, statement: string): Promise<void> {
  const client = new Client(databaseUrl)
  await client.connect()
  await client.query(statement)
  await client.end()
}

const dump = async (databaseUrl: string, file: string): Promise<void> =>
  await run([program('pg_dump'), '--format=custom', `--file=${file}`, databaseUrl])

const restore = async (databaseUrl: string, file: string): Promise<void> =>
  await run([
    program('pg_restore'),
    '--exit-on-error',
    '--no-owner',
    `--dbname=${databaseUrl}`,
    file,
  ])

const program = (name: string): string => join(postgresBinaries() ?? '', name)

async function run(command: readonly string[]): Promise<void> {
  const child = Bun.spawn([...command], { stdio: ['ignore', 'ignore', 'pipe'] })
  const said = await new Response(child.stderr).text()
  expect([await child.exited, said]).toEqual([0, expect.any(String)])
}
