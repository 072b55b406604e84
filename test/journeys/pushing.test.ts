import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { git, runGit } from '../support/git-client.ts'
import { type LocalService, openLocalService } from '../support/local-service.ts'
import { packOf, pushRaw } from '../support/raw-push.ts'
import { account, temporaryDirectory, testKeys } from '../support/service-process.ts'
import { worldOf } from '../support/world.ts'

const undo = new AsyncDisposableStack()
let service: LocalService
let work: string
let count = 0

const svg = (title: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg"><title>${title}</title></svg>`

beforeAll(async () => {
  const directory = undo.use(await temporaryDirectory())
  work = undo.use(await temporaryDirectory()).path
  service = undo.use(await openLocalService({ dataDirectory: join(directory.path, 'data') }))
  for (const zone of ['acme', 'bolt']) await worldOf(service).zone(zone)
  await worldOf(service).put('acme/v1/logos/a.svg', svg('a'))
  await worldOf(service).put('bolt/v1/logos/b.svg', svg('b'))
})

afterAll(() => undo.disposeAsync())

const urlWith = (credential: string): string =>
  `${service.url.replace('://', `://x:${credential}@`)}/git/`

async function createToken(request: object): Promise<string> {
  const response = await fetch(`${service.url}/api/tokens`, {
    method: 'POST',
    headers: account,
    body: JSON.stringify({ name: 'push', expiresInDays: 2, ...request }),
  })
  return ((await response.json()) as { token: string }).token
}

async function clone(): Promise<string> {
  count += 1
  const directory = join(work, `clone-${count}`)
  await runGit(work, 'clone', '-q', urlWith(testKeys.ACCESS_KEY), directory)
  return directory
}

/** Text, or `undefined` for a file that goes. */
type Files = Readonly<Record<string, string | Uint8Array | undefined>>

async function commit(directory: string, files: Files, message = 'Change'): Promise<string> {
  for (const [path, content] of Object.entries(files)) {
    const place = join(directory, path)
    await mkdir(dirname(place), { recursive: true })
    await (content === undefined ? rm(place) : writeFile(place, content))
  }
  await runGit(directory, 'add', '-A')
  await runGit(directory, 'commit', '-q', '--allow-empty', '-m', message)
  return (await runGit(directory, 'rev-parse', 'HEAD')).trim()
}

const push = (directory: string, ...args: readonly string[]) => git(directory, ['push', ...args])

const delivered = async (path: string) => await (await fetch(`${service.url}/${path}`)).text()

test('what is pushed is published when git says so, under the ids it was pushed with', async () => {
  const directory = await clone()
  await commit(directory, { 'clients/acme/v1/icons/one.svg': svg('one') }, 'Add one')
  const id = await commit(directory, {
    'clients/acme/v1/icons/two.svg': svg('two'),
    'clients/acme/v1/logos/a.svg': svg('a2'),
  })
  const { exitCode, errors } = await push(directory)

  expect(errors).toContain(`remote: published ${id} - 3 files at ${service.url}/acme/v1/`)
  expect(exitCode).toBe(0)
  expect(await delivered('acme/v1/icons/one.svg')).toBe(svg('one'))
  expect(await delivered('acme/v1/icons/two.svg')).toBe(svg('two'))
  expect(await delivered('acme/v1/logos/a.svg')).toBe(svg('a2'))
  expect(await runGit(directory, 'ls-remote', 'origin', 'main')).toContain(id)
  expect(await runGit(directory, 'pull', '--ff-only')).toContain('up to date')

  const log = await fetch(`${service.url}/api/core/audit-logs`, { headers: account })
  expect(await log.text()).toContain('repository.push')
})

/** Runs between git's look at the branch and what it sends. */
async function whilePushing(directory: string, script: string): Promise<void> {
  const hook = join(directory, '.git/hooks/pre-push')
  await mkdir(dirname(hook), { recursive: true })
  await writeFile(hook, `#!/bin/sh\nexec "${process.execPath}" -e '${script}'\n`, { mode: 0o755 })
}

const putting = (path: string, body: string): string =>
  `const { status } = await fetch("${service.url}/api/storage/${path}", { method: "PUT", headers: { AccessKey: "${testKeys.ACCESS_KEY}" }, body: "${body}" }); if (status !== 201) process.exit(1)`

test('a write that comes between is merged with the push, and the next pull is clean', async () => {
  const directory = await clone()
  await commit(directory, { 'clients/acme/v1/icons/raced.svg': svg('mine') })
  await commit(directory, { 'clients/acme/v1/icons/again.svg': svg('mine too') })
  await whilePushing(directory, putting('bolt/v1/logos/raced.txt', 'theirs'))
  const { exitCode, errors } = await push(directory)

  expect(errors).toContain('it was merged with what is here')
  expect(exitCode).toBe(0)
  expect(await delivered('acme/v1/icons/raced.svg')).toBe(svg('mine'))
  expect(await delivered('acme/v1/icons/again.svg')).toBe(svg('mine too'))
  expect(await delivered('bolt/v1/logos/raced.txt')).toBe('theirs')
  await rm(join(directory, '.git/hooks/pre-push'))
  await runGit(directory, 'pull', '-q', '--ff-only')
  await commit(directory, { 'clients/acme/v1/icons/after.svg': svg('after') })
  expect(await push(directory)).toMatchObject({ exitCode: 0 })
})

test('where both changed a file nothing is taken, and the pusher is told to pull', async () => {
  const directory = await clone()
  const before = await runGit(directory, 'ls-remote', 'origin', 'main')
  await commit(directory, {
    'clients/acme/v1/logos/a.svg': svg('mine'),
    'clients/acme/v1/logos/beside.svg': svg('beside'),
  })
  await whilePushing(directory, putting('acme/v1/logos/a.svg', 'theirs'))
  const { exitCode, errors } = await push(directory)

  expect(exitCode).not.toBe(0)
  expect(errors).toContain('git pull first, then push again')
  expect(errors).toContain('remote:   clients/acme/v1/logos/a.svg: it was changed here as well')
  expect(await delivered('acme/v1/logos/a.svg')).toBe('theirs')
  expect((await fetch(`${service.url}/acme/v1/logos/beside.svg`)).status).toBe(404)
  expect(await runGit(directory, 'ls-remote', 'origin', 'main')).not.toBe(before)
})

test('a push that is behind, one by force, and deletions are refused with what to do', async () => {
  const directory = await clone()
  await commit(directory, { 'clients/acme/v1/icons/behind.svg': svg('behind') })
  await worldOf(service).put('acme/v1/icons/ahead.svg', svg('ahead'))
  expect((await push(directory)).errors).toContain('fetch first')

  const forced = await push(directory, '--force')
  expect(forced.exitCode).not.toBe(0)
  expect(forced.errors).toContain('forced updates are not possible')
  expect((await push(directory, 'origin', ':main')).errors).toContain('[remote rejected] main')
  expect((await push(directory, 'origin', 'HEAD:other')).errors).toContain(
    'only refs/heads/main can be pushed to',
  )
  const unknown = await push(directory, '-o', 'ci.skip', '--force')
  expect(unknown.errors).toContain('there is no push option "ci.skip"')
  expect(await delivered('acme/v1/icons/ahead.svg')).toBe(svg('ahead'))
  expect((await fetch(`${service.url}/acme/v1/icons/behind.svg`)).status).toBe(404)
})

test('a merge with its sides swapped, as a pull makes it, keeps the line of what was published', async () => {
  const directory = await clone()
  await commit(directory, { 'clients/acme/v1/icons/side.svg': svg('side') })
  await worldOf(service).put('acme/v1/icons/line.svg', svg('line'))
  await runGit(directory, 'pull', '-q', '--no-rebase', '--no-edit')
  const { exitCode, errors } = await push(directory)

  expect(errors).toContain('it was merged with what is here')
  expect(exitCode).toBe(0)
  await runGit(directory, 'pull', '-q', '--ff-only')
  const line = await runGit(directory, 'log', '--first-parent', '--format=%s', '-3')
  expect(line).toContain('Put acme/v1/icons/line.svg')
  expect(await delivered('acme/v1/icons/side.svg')).toBe(svg('side'))
})

test('one path that no write could have made refuses all, and each is named', async () => {
  const directory = await clone()
  const tip = await runGit(directory, 'ls-remote', 'origin', 'main')
  const unfit: Record<string, string> = {
    'README.md': 'must name a file below <zone>/v1/',
    'clients/acme/other.txt': 'must name a file below <zone>/v1/',
    'clients/nobody/v1/a.txt': 'Zone "nobody" does not exist',
    'clients/acme/v1/icons/dot.': 'must not have segments that end in a dot or a space',
    'clients/acme/v1/line\nbreak.txt': 'its name is none that every system can hold',
    'clients/acme/v1/LOGOS/a.svg': 'it differs from "clients/acme/v1/logos" by letter case',
    'clients/acme/v1/.gitattributes': 'its line 1 sets other attributes than those of Git LFS',
    'clients/acme/v1/.gitmodules': 'must not have segments that begin with .git',
    'clients/acme/zone.json': 'the credential cannot change what zones are',
    'clients/acme/.sedge/assets/v1/logos/a.svg.json': 'it is no JSON',
    'clients/acme/.sedge/other.txt': "it is the service's own",
    _redirects: 'the credential cannot change rules',
  }
  await commit(
    directory,
    Object.fromEntries(Object.keys(unfit).map((path) => [path, '* text=auto'])),
  )
  await symlink('../logos/a.svg', join(directory, 'clients/acme/v1/icons/link.svg'))
  const large = new Uint8Array(26_214_401)
  await commit(directory, { 'clients/acme/v1/icons/large.bin': large })
  const other = (await runGit(directory, 'rev-parse', 'HEAD')).trim()
  const submodule = `160000,${other},clients/acme/v1/icons/module`
  await runGit(directory, 'update-index', '--add', '--cacheinfo', submodule)
  await runGit(directory, 'commit', '-q', '-m', 'A submodule')
  await runGit(directory, 'reset', '-q', '--hard')
  await commit(directory, { 'clients/acme/v1/icons/good.svg': svg('good') })
  const { exitCode, errors } = await push(directory)

  expect(exitCode).not.toBe(0)
  for (const [path, why] of Object.entries(unfit))
    expect(errors).toContain(`remote:   ${path.replace('\n', ' ')}: ${why}`)
  expect(errors).toContain('icons/link.svg: it is a symbolic link')
  expect(errors).toContain('icons/module: it is a submodule')
  expect(errors).toContain(
    'icons/large.bin: it has 26214401 bytes; over 26214400, git lfs has to keep it',
  )
  expect(await runGit(directory, 'ls-remote', 'origin', 'main')).toBe(tip)
  expect((await fetch(`${service.url}/acme/v1/icons/good.svg`)).status).toBe(404)
}, 30_000)

test('a token pushes what its scopes and zones are for', async () => {
  const narrowed = await createToken({ scopes: ['storage:read', 'storage:write'], zones: ['acme'] })
  const directory = await clone()
  await runGit(directory, 'remote', 'set-url', 'origin', urlWith(narrowed))
  await commit(directory, { 'clients/bolt/v1/icons/foreign.svg': svg('foreign') })
  const foreign = await push(directory)
  expect(foreign.errors).toContain('bolt/v1/icons/foreign.svg: the token is for other zones')

  // The bytes of another zone are here, but not among what was sent.
  await runGit(directory, 'reset', '-q', '--hard', 'HEAD^')
  const id = (await runGit(directory, 'rev-parse', 'HEAD:clients/bolt/v1/logos/b.svg')).trim()
  await runGit(
    directory,
    'update-index',
    '--add',
    '--cacheinfo',
    `100644,${id},clients/acme/v1/logos/stolen.svg`,
  )
  await runGit(directory, 'commit', '-q', '-m', 'Take')
  await runGit(directory, 'reset', '-q', '--hard')
  const [from = '', to = ''] = (await runGit(directory, 'rev-parse', 'HEAD^', 'HEAD')).split('\n')
  const listed = await runGit(
    directory,
    'rev-list',
    '--objects',
    '--no-object-names',
    to,
    `^${from}`,
  )
  const ids = listed
    .trim()
    .split('\n')
    .filter((each) => each !== id)
  const pack = await packOf(directory, ids)
  const headers = { Authorization: `Bearer ${narrowed}` }
  const stolen = await pushRaw({ url: service.url, from, to, pack, headers })
  expect(stolen).toContain('ng refs/heads/main paths that cannot be taken')

  await runGit(directory, 'reset', '-q', '--hard', 'HEAD^')
  await commit(directory, {
    'clients/acme/v1/icons/own.svg': svg('own'),
    'clients/acme/v1/icons/copied.svg': await delivered('acme/v1/logos/a.svg'),
  })
  expect(await push(directory)).toMatchObject({ exitCode: 0 })
  expect(await delivered('acme/v1/icons/own.svg')).toBe(svg('own'))
})

test('rules and settings of zones are pushed by who may change them', async () => {
  const ruling = await createToken({
    scopes: ['storage:read', 'storage:write', 'rules:write', 'zones:write'],
  })
  const directory = await clone()
  await runGit(directory, 'remote', 'set-url', 'origin', urlWith(ruling))
  await commit(directory, { _redirects: 'nonsense' })
  expect((await push(directory)).errors).toContain('_redirects: line 1 ')

  await runGit(directory, 'reset', '-q', '--hard', 'HEAD^')
  await commit(directory, {
    _redirects: '/acme/v1/old /acme/v1/logos/a.svg 301\n',
    'clients/bolt/zone.json': '{"suspended": true}',
  })
  expect(await push(directory)).toMatchObject({ exitCode: 0 })
  const redirected = await fetch(`${service.url}/acme/v1/old`, { redirect: 'manual' })
  expect(redirected.status).toBe(301)

  await commit(directory, { 'clients/bolt/v1/icons/late.svg': svg('late') })
  expect((await push(directory)).errors).toContain('Zone "bolt" is suspended')
  await runGit(directory, 'reset', '-q', '--hard', 'HEAD^')
  await commit(directory, { 'clients/bolt/zone.json': '{}' })
  await commit(directory, { 'clients/bolt/v1/icons/late.svg': svg('late') })
  expect(await push(directory)).toMatchObject({ exitCode: 0 })
  await runGit(directory, 'rm', '-rq', 'clients/bolt')
  await commit(directory, {})
  expect((await push(directory)).errors).toContain('clients/bolt: that would end the zone')
})

test('named transforms of all and of a zone are pushed by who may change rules', async () => {
  const file = 'clients/acme/.sedge/_transforms'
  const scopes = ['storage:read', 'storage:write']
  const pushed = async (token: string, files: Record<string, string>) => {
    const directory = await clone()
    await runGit(directory, 'remote', 'set-url', 'origin', urlWith(token))
    await commit(directory, files)
    return await push(directory)
  }
  const ruling = await createToken({ scopes: [...scopes, 'rules:write'], zones: ['acme'] })

  expect((await pushed(await createToken({ scopes }), { [file]: 'a w=1\n' })).errors).toContain(
    'the credential cannot change rules',
  )
  expect((await pushed(ruling, { [file]: 'ok w=1\nself t=self\n' })).errors).toContain(
    '_transforms: line 2 refers to itself',
  )
  expect((await pushed(ruling, { _transforms: 'a w=1\n' })).errors).toContain('for other zones')
  expect(
    (await pushed(ruling, { 'clients/acme/.sedge/_headers': '/v1/*\n  X-Sendfile: /x\n' })).errors,
  ).toContain('line 2 sets x-sendfile')
  expect(await pushed(ruling, { [file]: 'tiny w=16 h=16\n' })).toMatchObject({ exitCode: 0 })
  await worldOf(service).put(
    'acme/v1/logos/drawn.svg',
    '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><rect width="9" height="9"/></svg>',
  )
  const made = await fetch(`${service.url}/acme/v1/logos/drawn.svg/tiny.png`)
  expect([made.status, made.headers.get('content-type')]).toEqual([200, 'image/png'])
})

test('a preview is pushed to, and what is live stays as it is', async () => {
  const made = await fetch(`${service.url}/api/core/zones/acme/previews`, {
    method: 'POST',
    headers: account,
    body: JSON.stringify({ Name: 'pr-12' }),
  })
  expect(made.status).toBe(201)
  const directory = await clone()
  const tip = await runGit(directory, 'ls-remote', 'origin', 'main')
  await commit(directory, { 'clients/acme/v1/icons/shown.svg': svg('one') })
  const first = await push(directory, '-o', 'preview=pr-12')
  expect(first.errors).toContain(`1 file at ${service.url}/@~pr-12/acme/v1/`)
  expect(first.exitCode).toBe(0)
  expect(await delivered('@~pr-12/acme/v1/icons/shown.svg')).toBe(svg('one'))
  expect((await fetch(`${service.url}/acme/v1/icons/shown.svg`)).status).toBe(404)
  expect(await runGit(directory, 'ls-remote', 'origin', 'main')).toBe(tip)
  // Git is told where it has gone, so that it does not take the branch for moved.
  expect(await runGit(directory, 'rev-parse', 'origin/main')).toBe(tip.replace(/\t.*/u, ''))

  await commit(directory, { 'clients/acme/v1/icons/shown.svg': svg('two') })
  expect(await push(directory, '-o', 'preview=acme/pr-12')).toMatchObject({ exitCode: 0 })
  expect(await delivered('@~pr-12/acme/v1/icons/shown.svg')).toBe(svg('two'))

  await fetch(`${service.url}/api/storage/acme/v1/icons/shown.svg?preview=pr-12`, {
    method: 'PUT',
    headers: { AccessKey: testKeys.ACCESS_KEY },
    body: svg('theirs'),
  })
  await commit(directory, { 'clients/acme/v1/icons/shown.svg': svg('three') })
  const conflict = await push(directory, '-o', 'preview=pr-12')
  expect(conflict.errors).toContain('icons/shown.svg: it was changed here as well')
  const missing = await push(directory, '-o', 'preview=pr-13')
  expect(missing.errors).toContain('has no preview "pr-13"')
  expect((await push(directory, '-o', 'preview=a/b/c')).errors).toContain('a preview is named by')

  const zone = join(work, 'zone')
  await runGit(work, 'clone', '-q', urlWith(testKeys.ACCESS_KEY).replace(/\/$/u, '/acme.git'), zone)
  await commit(zone, { 'v1/icons/by-zone.svg': svg('zone') })
  expect(await push(zone, '-o', 'preview=pr-12')).toMatchObject({ exitCode: 0 })
  expect(await delivered('@~pr-12/acme/v1/icons/by-zone.svg')).toBe(svg('zone'))
  expect((await fetch(`${service.url}/acme/v1/icons/by-zone.svg`)).status).toBe(404)
})
