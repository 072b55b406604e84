import { expect, test } from 'bun:test'
import { rm } from 'node:fs/promises'

import type { ResponseOf } from '../../src/client/types.ts'
import { have, postgres, s3Server } from '../support/needs.ts'
import { sedge } from '../support/sedge-command.ts'
import {
  access,
  account,
  type ServiceProcess,
  startService,
  temporaryDirectory,
} from '../support/service-process.ts'
import { openBlobServer, openDatabaseServer } from '../support/shared-servers.ts'
import { until } from '../support/until.ts'
import { worldOf } from '../support/world.ts'

/** Far more than the writes meanwhile, however slow the backup is. */
const largeBytes = 6_000_000

test('a backup made while the service writes is put back byte for byte, from a directory', async () => {
  await using directory = await temporaryDirectory()
  await drill({ data: directory.path, from: {}, into: {}, to: `${directory.path}/backups` })
}, 120_000)

if (have('backups to S3', s3Server))
  test('the same from a bucket', async () => {
    await using directory = await temporaryDirectory()
    await using server = await openBlobServer()
    const to = (await server.createBucket()).url()
    const { accessKeyId, secretAccessKey } = server.credentials
    const keys = {
      BACKUP_S3_ACCESS_KEY_ID: accessKeyId,
      BACKUP_S3_SECRET_ACCESS_KEY: secretAccessKey,
    }
    await drill({ data: directory.path, from: keys, into: keys, to })
  }, 120_000)

if (have('backups of PostgreSQL and S3', postgres, s3Server))
  test('the same of PostgreSQL and a bucket, into new ones', async () => {
    await using directory = await temporaryDirectory()
    await using server = await openBlobServer()
    await using database = await openDatabaseServer()
    const { accessKeyId, secretAccessKey } = server.credentials
    const stores = async () => ({
      DATABASE_URL: await database.createDatabase(),
      BLOB_STORE: (await server.createBucket()).url(),
      S3_ACCESS_KEY_ID: accessKeyId,
      S3_SECRET_ACCESS_KEY: secretAccessKey,
    })
    const to = `${directory.path}/backups`
    await drill({ data: directory.path, from: await stores(), into: await stores(), to })
  }, 180_000)

interface Drill {
  readonly data: string
  /** The settings of what is backed up, and of where it is put back. */
  readonly from: Readonly<Record<string, string>>
  readonly into: Readonly<Record<string, string>>
  readonly to: string
}

/** Furnishes a service, backs it up while it is written to, destroys it, and compares what comes back. */
async function drill({ data, from, into, to }: Drill): Promise<void> {
  const common = { LFS_ABOVE_MB: '1', WEBHOOK_SECRET_KEY: 'test-webhook-secret-key-0123456789' }
  const environment = { ...common, ...from, BACKUP_TO: to, BACKUP_EVERY_HOURS: '0' }
  const large = crypto.getRandomValues(new Uint8Array(65_536))
  const bytes = new Uint8Array(largeBytes).map((_, index) => large[index % large.length] ?? 0)
  let [before, token] = ['', '']
  const kept = new Map<string, string>()
  {
    await using service = await startService({ dataDirectory: `${data}/data`, environment })
    token = await furnish(service, bytes)
    before = await stateOf(service)
    const writing = writeUntilStopped(service.url)
    await writing.until(5)
    for (const [path, body] of writing.answered) kept.set(path, body)
    const began = await makeBackup(service.url)
    await writing.until(15)
    await writing.stop()
    expect(began).toMatchObject({ State: 'unverified', Missing: [], HasSecrets: false })
    // Nothing is copied twice: of the second one only what was written since is new.
    const again = await makeBackup(service.url)
    expect(again.NewBytes).toBeLessThan(largeBytes / 2)
    const verified = await sedge(['backup', 'verify', began.Id, '--url', service.url], {})
    expect([verified.exitCode, verified.error]).toEqual([0, ''])
    await service.kill()
    const restore = ['restore', '--from', to, '--at', began.Id, '--data-dir', `${data}/back`]
    const restored = await sedge(restore, { ...common, ...into })
    expect([restored.exitCode, restored.error]).toEqual([0, ''])
    const refused = await sedge(restore, { ...common, ...into })
    expect([refused.exitCode, refused.error]).toEqual([1, expect.stringContaining('not empty')])
  }
  await rm(`${data}/data`, { recursive: true })

  await using service = await startService({
    dataDirectory: `${data}/back`,
    environment: { ...common, ...into },
  })
  for (const [path, body] of kept)
    expect([path, await read(service.url, path)]).toEqual([path, body])
  expect(await stateOf(service)).toBe(before)
  const opened = await fetch(`${service.url}/api/storage/acme/v1/large.bin`, {
    headers: { Authorization: `Bearer ${token}` },
  })
  expect(Buffer.from(await opened.arrayBuffer()).equals(Buffer.from(bytes))).toBe(true)
  expect((await fetch(`${service.url}/api/health?deep=1`)).status).toBe(200)
  expect(await service.stop()).toBe(0)
  const examined = await sedge(['doctor'], { ...common, ...into, DATA_DIR: `${data}/back` })
  expect([examined.exitCode, examined.out]).toEqual([0, 'All is well.\n'])
}

/** Something of every kind that a backup has; answers a token. */
async function furnish(service: ServiceProcess, large: Uint8Array<ArrayBuffer>): Promise<string> {
  const world = worldOf(service)
  const { client } = world
  await world.zone('acme')
  await world.zone('northwind')
  await world.zone('busy')
  await world.put('acme/v1/logos/a.txt', 'first')
  await world.put('acme/v1/logos/a.txt', 'second')
  await world.put('acme/v1/large.bin', large)
  await world.put('northwind/v1/b.txt', 'of another zone')
  await world.rules('_headers', '/*\n  X-Restored: yes\n')
  await client.describeAsset({
    path: 'acme/v1/logos/a.txt',
    body: { Title: 'A title', Tags: ['kept'] },
  })
  await client.createWebhook({
    body: { url: 'https://hooks.example.org/x', events: ['asset.created'] },
  })
  await client.createPreview({ id: 'acme', body: { Name: 'spring' } })
  await client.putFile({ path: 'acme/v1/logos/p.txt', body: 'in a preview', preview: 'spring' })
  const token = await client.createToken({ body: { name: 'reader', scopes: ['storage:read'] } })
  return token.token
}

/** All that is told of it, but for what counts requests and time. */
async function stateOf(service: ServiceProcess): Promise<string> {
  const { client } = worldOf(service)
  const listed = await client.listAssets({ per_page: 100 })
  const zones = await client.listZones()
  const state = {
    zones: zones.filter(({ Name }) => Name !== 'busy'),
    assets: listed.Data.filter(({ Path }) => !Path.startsWith('busy/')).toSorted((a, b) =>
      a.Path < b.Path ? -1 : 1,
    ),
    metadata: await client.getAssetMetadata({ path: 'acme/v1/logos/a.txt' }),
    history: await client.getAssetHistory({ path: 'acme/v1/logos/a.txt' }),
    rules: await client.getRules(),
    webhooks: (await client.listWebhooks()).Webhooks.map(asOrdered),
    tokens: await client.listTokens(),
    previews: await client.listPreviews({ id: 'acme' }),
    ofPreview: await (
      await client.getFile({ path: 'acme/v1/logos/p.txt', preview: 'spring' })
    ).text(),
    bytes: await read(service.url, 'acme/v1/logos/a.txt'),
  }
  const text = JSON.stringify(
    state,
    (name, value: unknown) => (ofTheMoment.has(name) ? 0 : value),
    1,
  )
  return text.replaceAll(service.url, 'http://here')
}

type Listed = ResponseOf<'listWebhooks'>['Webhooks'][number]

/** A webhook without how it goes with its deliveries, which go on. */
const asOrdered = ({ id, url, events, zones, ordered, active }: Listed): Partial<Listed> => ({
  id,
  url,
  events,
  zones,
  ordered,
  active,
})

/** When it was looked at, and how deliveries to nowhere went meanwhile. */
const ofTheMoment = new Set(['DateFetched', 'failingSince'])

const read = async (url: string, path: string): Promise<string> =>
  await (await fetch(`${url}/api/storage/${path}`, { headers: access })).text()

interface Backup {
  readonly Id: string
  readonly State: string
  readonly NewBytes: number
}

async function makeBackup(url: string): Promise<Backup> {
  const at = `${url}/api/core/backups`
  const begun = await fetch(at, { method: 'POST', headers: account })
  expect(begun.status).toBe(202)
  const list = async () =>
    (await (await fetch(at, { headers: account })).json()) as {
      readonly Running: object | null
      readonly LastEnded: { readonly Error: string | null }
      readonly Backups: readonly Backup[]
    }
  await until(async () => (await list()).Running === null, 'the backup did not end')
  const { LastEnded, Backups } = await list()
  expect(LastEnded.Error).toBeNull()
  if (Backups[0] === undefined) throw new Error('there is no backup')
  return Backups[0]
}

/** Writes one file after the other, and keeps what was answered. */
function writeUntilStopped(url: string) {
  const answered = new Map<string, string>()
  const ending = new AbortController()
  const writing = (async () => {
    while (!ending.signal.aborted) {
      const [path, body] = [`busy/v1/${answered.size}.txt`, crypto.randomUUID()]
      const init = { method: 'PUT', headers: access, body }
      const response = await fetch(`${url}/api/storage/${path}`, init)
      await response.arrayBuffer()
      if (response.status === 201) answered.set(path, body)
    }
  })()
  return {
    answered,
    until: (count: number) => until(() => answered.size >= count),
    async stop(): Promise<void> {
      ending.abort()
      await writing
    },
  }
}
