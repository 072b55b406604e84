import { expect, test } from 'bun:test'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import { createClient } from '../../src/client/client.ts'
import { sedge } from '../support/sedge-command.ts'
import { startService, temporaryDirectory, testKeys } from '../support/service-process.ts'
import { until } from '../support/until.ts'

const cli = join(import.meta.dir, '..', '..', 'src', 'cli', 'main.ts')
const largeBytes = 60_000_000

/** A service with the zone `acme`, and a large file beside a small one. */
async function setUp() {
  await using opening = new AsyncDisposableStack()
  const directory = opening.use(await temporaryDirectory())
  const service = opening.use(await startService({ dataDirectory: join(directory.path, 'data') }))
  const local = join(directory.path, 'films')
  await mkdir(local)
  const content = Uint8Array.from({ length: largeBytes }, (_, place) => (place * 13) % 251)
  await Bun.write(join(local, 'film.bin'), content)
  await Bun.write(join(local, 'film.txt'), 'about the film')
  const client = createClient({ url: service.url, accessKey: testKeys.ACCESS_KEY })
  const operator = createClient({ url: service.url, accountKey: testKeys.ACCOUNT_KEY })
  await operator.createZone({ body: { Name: 'acme' } })
  const opened = opening.move()
  return {
    service,
    local,
    client,
    content,
    environment: {
      HOME: directory.path,
      XDG_CONFIG_HOME: directory.path,
      SEDGE_URL: service.url,
      XDG_STATE_HOME: join(directory.path, 'state'),
    },
    begun: async () =>
      Object.values(
        ((await Bun.file(join(directory.path, 'state', 'sedge', 'uploads.json'))
          .json()
          .catch(() => ({}))) ?? {}) as Record<string, string>,
      ),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

test('sedge put that was killed in the middle of a large file goes on with the same upload', async () => {
  await using world = await setUp()
  const { environment, local, client, begun } = world
  const words = ['put', join(local, 'film.bin'), 'acme/v1/films/']
  const killed = Bun.spawn([process.execPath, '--no-orphans', cli, ...words], {
    env: { PATH: process.env['PATH'] ?? '', ...testKeys, ...environment },
    stdio: ['ignore', 'ignore', 'ignore'],
  })
  await until(async () => (await begun()).length === 1)
  const [id = ''] = await begun()
  await until(async () => (await client.getUpload({ id })).Offset > 0)
  killed.kill('SIGKILL')
  await killed.exited

  const { out, error, exitCode } = await sedge(words, environment)
  expect({ error, exitCode }).toEqual({ error: '', exitCode: 0 })
  expect(out).toContain('acme/v1/films/film.bin  57.2 MB')
  expect(await client.getUpload({ id })).toMatchObject({ IsComplete: true, Offset: largeBytes })
  expect(await begun()).toEqual([])
  const stored = await client.getFile({ path: 'acme/v1/films/film.bin' })
  expect(Buffer.compare(await stored.bytes(), world.content)).toBe(0)
}, 60_000)

test('sedge sync sends large files in pieces beside small ones, once', async () => {
  await using world = await setUp()
  const words = ['sync', world.local, 'acme/v1/films']
  const first = await sedge(words, world.environment)
  expect(first).toMatchObject({ error: '', exitCode: 0 })
  expect(first.out).toContain('2 new')
  expect((await sedge(words, world.environment)).out).toContain('2 unchanged')

  const stored = await world.client.getFile({ path: 'acme/v1/films/film.bin' })
  expect(Buffer.compare(await stored.bytes(), world.content)).toBe(0)
}, 60_000)

test('what was remembered and is gone at the service is begun anew', async () => {
  await using world = await setUp()
  const { environment, local, client, begun } = world
  const key = `${new Bun.CryptoHasher('sha256').update(world.content).digest('hex')} acme/v1/films/film.bin ${environment.SEDGE_URL}`
  const file = join(environment.XDG_STATE_HOME, 'sedge', 'uploads.json')
  await Bun.write(file, JSON.stringify({ [key]: crypto.randomUUID() }))
  const { exitCode } = await sedge(['put', join(local, 'film.bin'), 'acme/v1/films/'], environment)

  expect(exitCode).toBe(0)
  expect(await begun()).toEqual([])
  expect((await client.getFile({ path: 'acme/v1/films/film.bin' })).status).toBe(200)
}, 60_000)
