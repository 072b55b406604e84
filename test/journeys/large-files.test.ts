import { expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { git } from '../support/git-client.ts'
import { gitLfs, have } from '../support/needs.ts'
import { sedge } from '../support/sedge-command.ts'
import {
  access,
  account,
  startService,
  temporaryDirectory,
  testKeys,
} from '../support/service-process.ts'

/** So that what `PUT` takes is large already. */
const environment = { LFS_ABOVE_MB: '1' }
const large = (seed: string) => Buffer.alloc(1_200_000, seed)
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const film = 'acme/v1/titles/film one.mp4'
const pathOf = (url: string, path = film) => `${url}/api/storage/${encodeURI(path)}`

const blobFile = (dataDirectory: string, bytes: Uint8Array): string => {
  const hex = sha256(bytes)
  return join(dataDirectory, 'blobs', 'sha256', hex.slice(0, 2), hex.slice(2, 4), hex.slice(4))
}
const lfsFile = (dataDirectory: string, bytes: Uint8Array): string => {
  const hex = sha256(bytes)
  const place = [hex.slice(0, 2), hex.slice(2, 4), hex]
  return join(dataDirectory, 'repository.git', 'lfs', 'objects', ...place)
}

async function put(url: string, body: string | Buffer<ArrayBuffer>, path = film): Promise<void> {
  const response = await fetch(pathOf(url, path), { method: 'PUT', headers: access, body })
  expect(response.status).toBe(201)
}

async function sha256At(url: string, path = film): Promise<string | number> {
  const response = await fetch(pathOf(url, path), { headers: access })
  return response.ok ? sha256(new Uint8Array(await response.arrayBuffer())) : response.status
}

/** A data directory with a large file that has an earlier version, and a small one. */
async function storeFilms(dataDirectory: string): Promise<void> {
  await using service = await startService({ dataDirectory, environment })
  const body = '{"Name":"acme"}'
  await fetch(`${service.url}/api/core/zones`, { method: 'POST', headers: account, body })
  await put(service.url, large('a'))
  await put(service.url, large('b'))
  await put(service.url, 'small', 'acme/v1/titles/small.txt')
  expect(await service.stop()).toBe(0)
}

async function setUp() {
  const directory = await temporaryDirectory()
  const dataDirectory = join(directory.path, 'data')
  await storeFilms(dataDirectory)
  return {
    dataDirectory,
    path: directory.path,
    run: (...args: readonly string[]) => sedge(args, { ...environment, DATA_DIR: dataDirectory }),
    start: () => startService({ dataDirectory, environment }),
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  }
}

test('a large file is listed, read, delivered whole and in ranges, and its versions come back', async () => {
  await using house = await setUp()
  await using service = await house.start()
  const { url } = service
  const listed = await (
    await fetch(`${pathOf(url, 'acme/v1/titles')}/`, { headers: access })
  ).json()
  expect(listed.map(({ ObjectName }: { ObjectName: string }) => ObjectName)).toEqual([
    'film one.mp4',
    'small.txt',
  ])
  expect(await sha256At(url)).toBe(sha256(large('b')))
  const part = await fetch(`${url}/${encodeURI(film)}`, {
    headers: { Range: 'bytes=600000-600009' },
  })
  expect([part.status, part.headers.get('Content-Range'), await part.text()]).toEqual([
    206,
    'bytes 600000-600009/1200000',
    'bbbbbbbbbb',
  ])

  const asked = `${url}/api/assets/history?path=${encodeURIComponent(film)}`
  const history = await (await fetch(asked, { headers: access })).json()
  const versions: { Commit: string; Checksum: string | null }[] = history.Versions
  const first = versions.find(({ Checksum }) => Checksum?.toLowerCase() === sha256(large('a')))
  const restored = await fetch(`${url}/api/assets/restore`, {
    method: 'POST',
    headers: { ...access, 'Content-Type': 'application/json' },
    body: JSON.stringify({ path: film, commit: first?.Commit }),
  })
  expect(restored.status).toBeLessThan(300)
  expect(await sha256At(url)).toBe(sha256(large('a')))
}, 60_000)

test('the catalogue is made anew from the repository and the blobs alone, large files and all', async () => {
  await using house = await setUp()
  for (const name of ['sedge.db', 'sedge.db-wal', 'sedge.db-shm'])
    await rm(join(house.dataDirectory, name), { force: true })
  expect((await house.run('rebuild')).exitCode).toBe(0)
  const examined = await house.run('doctor')
  expect([examined.exitCode, examined.out]).toEqual([0, 'All is well.\n'])
  await using service = await house.start()

  expect(await sha256At(service.url)).toBe(sha256(large('b')))
}, 60_000)

test('the doctor says which large files are lost, takes nothing away, and puts back what a backup has', async () => {
  await using house = await setUp()
  const { dataDirectory } = house
  const [former, current] = [
    blobFile(dataDirectory, large('a')),
    blobFile(dataDirectory, large('b')),
  ]
  await rm(former)
  const damaged = large('b').fill('x', 7, 8)
  await Bun.write(current, damaged)
  const found = await house.run('doctor', '--repair')
  expect(found.exitCode).toBe(1)
  expect(found.out).toContain(`blob-lost: ${film}`)
  expect(found.out).toContain(`blob-lost: an earlier version (${sha256(large('a'))})`)
  expect(Buffer.compare(await Bun.file(current).bytes(), damaged)).toBe(0)

  for (const bytes of [large('a'), large('b')])
    await Bun.write(lfsFile(dataDirectory, bytes), bytes)
  const repaired = await house.run('doctor', '--repair')
  expect([repaired.exitCode, repaired.out]).toEqual([
    0,
    expect.stringContaining(`blob-damaged, put right: ${film}`),
  ])
  expect((await house.run('doctor')).exitCode).toBe(0)
}, 60_000)

test('a start after the blobs are gone serves what is left, and says 503 of what is lost', async () => {
  await using house = await setUp()
  const aside = join(house.path, 'aside')
  await rename(join(house.dataDirectory, 'blobs'), aside)
  {
    await using service = await house.start()
    expect(await sha256At(service.url)).toBe(503)
    const small = await fetch(pathOf(service.url, 'acme/v1/titles/small.txt'), { headers: access })
    expect([small.status, await small.text()]).toEqual([200, 'small'])
    expect(await service.stop()).toBe(0)
  }
  // A backup is put back beside what there is.
  const place = blobFile(house.dataDirectory, large('b'))
  await mkdir(dirname(place), { recursive: true })
  await Bun.write(place, large('b'))
  await using service = await house.start()
  expect(await sha256At(service.url)).toBe(sha256(large('b')))
}, 60_000)

test('a backup made with git and git-lfs is enough: its objects become blobs', async () => {
  await using house = await setUp()
  for (const bytes of [large('a'), large('b')])
    await Bun.write(lfsFile(house.dataDirectory, bytes), bytes)
  for (const name of ['sedge.db', 'sedge.db-wal', 'sedge.db-shm', 'blobs'])
    await rm(join(house.dataDirectory, name), { recursive: true, force: true })
  {
    await using service = await house.start()
    expect(await sha256At(service.url)).toBe(sha256(large('b')))
    expect(await service.stop()).toBe(0)
  }
  await rm(join(house.dataDirectory, 'repository.git', 'lfs'), { recursive: true })
  const examined = await house.run('doctor')
  expect([examined.exitCode, examined.out]).toEqual([0, 'All is well.\n'])
}, 60_000)

if (have('a backup by git and git-lfs', gitLfs))
  test('what git clones and git-lfs fetches while the service runs is all that a new one needs', async () => {
    await using house = await setUp()
    const restored = join(house.path, 'restored')
    const backup = join(restored, 'repository.git')
    await mkdir(restored)
    const run = async (...args: readonly string[]) => {
      const { exitCode, errors } = await git(house.path, args, { HOME: house.path })
      expect([exitCode, errors.includes('rror')]).toEqual([0, false])
    }
    {
      await using service = await house.start()
      const url = service.url.replace('://', `://x:${testKeys.ACCESS_KEY}@`)
      await run('clone', '-q', '--mirror', `${url}/git/`, backup)
      await run('-C', backup, 'lfs', 'fetch', '--all')
      expect(await service.stop()).toBe(0)
    }
    {
      await using service = await startService({ dataDirectory: restored, environment })
      expect(await sha256At(service.url)).toBe(sha256(large('b')))
      expect(await service.stop()).toBe(0)
    }
    const examined = await sedge(['doctor'], { ...environment, DATA_DIR: restored })
    expect([examined.exitCode, examined.out]).toEqual([0, 'All is well.\n'])
    expect(await Bun.file(blobFile(restored, large('a'))).exists()).toBe(true)
  }, 60_000)
