import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { git as anyGit, packetLine } from '../support/git-client.ts'
import { type LocalService, openLocalService } from '../support/local-service.ts'
import { gitLfs, have } from '../support/needs.ts'
import { account, temporaryDirectory, testKeys } from '../support/service-process.ts'
import { worldOf } from '../support/world.ts'

const undo = new AsyncDisposableStack()
let service: LocalService
let data: string
let work: string
/** Reads and writes the files of acme, and of no other zone. */
let token: string

const secret = 'what bolt alone may read, and nobody else at all'

beforeAll(async () => {
  data = join(undo.use(await temporaryDirectory()).path, 'data')
  work = undo.use(await temporaryDirectory()).path
  const environment = { LFS_ABOVE_MB: '1' }
  service = undo.use(await openLocalService({ dataDirectory: data, environment }))
  const world = worldOf(service)
  for (const zone of ['acme', 'bolt']) await world.zone(zone)
  await world.put('acme/v1/data/a.txt', 'first')
  await world.put('bolt/v1/data/secret.txt', secret)
  token = await createToken({ scopes: ['storage:read', 'storage:write'], zones: ['acme'] })
})

afterAll(() => undo.disposeAsync())

async function createToken(request: object): Promise<string> {
  const response = await fetch(`${service.url}/api/tokens`, {
    method: 'POST',
    headers: account,
    body: JSON.stringify({ name: 'push', expiresInDays: 2, ...request }),
  })
  return ((await response.json()) as { token: string }).token
}

const git = (directory: string, ...args: readonly string[]) =>
  anyGit(directory, args, { HOME: work })

async function runGit(directory: string, ...args: readonly string[]): Promise<string> {
  const { exitCode, output, errors } = await git(directory, ...args)
  if (exitCode !== 0) throw new Error(`git ${args.join(' ')}: ${errors}`)
  return output.trim()
}

const urlOf = (zone = 'acme', credential = token): string =>
  `${service.url.replace('://', `://x:${credential}@`)}/git/${zone}.git`

async function clone(name: string): Promise<string> {
  await runGit(work, 'clone', '-q', urlOf(), name)
  return join(work, name)
}

async function commit(directory: string, path: string, content: string) {
  await Bun.write(join(directory, path), content)
  await runGit(directory, 'add', path)
  await runGit(directory, 'commit', '-q', '-m', `Edit ${path}`)
  return await runGit(directory, 'rev-parse', 'HEAD')
}

const whole = (...args: readonly string[]) => runGit(join(data, 'repository.git'), ...args)

const served = async (path: string): Promise<string> => {
  const response = await fetch(`${service.url}/acme/v1/${path}`)
  return response.ok ? await response.text() : String(response.status)
}

/** What somebody else clones is what the clone has, commit for commit. */
async function expectEqual(directory: string, name: string): Promise<void> {
  const other = await clone(name)
  expect(await runGit(other, 'rev-parse', 'HEAD')).toBe(
    await runGit(directory, 'rev-parse', 'HEAD'),
  )
  expect(await runGit(other, 'fsck', '--strict')).toBe('')
}

test('what is pushed to a zone is published, and is in its repository under the ids it came with', async () => {
  const mine = await clone('mine')
  await commit(mine, 'v1/data/b.txt', 'pushed')
  await commit(mine, 'v1/data/a.txt', 'second')
  await runGit(mine, 'commit', '-q', '--amend', '-m', 'Correct a\n\nAt length.')
  const tip = await runGit(mine, 'rev-parse', 'HEAD')
  const { exitCode, errors } = await git(mine, 'push', '-q', 'origin', 'main')
  expect({ exitCode, errors }).toMatchObject({ exitCode: 0 })
  expect(errors).toContain('remote: published')
  expect(errors).toContain('/acme/v1/')
  expect(errors).not.toContain('merged')
  expect([await served('data/a.txt'), await served('data/b.txt')]).toEqual(['second', 'pushed'])
  await expectEqual(mine, 'mine-again')

  expect(await whole('log', '-1', '--format=%an %s', 'main')).toBe('Ada Correct a')
  expect(await whole('rev-parse', 'main^2')).toBe(tip)
  expect(await whole('diff', '--name-only', 'main^1', 'main')).toBe(
    'clients/acme/v1/data/a.txt\nclients/acme/v1/data/b.txt',
  )
  expect(await whole('fsck', '--strict', '--no-dangling')).toBe('')
})

test('pushes follow one another from one clone, with writes of others between', async () => {
  const mine = await clone('following')
  for (let round = 0; round < 3; round += 1) {
    await commit(mine, `v1/data/round.txt`, `round ${round}`)
    await runGit(mine, 'push', '-q', 'origin', 'main')
    await worldOf(service).put(`bolt/v1/data/other.txt`, `round ${round}`)
  }
  await expectEqual(mine, 'following-again')
  await worldOf(service).put('acme/v1/data/put.txt', 'put')
  await runGit(mine, 'pull', '-q', '--ff-only')
  await commit(mine, 'v1/data/put.txt', 'edited')
  await runGit(mine, 'push', '-q', 'origin', 'main')
  expect(await served('data/put.txt')).toBe('edited')
  await expectEqual(mine, 'followed')
})

test('a push that is sent again is there already', async () => {
  const mine = await clone('again')
  const former = await runGit(mine, 'rev-parse', 'HEAD')
  await commit(mine, 'v1/data/again.txt', 'again')
  await runGit(mine, 'push', '-q', 'origin', 'main')
  const newest = await whole('rev-parse', 'main')
  const next = await runGit(mine, 'rev-parse', 'HEAD')
  const send = async (id: string) => {
    const pack = Buffer.concat([Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1')])
    const body = Buffer.concat([
      Buffer.from(`${packetLine(`${former} ${id} refs/heads/main\0report-status`)}0000`),
      pack,
      new Bun.CryptoHasher('sha1').update(pack).digest(),
    ])
    const response = await fetch(`${service.url}/git/acme.git/git-receive-pack`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/x-git-receive-pack-request',
      },
      body,
    })
    return await response.text()
  }
  expect(await send(next)).toContain('ok refs/heads/main')
  // What is in the whole repository alone is not there.
  expect(await send(newest)).toContain('ng refs/heads/main')
  expect(await whole('rev-parse', 'main')).toBe(newest)
})

test('commits that change nothing, and merges, stay too', async () => {
  const mine = await clone('empty')
  await runGit(mine, 'commit', '-q', '--allow-empty', '-m', 'Nothing')
  await runGit(mine, 'push', '-q', 'origin', 'main')
  await expectEqual(mine, 'empty-again')

  await runGit(mine, 'checkout', '-q', '-b', 'side')
  await commit(mine, 'v1/data/side.txt', 'side')
  await runGit(mine, 'checkout', '-q', 'main')
  await commit(mine, 'v1/data/main.txt', 'main')
  await runGit(mine, 'merge', '-q', '--no-ff', '-m', 'Merge side', 'side')
  await runGit(mine, 'push', '-q', 'origin', 'main')
  expect([await served('data/side.txt'), await served('data/main.txt')]).toEqual(['side', 'main'])
  await expectEqual(mine, 'merged-again')
})

test('made anew from the whole repository alone, it has the same ids', async () => {
  const before = await runGit(work, 'ls-remote', urlOf(), 'refs/heads/main')
  await rm(join(data, 'zone-repositories'), { recursive: true })
  expect(await runGit(work, 'ls-remote', urlOf(), 'refs/heads/main')).toBe(before)
  const backup = join(work, 'backup')
  await mkdir(backup)
  await runGit(
    work,
    'clone',
    '-q',
    '--mirror',
    join(data, 'repository.git'),
    join(backup, 'repository.git'),
  )
  await using restored = await openLocalService({ dataDirectory: backup })
  const url = `${restored.url.replace('://', `://x:${testKeys.ACCESS_KEY}@`)}/git/acme.git`
  expect(await runGit(work, 'ls-remote', url, 'refs/heads/main')).toBe(before)
})

test('who is behind, or would rewrite history, is told what to do, and nothing happens', async () => {
  const behind = await clone('behind')
  await commit(behind, 'v1/data/behind.txt', 'behind')
  await worldOf(service).put('acme/v1/data/ahead.txt', 'ahead')
  expect((await git(behind, 'push', 'origin', 'main')).errors).toContain('fetch first')
  const forced = await git(behind, 'push', '--force', 'origin', 'main')
  expect(forced.exitCode).not.toBe(0)
  expect(forced.errors).toContain('forced updates are not possible')
  expect(await served('data/behind.txt')).toBe('404')
  await runGit(behind, 'pull', '-q', '--no-rebase', '--no-edit')
  await runGit(behind, 'push', '-q', 'origin', 'main')
  expect(await served('data/behind.txt')).toBe('behind')
  expect((await git(behind, 'push', 'origin', ':main')).exitCode).not.toBe(0)
  expect((await git(behind, 'push', 'origin', 'main:other')).errors).toContain('refs/heads/main')
})

test('what a write could not do a push does not, and says why by the paths of the clone', async () => {
  const mine = await clone('refused')
  const cases: readonly (readonly [string, string])[] = [
    ['README', 'outside'],
    [`v1/data/${'é'.normalize('NFD')}.txt`, 'another spelling of the same'],
    ['zone.json', '{"suspended": true}'],
    ['.sedge/own.json', '{}'],
  ]
  for (const [path, content] of cases) {
    await commit(mine, path, content)
    const { exitCode, errors } = await git(mine, 'push', 'origin', 'main')
    expect({ path, exitCode: exitCode !== 0 }).toEqual({ path, exitCode: true })
    expect(errors).toContain(`remote:   ${path}: `)
    await runGit(mine, 'reset', '-q', '--hard', 'origin/main')
  }
  const reading = await createToken({ scopes: ['storage:read'], zones: ['acme'] })
  const other = await createToken({ scopes: ['storage:write'], zones: ['bolt'] })
  await commit(mine, 'v1/data/c.txt', 'c')
  expect((await git(mine, 'push', urlOf('acme', reading), 'main')).errors).toContain('403')
  expect((await git(mine, 'push', urlOf('acme', other), 'main')).errors).toContain('not found')
  expect(await served('data/c.txt')).toBe('404')
})

test('large files are pushed to a zone, and are in its repository as they came', async () => {
  if (!have('large files pushed to a zone', gitLfs)) return
  await runGit(work, 'lfs', 'install', '--skip-repo')
  const mine = await clone('large')
  const film = new Uint8Array(1.5 * 2 ** 20).map((_, place) => (place * 11) % 251)
  await runGit(mine, 'lfs', 'track', '--filename', 'v1/films/film.bin')
  await mkdir(join(mine, 'v1/films'), { recursive: true })
  await Bun.write(join(mine, 'v1/films/film.bin'), film)
  await runGit(mine, 'add', '.')
  await runGit(mine, 'commit', '-q', '-m', 'Add a film')
  await runGit(mine, 'push', '-q', 'origin', 'main')
  const response = await fetch(`${service.url}/acme/v1/films/film.bin`)
  expect(await response.bytes()).toEqual(film)
  const other = await clone('large-again')
  expect(await Bun.file(join(other, 'v1/films/film.bin')).bytes()).toEqual(film)
}, 30_000)

test('pushes that race each other and writes lose nothing, and leave one history', async () => {
  const clones = await Promise.all(['race-0', 'race-1', 'race-2'].map(clone))
  const pushed = await Promise.all(
    clones.map(async (directory, place) => {
      await commit(directory, `v1/data/race-${place}.txt`, String(place))
      await worldOf(service).put(`bolt/v1/data/race-${place}.txt`, 'bolt')
      for (let attempt = 0; attempt < 10; attempt += 1) {
        if ((await git(directory, 'push', '-q', 'origin', 'main')).exitCode === 0) return true
        await runGit(directory, 'pull', '-q', '--no-rebase', '--no-edit')
      }
      return false
    }),
  )
  expect(pushed).toEqual([true, true, true])
  for (const place of [0, 1, 2]) expect(await served(`data/race-${place}.txt`)).toBe(String(place))
  const last = await clone('raced')
  expect(await runGit(last, 'ls-files', 'v1/data')).toContain('v1/data/race-2.txt')
  expect(await runGit(last, 'fsck', '--strict')).toBe('')
  expect(await whole('fsck', '--strict', '--no-dangling')).toBe('')
}, 60_000)
