import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'

import { git as anyGit, packetLine } from '../support/git-client.ts'
import { type LocalService, openLocalService } from '../support/local-service.ts'
import { gitLfs, have } from '../support/needs.ts'
import { access, account, temporaryDirectory, testKeys } from '../support/service-process.ts'
import { worldOf } from '../support/world.ts'

const undo = new AsyncDisposableStack()
let service: LocalService
let data: string
let work: string
/** Reads the files of acme, and of no other zone. */
let token: string

const film = new Uint8Array(1.5 * 2 ** 20).map((_, place) => (place * 7) % 251)
const secret = 'what bolt alone may read'

beforeAll(async () => {
  data = join(undo.use(await temporaryDirectory()).path, 'data')
  work = undo.use(await temporaryDirectory()).path
  service = undo.use(
    await openLocalService({ dataDirectory: data, environment: { LFS_ABOVE_MB: '1' } }),
  )
  const world = worldOf(service)
  for (const zone of ['acme', 'bolt']) await world.zone(zone)
  await world.put('acme/v1/logos/a.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>')
  await world.put('bolt/v1/data/secret.txt', secret)
  await world.put('acme/v1/data/a.txt', 'first')
  await world.put('acme/v1/data/a.txt', 'second')
  token = await createToken({ scopes: ['storage:read'], zones: ['acme'] })
})

afterAll(() => undo.disposeAsync())

async function createToken(request: object): Promise<string> {
  const response = await fetch(`${service.url}/api/tokens`, {
    method: 'POST',
    headers: account,
    body: JSON.stringify({ name: 'clone', expiresInDays: 2, ...request }),
  })
  return ((await response.json()) as { token: string }).token
}

/** With the configuration that `git lfs install` wrote. */
const git = (directory: string, ...args: readonly string[]) =>
  anyGit(directory, args, { HOME: work })

async function runGit(directory: string, ...args: readonly string[]): Promise<string> {
  const { exitCode, output, errors } = await git(directory, ...args)
  if (exitCode !== 0) throw new Error(`git ${args.join(' ')}: ${errors}`)
  return output
}

const urlOf = (zone: string, credential = token): string =>
  `${service.url.replace('://', `://x:${credential}@`)}/git/${zone}.git`

const whole = (...args: readonly string[]) =>
  runGit(join(data, 'repository.git'), ...args).then((output) => output.trim())

for (const version of [0, 1, 2])
  test(`a token for a zone clones its repository, and pulls what is new, by version ${version} of the protocol`, async () => {
    const name = `version-${version}`
    const protocol = ['-c', `protocol.version=${version}`]
    await runGit(work, ...protocol, 'clone', '-q', urlOf('acme'), name)
    const clone = join(work, name)
    expect(await runGit(clone, 'ls-files', 'v1/data')).toContain('v1/data/a.txt')
    expect(await Bun.file(join(clone, 'v1/data/a.txt')).text()).toBe('second')
    expect(await runGit(clone, 'log', '--format=%s')).toContain(
      'Put acme/v1/data/a.txt\nPut acme/v1/data/a.txt\nPut acme/v1/logos/a.svg\nCreate zone acme\n',
    )
    await runGit(clone, 'fsck', '--strict')

    const path = `acme/v1/data/${name}.txt`
    await worldOf(service).put(path, name)
    await worldOf(service).put(`bolt/v1/data/${name}.txt`, name)
    await runGit(clone, ...protocol, 'pull', '-q', '--ff-only')
    expect(await runGit(clone, 'log', '-1', '--format=%s')).toBe(`Put ${path}\n`)
    expect(await Bun.file(join(clone, `v1/data/${name}.txt`)).text()).toBe(name)
    await runGit(clone, 'fsck', '--strict')
    expect(await runGit(clone, 'log', '--all', '-p')).not.toContain('bolt')
  })

test('who has the access key, or a token for all zones, clones each of them', async () => {
  const all = await createToken({ scopes: ['storage:read'] })
  for (const [place, credential] of [testKeys.ACCESS_KEY, all].entries()) {
    await runGit(work, 'clone', '-q', urlOf('bolt', credential), `bolt-${place}`)
    expect(await Bun.file(join(work, `bolt-${place}/v1/data/secret.txt`)).text()).toBe(secret)
  }
})

test('a zone that is not there, and one that the token does not reach, are both not found', async () => {
  for (const zone of ['bolt', 'never-made']) {
    const refused = await git(work, 'ls-remote', urlOf(zone))
    expect({ zone, ...refused, exitCode: 0 }).toMatchObject({ zone, output: '' })
    expect(refused.errors).toContain('not found')
    const url = `${service.url}/git/${zone}.git/info/refs?service=git-upload-pack`
    const { status } = await fetch(url, { headers: { Authorization: `Bearer ${token}` } })
    expect({ zone, status }).toEqual({ zone, status: 404 })
    expect((await fetch(url)).status).toBe(401)
  }
  const writing = await createToken({ scopes: ['storage:write'], zones: ['acme'] })
  expect((await git(work, 'ls-remote', urlOf('acme', writing))).errors).toContain('403')
  const { errors } = await git(
    work,
    'ls-remote',
    `${service.url.replace('://', `://x:${token}@`)}/git/`,
  )
  expect(errors).toContain('/git/<zone>.git')
})

test('only what git and git lfs ask for is below the URL of a zone', async () => {
  const headers = { Authorization: `Bearer ${token}` }
  for (const path of ['HEAD', 'config', 'objects/info/packs', 'info/refs/x', '', 'info/lfsx'])
    expect({
      path,
      status: (await fetch(`${service.url}/git/acme.git/${path}`, { headers })).status,
    }).toEqual({ path, status: 404 })
  for (const zone of ['a', 'Acme', 'acme.git', '..%2frepository', 'a'.repeat(65)])
    expect(
      (await fetch(`${service.url}/git/${zone}.git/info/refs?service=git-upload-pack`, { headers }))
        .status,
    ).toBe(404)
})

const fetchOf = async (lines: readonly string[], protocol = 'version=2'): Promise<Response> =>
  await fetch(`${service.url}/git/acme.git/git-upload-pack`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/x-git-upload-pack-request',
      'Git-Protocol': protocol,
    },
    body: lines.join(''),
  })

const second = (...lines: readonly string[]) =>
  fetchOf([packetLine('command=fetch\n'), '0001', ...lines.map(packetLine), '0000'])

test('nothing of another zone, or of what all share, is given away by its id', async () => {
  await runGit(work, 'ls-remote', urlOf('acme'))
  const foreign = await Promise.all(
    [
      'main',
      'main^{tree}',
      'main:clients',
      'main:clients/bolt',
      'main:clients/bolt/v1/data',
      'main:clients/bolt/v1/data/secret.txt',
    ].map((revision) => whole('rev-parse', revision)),
  )
  const own = await whole('rev-parse', 'main:clients/acme/v1/data/a.txt')
  const tip = (await runGit(work, 'ls-remote', urlOf('acme'), 'refs/heads/main')).slice(0, 40)
  for (const id of foreign) {
    const wanted = await second(`want ${id}\n`, 'done\n')
    expect({ id, status: wanted.status }).toEqual({ id, status: 400 })
    const first = await fetchOf(
      [packetLine(`want ${id} ofs-delta\n`), '0000', packetLine('done\n')],
      '',
    )
    expect({ id, status: first.status }).toEqual({ id, status: 400 })
    // Not even that it is there.
    const held = await second(`want ${tip}\n`, `have ${id}\n`)
    expect(await held.text()).toBe(`${packetLine('acknowledgments\n')}${packetLine('NAK\n')}0000`)
    const filtered = await second(`want ${tip}\n`, `filter sparse:oid=${id}\n`, 'done\n')
    expect(filtered.status).toBe(400)
  }
  expect(await (await second(`want ${tip}\n`, `have ${tip}\n`)).text()).toContain(`ACK ${tip}`)
  expect((await second(`want ${own}\n`, 'done\n')).status).toBe(200)
  const { body } = await second(`want ${tip}\n`, 'done\n')
  expect(await new Response(body).text()).not.toContain(secret)
})

for (const version of [0, 2])
  test(`what a partial clone left out is fetched when it is wanted, by version ${version}`, async () => {
    const protocol = ['-c', `protocol.version=${version}`]
    const name = `partial-${version}`
    const options = ['--filter=blob:none', '--no-checkout']
    await runGit(work, ...protocol, 'clone', '-q', ...options, urlOf('acme'), name)
    const clone = join(work, name)
    const missing = await runGit(clone, 'rev-list', '--objects', '--missing=print', 'HEAD')
    expect(missing).toContain('?')
    const former = (await runGit(clone, 'rev-parse', ':/Put acme/v1/data/a.txt')).trim()
    expect(await runGit(clone, ...protocol, 'show', `${former}^:v1/data/a.txt`)).toBe('first')
  })

test('a clone of the newest commit alone can be deepened', async () => {
  await runGit(work, 'clone', '-q', '--depth=1', urlOf('acme'), 'shallow')
  const clone = join(work, 'shallow')
  expect(await runGit(clone, 'rev-list', '--count', 'HEAD')).toBe('1\n')
  await runGit(clone, 'fetch', '-q', '--unshallow')
  expect(Number(await runGit(clone, 'rev-list', '--count', 'HEAD'))).toBeGreaterThan(3)
  await runGit(clone, 'fsck', '--strict')
})

test('a zone that is made anew has nothing of the former one', async () => {
  const core = (method: string, path: string, body?: object) =>
    fetch(`${service.url}/api/core/zones${path}`, {
      method,
      headers: account,
      ...(body && { body: JSON.stringify(body) }),
    })
  await worldOf(service).zone('short')
  await worldOf(service).put('short/v1/data/old.txt', 'old')
  await runGit(work, 'ls-remote', urlOf('short', testKeys.ACCESS_KEY))
  await core('DELETE', '/short')
  expect((await git(work, 'ls-remote', urlOf('short', testKeys.ACCESS_KEY))).exitCode).not.toBe(0)
  await worldOf(service).zone('short')
  await worldOf(service).put('short/v1/data/new.txt', 'new')
  await runGit(work, 'clone', '-q', urlOf('short', testKeys.ACCESS_KEY), 'short')
  expect(await runGit(join(work, 'short'), 'log', '--format=%s')).toBe(
    'Put short/v1/data/new.txt\nCreate zone short\n',
  )
})

test('large files come with it, and locks are by the paths of the clone', async () => {
  if (!have('large files of a zone', gitLfs)) return
  await runGit(work, 'lfs', 'install', '--skip-repo')
  await worldOf(service).put('acme/v1/films/film.bin', film)
  await worldOf(service).put('bolt/v1/films/other.bin', film.toReversed())
  await runGit(work, 'clone', '-q', urlOf('acme'), 'large')
  const clone = join(work, 'large')
  expect(await Bun.file(join(clone, 'v1/films/film.bin')).bytes()).toEqual(film)
  expect(await runGit(clone, 'status', '--porcelain')).toBe('')

  const writing = await createToken({ scopes: ['storage:read', 'storage:write'], zones: ['acme'] })
  await runGit(clone, 'remote', 'set-url', 'origin', urlOf('acme', writing))
  await runGit(clone, 'lfs', 'lock', 'v1/films/film.bin')
  expect(await runGit(clone, 'lfs', 'locks')).toContain('v1/films/film.bin')
  const listed = await fetch(`${service.url}/git/info/lfs/locks`, { headers: access })
  expect(await listed.text()).toContain('"clients/acme/v1/films/film.bin"')
  await runGit(clone, 'lfs', 'unlock', 'v1/films/film.bin')
  expect(await runGit(clone, 'lfs', 'locks')).toBe('')
}, 30_000)

test('the objects of another zone are not there for git lfs, whoever asks in the repository of this one', async () => {
  await worldOf(service).put(
    'bolt/v1/films/only.bin',
    film.map((byte) => byte ^ 1),
  )
  const bytes = film.map((byte) => byte ^ 1)
  const oid = new Bun.CryptoHasher('sha256').update(bytes).digest('hex')
  const ask = async (zone: string, headers: Record<string, string>) => {
    const response = await fetch(`${service.url}/git/${zone}.git/info/lfs/objects/batch`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/vnd.git-lfs+json' },
      body: JSON.stringify({ operation: 'download', objects: [{ oid, size: bytes.length }] }),
    })
    return await response.text()
  }
  expect(await ask('acme', { Authorization: `Bearer ${token}` })).toContain('"code":404')
  expect(await ask('acme', access)).toContain('"code":404')
  expect(await ask('bolt', { Authorization: `Bearer ${token}` })).toContain('does not exist')
  const answer = await ask('bolt', access)
  const href = /"href":"(?<href>[^"]+)"/u.exec(answer)?.groups?.['href'] ?? ''
  expect(href).toContain('/git/bolt.git/info/lfs/objects/')
  expect(await (await fetch(href)).bytes()).toEqual(bytes)
})
