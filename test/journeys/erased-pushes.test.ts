import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import { Glob } from 'bun'
import sharp from 'sharp'

import { git, runGit } from '../support/git-client.ts'
import { type LocalService, openLocalService } from '../support/local-service.ts'
import { access, account, temporaryDirectory, testKeys } from '../support/service-process.ts'
import { until } from '../support/until.ts'
import { worldOf } from '../support/world.ts'

const undo = new AsyncDisposableStack()
let service: LocalService
let work: string
let data: string
let count = 0

beforeAll(async () => {
  data = join(undo.use(await temporaryDirectory()).path, 'data')
  work = undo.use(await temporaryDirectory()).path
  service = undo.use(await openLocalService({ dataDirectory: data }))
  await worldOf(service).zone('acme')
  await worldOf(service).put('acme/v1/data/kept.txt', 'kept')
})

afterAll(() => undo.disposeAsync())

const core = (path: string, body?: unknown) =>
  fetch(`${service.url}/api/core/${path}`, {
    headers: account,
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  })

/** Resolves once every place is through. */
async function erase(Path: string): Promise<void> {
  const begun = await core('erasures', { Path, Reason: 'The law says so', Confirm: Path })
  expect(begun.status).toBe(202)
  const { Id } = (await begun.json()) as { readonly Id: string }
  await until(async () => {
    const found = (await (await core(`erasures/${Id}`)).json()) as { readonly State: string }
    return found.State === 'done'
  }, 'it is not erased')
}

async function clone(repository: string): Promise<string> {
  count += 1
  const directory = join(work, `clone-${count}`)
  const url = service.url.replace('://', `://x:${testKeys.ACCESS_KEY}@`)
  await runGit(work, 'clone', '-q', `${url}/git/${repository}`, directory)
  return directory
}

async function commit(directory: string, path: string, text: string): Promise<void> {
  await mkdir(join(directory, path, '..'), { recursive: true })
  await Bun.write(join(directory, path), text)
  await runGit(directory, 'add', '-A')
  await runGit(directory, 'commit', '-q', '-m', 'Change')
}

const statusOf = async (path: string) => (await fetch(`${service.url}/${path}`)).status

test('erased bytes are pushed back to nothing: main, a zone, or a preview', async () => {
  const secret = 'the words that must go'
  await worldOf(service).put('acme/v1/data/secret.txt', secret)
  await erase('acme/v1/data/secret.txt')
  expect((await core('zones/acme/previews', { Name: 'pushed' })).status).toBe(201)

  for (const [repository, root] of [
    ['', 'clients/acme/'],
    ['acme.git', ''],
  ] as const)
    for (const options of [[], ['-o', 'preview=acme/pushed']]) {
      const directory = await clone(repository)
      await commit(directory, `${root}v1/data/beside.txt`, `${repository} ${options.join(' ')}`)
      await commit(directory, `${root}v1/data/again.txt`, secret)
      // What is taken away again would still be in the history.
      await runGit(directory, 'rm', '-q', `${root}v1/data/again.txt`)
      await runGit(directory, 'commit', '-q', '-m', 'Take it away')
      const { exitCode, errors } = await git(directory, ['push', ...options, 'origin', 'HEAD:main'])
      expect({ repository, options, exitCode }).toEqual({ repository, options, exitCode: 1 })
      expect(errors).toContain('erased for good')
      expect(await statusOf('acme/v1/data/beside.txt')).toBe(404)
      expect(await statusOf('@~pushed/acme/v1/data/beside.txt')).toBe(404)
    }
})

test('the text in the place of erased bytes is no file either', async () => {
  await worldOf(service).put('acme/v1/data/gone.txt', 'what is gone')
  await erase('acme/v1/data/gone.txt')
  const directory = await clone('acme.git')
  const [id = ''] = (
    await runGit(directory, 'log', '--format=%H', '--diff-filter=A', '--', 'v1/data/gone.txt')
  ).split('\n')
  const text = await runGit(directory, 'show', `${id}:v1/data/gone.txt`)
  expect(text).toContain('was erased for good')
  await commit(directory, 'v1/data/text.txt', text)
  const { exitCode, errors } = await git(directory, ['push', 'origin', 'HEAD:main'])
  expect(exitCode).toBe(1)
  expect(errors).toContain('was erased for good')
  expect(service.lines.filter((line) => line.includes('"level":"error"'))).toEqual([])
})

test('a preview that has erased bytes shows them no more, and is promoted without them', async () => {
  const secret = 'what nobody may see in a preview'
  const path = 'acme/v1/data/shown.txt'
  const put = (name: string, body: string) =>
    fetch(`${service.url}/api/storage/${name}`, {
      method: 'PUT',
      headers: { ...access, 'Sedge-Preview': 'held' },
      body,
    })
  expect((await core('zones/acme/previews', { Name: 'held' })).status).toBe(201)
  expect((await put(path, secret)).status).toBe(201)
  expect((await put('acme/v1/data/fine.txt', 'fine')).status).toBe(201)
  await worldOf(service).put('acme/v1/data/copy.txt', secret)
  expect(await statusOf(`@~held/${path}`)).toBe(200)

  await erase('acme/v1/data/copy.txt')

  expect(await statusOf(`@~held/${path}`)).toBe(451)
  expect(await statusOf('@~held/acme/v1/data/fine.txt')).toBe(200)
  expect((await put(path, secret)).status).toBe(451)
  const refused = await core('zones/acme/previews/held/promote', {})
  expect(refused.status).toBe(451)
  expect(await statusOf('acme/v1/data/fine.txt')).toBe(404)
  const taken = await fetch(`${service.url}/api/storage/${path}`, {
    method: 'DELETE',
    headers: { ...access, 'Sedge-Preview': 'held' },
  })
  expect(taken.status).toBe(200)
  expect((await core('zones/acme/previews/held/promote', {})).status).toBe(200)
  expect(await statusOf('acme/v1/data/fine.txt')).toBe(200)
  expect(await statusOf(path)).not.toBe(200)
  const directory = await clone('')
  expect(await runGit(directory, 'log', '-p', '--all')).not.toContain(secret)
  expect(await runGit(directory, 'fsck', '--strict')).toBe('')
})

test('images that had an erased one laid over them leave the disk, and are made no more', async () => {
  const plain = async (background: string, side: number) =>
    new Uint8Array(
      await sharp({ create: { width: side, height: side, channels: 3, background } })
        .png()
        .toBuffer(),
    )
  await worldOf(service).put('acme/v1/images/base.png', await plain('white', 90))
  await worldOf(service).put('acme/v1/images/mark.png', await plain('red', 30))
  await worldOf(service).put('acme/v1/images/other.png', await plain('blue', 30))
  const urlWith = (name: string) =>
    `api/transform?url=/acme/v1/images/base.png&format=png&overlay=${encodeURIComponent(`/acme/v1/images/${name}@southeast,20`)}`
  const kept = async (bytes: Uint8Array) => {
    const digest = new Bun.CryptoHasher('sha256').update(bytes).digest('hex').slice(0, 32)
    return await Array.fromAsync(new Glob(`**/*.${digest}.*`).scan(join(data, 'cache', 'variants')))
  }
  const [marked, others] = [
    await (await fetch(`${service.url}/${urlWith('mark.png')}`)).bytes(),
    await (await fetch(`${service.url}/${urlWith('other.png')}`)).bytes(),
  ]
  await until(async () => (await kept(marked)).length === 1 && (await kept(others)).length === 1)

  await erase('acme/v1/images/mark.png')

  expect([404, 451]).toContain(await statusOf(urlWith('mark.png')))
  expect(await kept(marked)).toEqual([])
  expect(await statusOf(urlWith('other.png'))).toBe(200)
  expect(await kept(others)).toHaveLength(1)
})
