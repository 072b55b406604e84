import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'

import { type LocalService, openLocalService } from '../support/local-service.ts'
import {
  type TemporaryDirectory,
  temporaryDirectory,
  testKeys,
} from '../support/service-process.ts'
import { runSedge } from '../support/terminal.ts'
import { worldOf } from '../support/world.ts'

let directory: TemporaryDirectory
let service: LocalService

beforeAll(async () => {
  directory = await temporaryDirectory()
  service = await openLocalService({
    dataDirectory: join(directory.path, 'data'),
    environment: { SEARCH_BY_NAME_ONLY: 'true' },
  })
})

afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await directory[Symbol.asyncDispose]()
})

const sedge = (...words: readonly string[]) =>
  runSedge(words, {
    environment: { ...testKeys, SEDGE_URL: service.url, XDG_CONFIG_HOME: directory.path },
  })

/** As {@link sedge}, and it has to succeed. */
async function done(...words: readonly string[]): Promise<string> {
  const { out, error, exitCode } = await sedge(...words)
  expect({ words, error, exitCode }).toEqual({ words, error: '', exitCode: 0 })
  return out
}

/** A zone that has these files, whose text is their name. */
async function zoneWith(...names: readonly string[]): Promise<string> {
  const zone = `zone-${crypto.randomUUID().slice(0, 8)}`
  await worldOf(service).zone(zone)
  for (const name of names) await worldOf(service).put(`${zone}/v1/${name}`, name)
  return zone
}

async function filesIn(zone: string): Promise<readonly string[]> {
  const files: { path: string }[] = JSON.parse(await done('ls', '-r', zone, '--json'))
  return files.map(({ path }) => path.slice(`${zone}/v1/`.length))
}

const redirectOf = async (path: string) =>
  (await fetch(`${service.url}/${path}`, { redirect: 'manual' })).headers.get('location')

test('a file is copied, renamed, and put into a directory under its own name', async () => {
  const zone = await zoneWith('titles/one.txt')
  const one = `${zone}/v1/titles/one.txt`

  expect(await done('cp', one, `${zone}/v1/titles/two.txt`)).toBe(
    `1 file copied to ${zone}/v1/titles/two.txt\n`,
  )
  expect(await done('mv', `/clients/${one}`, `${zone}/v1/drafts/`)).toBe(
    `1 file moved to ${zone}/v1/drafts/one.txt\n`,
  )
  expect(await filesIn(zone)).toEqual(['drafts/one.txt', 'titles/two.txt'])
  expect(await done('get', `${zone}/v1/titles/two.txt`, '-')).toBe('titles/one.txt')
})

test('a directory takes the name, or goes into another, and leads there from its former URLs', async () => {
  const zone = await zoneWith('drafts/a.txt', 'drafts/deep/b.txt')
  const drafts = `${zone}/v1/drafts`

  expect(await done('mv', `${drafts}/`, `${zone}/v1/final/`, '--redirect')).toBe(
    `2 files moved to ${zone}/v1/final\n`,
  )
  expect(await redirectOf(`${drafts}/deep/b.txt`)).toBe(`/${zone}/v1/final/deep/b.txt`)
  await done('cp', `${zone}/v1/final`, `${zone}/v1/titles/`)
  expect(await filesIn(zone)).toEqual([
    'final/a.txt',
    'final/deep/b.txt',
    'titles/final/a.txt',
    'titles/final/deep/b.txt',
  ])
})

test('several paths go into a directory of another zone in one commit, or none does', async () => {
  const [from, to] = [await zoneWith('a.txt', 'b.txt', 'more/c.txt'), await zoneWith('in/b.txt')]
  const sources = ['a.txt', 'b.txt', 'more/'].map((name) => `${from}/v1/${name}`)

  const taken = await sedge('mv', ...sources, `${to}/v1/in/`)
  expect(taken).toMatchObject({ exitCode: 1, out: '' })
  expect(taken.error).toContain(`${to}/v1/in/b.txt`)
  expect(await filesIn(to)).toEqual(['in/b.txt'])

  const answer = JSON.parse(await done('mv', ...sources, `${to}/v1/in/`, '--overwrite', '--json'))
  expect(answer).toMatchObject({ Action: 'move', Results: [{}, {}, { Files: 1 }] })
  expect(await filesIn(to)).toEqual(['in/a.txt', 'in/b.txt', 'in/more/c.txt'])
  expect(await filesIn(from)).toEqual([])
  expect(await done('get', `${to}/v1/in/b.txt`, '-')).toBe('b.txt')
})

test('what is there stays without --overwrite, and what somebody else changed with --if-match', async () => {
  const zone = await zoneWith('a.txt', 'b.txt')
  const [a = '', b = ''] = ['a', 'b'].map((name) => `${zone}/v1/${name}.txt`)

  const taken = await sedge('cp', a, b)
  expect(taken).toMatchObject({ exitCode: 1, out: '' })
  expect(taken.error).toContain('is stored already')
  expect(await done('cp', a, b, '--overwrite', '--dry-run')).toBe(
    `1 file would be copied to ${b}\n`,
  )
  expect(await done('get', b, '-')).toBe('b.txt')
  expect(await sedge('mv', a, b, '--overwrite', '--if-match', '"other"')).toMatchObject({
    exitCode: 1,
    error: expect.stringContaining('412'),
  })
  expect(JSON.parse(await done('mv', a, b, '--overwrite', '--json'))).toMatchObject({
    From: `clients/${a}`,
    To: `clients/${b}`,
    Files: 1,
    DryRun: false,
  })
  expect(await done('get', b, '-')).toBe('a.txt')
})

test('what is not there or not permitted ends with the code that says so', async () => {
  const zone = await zoneWith('a.txt')
  const { token } = await worldOf(service).client.createToken({
    body: { name: 'reader', scopes: ['storage:read'], expiresInDays: 1 },
  })
  const asReader = await runSedge(['mv', `${zone}/v1/a.txt`, `${zone}/v1/b.txt`], {
    environment: { SEDGE_TOKEN: token, SEDGE_URL: service.url, XDG_CONFIG_HOME: directory.path },
  })

  expect(asReader.exitCode).toBe(3)
  expect((await sedge('cp', `${zone}/v1/none.txt`, `${zone}/v1/b.txt`)).exitCode).toBe(4)
  expect((await sedge('trash', 'restore', `${zone}/v1/none.txt`)).exitCode).toBe(4)
  expect((await sedge('trash', '--zone', 'nobody')).exitCode).toBe(4)
  expect(await filesIn(zone)).toEqual(['a.txt'])
})

test('what was deleted is in the trash, and comes back from it with what was known of it', async () => {
  const zone = await zoneWith('a.txt', 'b/c.txt', 'b/d.txt')
  const [a, b] = [`${zone}/v1/a.txt`, `${zone}/v1/b/`]
  await done('describe', a, '--title', 'First')
  expect(await done('trash', 'list', '--zone', zone)).toBe(
    'Nothing was deleted in the last 30 days\n',
  )
  await done('rm', a)
  await done('rm', '-r', b, '--yes')

  const listed = await done('trash', '--zone', zone)
  expect(listed).toMatch(/^PATH +SIZE {2}TYPE +DELETED +BY$/mu)
  expect(listed).toMatch(
    new RegExp(`^${a} +5 B {2}text/plain.* \\d{4}-\\d\\d-\\d\\d \\d\\d:`, 'mu'),
  )
  expect(JSON.parse(await done('trash', '--zone', zone, '--json'))).toHaveLength(3)
  expect(await done('trash', 'restore', a, b, '--dry-run')).toContain('3 files would be brought')
  expect(await filesIn(zone)).toEqual([])

  expect(await done('trash', 'restore', b)).toBe(`${b}c.txt\n${b}d.txt\n2 files brought back\n`)
  expect(JSON.parse(await done('trash', 'restore', a, '--json'))).toMatchObject({
    Paths: [`clients/${a}`],
  })
  expect(await done('describe', a)).toContain('First')
  expect(await filesIn(zone)).toEqual(['a.txt', 'b/c.txt', 'b/d.txt'])
  expect(JSON.parse(await done('trash', '--zone', zone, '--json'))).toEqual([])
})

test('many files are deleted in one commit, without those that cannot be', async () => {
  const zone = await zoneWith('a.txt', 'b/c.txt', 'b/d.txt')
  const path = (name: string) => `${zone}/v1/${name}`

  const named = ['a.txt', 'none.txt', 'b/c.txt', 'b/c.txt'].map(path)
  const { out, error, exitCode } = await sedge('rm', ...named, 'nobody/v1/a.txt')
  expect({ out, exitCode }).toEqual({ out: '2 deleted\n', exitCode: 1 })
  expect(error).toContain(`${zone}/v1/none.txt: No file`)
  expect(error).toContain('nobody/v1/a.txt: ')
  expect(await filesIn(zone)).toEqual(['b/d.txt'])
  const { Data } = await worldOf(service).client.listDeletedAssets({ zone })
  expect(new Set(Data.map(({ Commit }) => Commit)).size).toBe(1)
  expect((await sedge('rm', path('none.txt'), path('none.txt'))).exitCode).toBe(4)
})

for (const [words, hint] of [
  [['cp', 'a/v1/a.txt'], 'where they go'],
  [['mv', 'a/v1/a.txt', 'a/v1/b.txt', 'a/v1/c'], 'Several paths need a directory: a/v1/c/'],
  [['mv', 'a/v1/a', 'a/v1/b', 'a/v1/c/', '--if-match', '"x"'], 'one path'],
  [['cp', './a.txt', 'a/v1/'], '. or ..'],
  [['cp', 'a/v1/a.txt', 'a/v1/b.txt', '--redirect'], '--redirect'],
  [['mv', 'a/v1/a.txt', 'a/v1/b.txt', '--overwirte'], 'Did you mean --overwrite?'],
  [['trash', 'restore'], 'Name what to bring back'],
  [['trash', 'empty'], 'list or restore'],
  [['trash', 'list', 'a'], 'What is "a"?'],
  [['trash', '--dry-run'], '--dry-run is for restore'],
  [['trash', 'restore', 'a/v1/a.txt', '--zone', 'a'], '--zone is for list'],
] as const)
  test(`wrong use is answered with what would be right: ${words.join(' ')}`, async () => {
    const { exitCode, error, out } = await sedge(...words)

    expect({ exitCode, out }).toEqual({ exitCode: 2, out: '' })
    expect(error).toContain(hint)
  })
