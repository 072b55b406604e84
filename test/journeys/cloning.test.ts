import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'

import { git, runGit } from '../support/git-client.ts'
import { type LocalService, openLocalService } from '../support/local-service.ts'
import { access, account, temporaryDirectory, testKeys } from '../support/service-process.ts'
import { worldOf } from '../support/world.ts'

const undo = new AsyncDisposableStack()
let service: LocalService
let work: string

beforeAll(async () => {
  const directory = undo.use(await temporaryDirectory())
  work = undo.use(await temporaryDirectory()).path
  service = undo.use(await openLocalService({ dataDirectory: join(directory.path, 'data') }))
  for (const zone of ['acme', 'bolt'])
    await fetch(`${service.url}/api/core/zones`, {
      method: 'POST',
      headers: account,
      body: JSON.stringify({ Name: zone }),
    })
  await worldOf(service).put('acme/v1/logos/a.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>')
  await worldOf(service).put('bolt/v1/banners/large.bin', 'x'.repeat(900_000))
})

afterAll(() => undo.disposeAsync())

async function createToken(request: object): Promise<string> {
  const response = await fetch(`${service.url}/api/tokens`, {
    method: 'POST',
    headers: account,
    body: JSON.stringify({ name: 'clone', expiresInDays: 2, ...request }),
  })
  const { token } = (await response.json()) as { token: string }
  return token
}

const urlWith = (credential: string): string =>
  `${service.url.replace('://', `://${credential}@`)}/git/`

const repository = (): string => urlWith(`x:${testKeys.ACCESS_KEY}`)

test('whoever has the access key clones everything, fetches what is new, and git finds nothing wrong', async () => {
  await runGit(work, 'clone', '-q', repository(), 'whole')
  const clone = join(work, 'whole')
  const file = Bun.file(join(clone, 'clients/bolt/v1/banners/large.bin'))
  expect(file.size).toBe(900_000)

  await worldOf(service).put('acme/v1/logos/b.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>')
  await runGit(clone, 'pull', '-q', '--ff-only')
  expect(await Bun.file(join(clone, 'clients/acme/v1/logos/b.svg')).exists()).toBe(true)
  expect(await runGit(clone, 'log', '-1', '--format=%s')).toBe('Put acme/v1/logos/b.svg\n')
  await runGit(clone, 'fsck', '--strict')
  expect(await runGit(clone, 'for-each-ref', '--format=%(refname)')).not.toContain('sedge')
})

for (const version of [0, 1, 2])
  test(`version ${version} of the protocol works`, async () => {
    const name = `version-${version}`
    await runGit(work, '-c', `protocol.version=${version}`, 'clone', '-q', repository(), name)
    expect(await runGit(join(work, name), 'ls-files')).toContain('clients/acme/v1/logos/a.svg')
  })

test('the files of one zone are cloned without those of the others', async () => {
  await runGit(work, 'clone', '-q', '--filter=blob:none', '--sparse', repository(), 'part')
  const clone = join(work, 'part')
  await runGit(clone, 'sparse-checkout', 'set', 'clients/acme')

  expect(await Bun.file(join(clone, 'clients/acme/v1/logos/a.svg')).exists()).toBe(true)
  expect(await Bun.file(join(clone, 'clients/bolt/v1/banners/large.bin')).exists()).toBe(false)
  const missing = await runGit(clone, 'rev-list', '--objects', '--missing=print', 'HEAD')
  expect(missing.split('\n').filter((line) => line.startsWith('?'))).not.toEqual([])
})

test('with version 0 of the protocol too, what a partial clone left out is fetched when it is wanted', async () => {
  const options = ['-c', 'protocol.version=0', 'clone', '-q', '--filter=blob:none', '--no-checkout']
  await runGit(work, ...options, repository(), 'lazy')
  const read = [
    '-c',
    'protocol.version=0',
    'cat-file',
    '-s',
    'HEAD:clients/bolt/v1/banners/large.bin',
  ]
  expect(await runGit(join(work, 'lazy'), ...read)).toBe('900000\n')
})

test('a token needs the scope to read files, and for all zones', async () => {
  const reading = await createToken({ scopes: ['storage:read'] })
  for (const credential of [`x:${reading}`, reading, `${reading}:`]) {
    const { exitCode } = await git(work, ['ls-remote', urlWith(credential)])
    expect({ credential, exitCode }).toEqual({ credential, exitCode: 0 })
  }
  const header = `http.extraHeader=Authorization: Bearer ${reading}`
  expect(await runGit(work, '-c', header, 'ls-remote', `${service.url}/git/`)).toContain('main')

  const writing = await createToken({ scopes: ['storage:write'] })
  const narrowed = await createToken({ scopes: ['storage:read'], zones: ['acme'] })
  for (const token of [writing, narrowed]) {
    const { exitCode, errors } = await git(work, ['ls-remote', urlWith(`x:${token}`)])
    expect(exitCode).not.toBe(0)
    expect(errors).toContain('403')
  }
  expect((await git(work, ['ls-remote', urlWith(`x:${narrowed}`)])).errors).toContain(
    'a token for some zones cannot clone what all share',
  )
})

test('without a credential, or with a wrong one, git is asked for one', async () => {
  const url = `${service.url}/git/info/refs?service=git-upload-pack`
  const response = await fetch(url)
  expect(response.status).toBe(401)
  expect(response.headers.get('www-authenticate')).toBe('Basic realm="sedge", charset="UTF-8"')

  const { errors } = await git(work, ['clone', `${service.url}/git/`, 'nothing'])
  expect(errors).toContain('could not read Username')
  for (const wrong of ['x:wrong', `x:${testKeys.ACCESS_KEY}x`, 'x:', 'x:%c3%bc'])
    expect((await git(work, ['ls-remote', urlWith(wrong)])).errors).toContain('Authentication')
  const { status } = await fetch(url, {
    headers: { Authorization: `Basic ${btoa(`x:${testKeys.PURGE_KEY}`)}` },
  })
  expect(status).toBe(401)
})

test('elsewhere such a credential opens nothing: browsers would send it for other sites', async () => {
  const headers = { Authorization: `Basic ${btoa(`x:${testKeys.ACCESS_KEY}`)}` }
  expect((await fetch(`${service.url}/api/assets`, { headers })).status).toBe(401)
})

test('whoever may only read cannot push', async () => {
  const reading = await createToken({ scopes: ['storage:read'] })
  await runGit(work, 'clone', '-q', urlWith(`x:${reading}`), 'pusher')
  const clone = join(work, 'pusher')
  await runGit(clone, 'commit', '-q', '--allow-empty', '-m', 'mine')
  const { exitCode, errors } = await git(clone, ['push', 'origin', 'HEAD:main'])

  expect(exitCode).not.toBe(0)
  expect(errors).toContain('the token must have the scope storage:write')
})

test('what git reads by file path is the same, and nothing of a remote is shown', async () => {
  const hosts = `${service.url}/git/`
  for (const path of ['info/refs', 'info/refs?service=x'])
    expect((await fetch(`${hosts}${path}`, { headers: access })).status).toBe(403)
  for (const path of ['HEAD', 'objects/info/packs', 'config', '../data/keys.json'])
    expect((await fetch(`${hosts}${path}`, { headers: access })).status).toBe(404)
})
