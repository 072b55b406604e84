import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'

import { git, runGit } from '../support/git-client.ts'
import { type LocalService, openLocalService } from '../support/local-service.ts'
import { account, temporaryDirectory, testKeys } from '../support/service-process.ts'
import { worldOf } from '../support/world.ts'

const undo = new AsyncDisposableStack()
let service: LocalService
let work: string
let count = 0

beforeAll(async () => {
  const directory = undo.use(await temporaryDirectory())
  work = undo.use(await temporaryDirectory()).path
  service = undo.use(
    await openLocalService({
      dataDirectory: join(directory.path, 'data'),
      environment: {
        TRUSTED_PROXIES: '127.0.0.0/8,::1',
        PUSHES_PER_MINUTE: '4',
        PUSHES_PER_ZONE: '2',
        PUSH_MB_PER_DAY: '3',
      },
    }),
  )
  for (const zone of ['acme', 'bolt', 'cask']) {
    await worldOf(service).zone(zone)
    await worldOf(service).put(`${zone}/v1/data/a.txt`, zone)
  }
})

afterAll(() => undo.disposeAsync())

async function tokenFor(...zones: readonly string[]): Promise<string> {
  const scopes = ['storage:read', 'storage:write']
  const response = await fetch(`${service.url}/api/tokens`, {
    method: 'POST',
    headers: account,
    body: JSON.stringify({ name: 'push', scopes, zones, expiresInDays: 2 }),
  })
  return ((await response.json()) as { token: string }).token
}

/** A clone whose requests come from a network. */
async function clone(zone: string, credential: string, network: string): Promise<string> {
  count += 1
  const directory = join(work, `clone-${count}`)
  const url = `${service.url.replace('://', `://x:${credential}@`)}/git/${zone}.git`
  await runGit(work, 'clone', '-q', url, directory)
  await runGit(directory, 'config', 'http.extraHeader', `X-Forwarded-For: ${network}`)
  return directory
}

async function push(directory: string, bytes: number | string = 10) {
  count += 1
  const content = typeof bytes === 'string' ? bytes : crypto.getRandomValues(new Uint8Array(bytes))
  await Bun.write(join(directory, `v1/data/pushed-${count}.bin`), content)
  await runGit(directory, 'add', '-A')
  await runGit(directory, 'commit', '-q', '-m', 'Push')
  return await git(directory, ['push', '-q', 'origin', 'HEAD:main'])
}

const isPushed = { exitCode: 0 }

test('a zone is pushed to so often a minute by its tokens, and others are not held up', async () => {
  const [acme, bolt] = [await tokenFor('acme'), await tokenFor('bolt')]
  const mine = await clone('acme', acme, '198.51.100.1')
  for (let turn = 0; turn < 2; turn += 1) expect(await push(mine)).toMatchObject(isPushed)
  const elsewhere = await clone('acme', acme, '198.51.100.2')
  for (const directory of [mine, elsewhere]) {
    const refused = await push(directory)
    expect(refused.exitCode).not.toBe(0)
    expect(refused.errors).toContain('remote: the limit of 2 is used up; try again in')
    expect(refused.errors).toContain('429')
  }
  expect(await push(await clone('bolt', bolt, '198.51.100.1'))).toMatchObject(isPushed)
  // The operator's keys count for no zone.
  const operator = await clone('acme', testKeys.ACCESS_KEY, '198.51.100.3')
  for (let turn = 0; turn < 3; turn += 1) expect(await push(operator)).toMatchObject(isPushed)

  const seen = await fetch(`${service.url}/api/limits?zone=acme`, { headers: account })
  const { Limits } = (await seen.json()) as { Limits: readonly Record<string, unknown>[] }
  expect(Limits).toContainEqual(
    expect.objectContaining({
      Name: 'pushes',
      Zone: 'acme',
      Scope: 'zone',
      Limit: 2,
      Remaining: 0,
    }),
  )
})

test('a network pushes so often a minute, and is told when to come again', async () => {
  const directory = await clone('cask', testKeys.ACCESS_KEY, '203.0.113.7')
  for (let turn = 0; turn < 4; turn += 1) expect(await push(directory)).toMatchObject(isPushed)
  const { errors } = await push(directory)
  expect(errors).toContain('remote: the limit of 4 is used up')
  const headers = {
    AccessKey: testKeys.ACCESS_KEY,
    'X-Forwarded-For': '203.0.113.7',
    'Content-Type': 'application/x-git-receive-pack-request',
  }
  const raw = await fetch(`${service.url}/git/git-receive-pack`, {
    method: 'POST',
    headers,
    body: '0000',
  })
  expect(raw.status).toBe(429)
  expect(Number(raw.headers.get('Retry-After'))).toBeWithin(1, 61)
  expect((await fetch(`${service.url}/cask/v1/data/a.txt`)).status).toBe(200)
  const other = await clone('cask', testKeys.ACCESS_KEY, '203.0.113.8')
  expect(await push(other)).toMatchObject(isPushed)
})

test('the push that goes beyond the megabytes of a day is the last', async () => {
  const directory = await clone('cask', testKeys.ACCESS_KEY, '203.0.113.20')
  expect(await push(directory, 2_500_000)).toMatchObject(isPushed)
  expect(await push(directory, 2_500_000)).toMatchObject(isPushed)
  const { exitCode, errors } = await push(directory, 'a few bytes')
  expect(exitCode).not.toBe(0)
  expect(errors).toContain('remote: the limit of 3000 is used up')
})
