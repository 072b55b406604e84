import { expect, test } from 'bun:test'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { until } from '../../../test/support/until.ts'
import { type DiskBlobCache, openDiskBlobCache } from './disk-blob-cache.ts'
import { StoreUnavailableError } from '../../ports/store-unavailable-error.ts'

const encoder = new TextEncoder()
const hashOf = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest('hex')
const pathOf = (directory: string, text: string) =>
  join(directory, hashOf(text).slice(0, 2), hashOf(text))

async function setUp(texts: readonly string[]) {
  const directory = await mkdtemp(join(tmpdir(), 'sedge-cache-'))
  const asked: string[] = []
  const there = new Map(texts.map((text) => [hashOf(text), text]))
  const open = (maxBytes = 1_000): Promise<DiskBlobCache> =>
    openDiskBlobCache({
      directory,
      maxBytes,
      now: () => 0,
      fetchSlice: () => Promise.reject(new Error('nothing is large here')),
      async fetchBlob(sha256) {
        asked.push(sha256)
        const text = there.get(sha256)
        return text === undefined
          ? undefined
          : { kind: 'whole', body: new Blob([encoder.encode(text)]).stream() }
      },
    })
  return {
    directory,
    asked,
    there,
    open,
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  }
}

test('bytes are fetched once for all who ask, and then are here', async () => {
  await using world = await setUp(['hello'])
  await using cache = await world.open()
  const sha256 = hashOf('hello')
  const all = await Promise.all([cache.read(sha256), cache.open(sha256), cache.stat(sha256)])

  expect(all[0]).toEqual(encoder.encode('hello'))
  expect(await all[1]?.text()).toBe('hello')
  expect(all[2]).toEqual({ sha256, sizeBytes: 5 })
  expect(await (await cache.open(sha256, { start: 1, end: 3 }))?.text()).toBe('el')
  expect(world.asked).toEqual([sha256])
})

test('what is not there, and what is no SHA-256, is not there', async () => {
  await using world = await setUp([])
  await using cache = await world.open()

  expect(await cache.read(hashOf('none'))).toBeUndefined()
  expect(await cache.open('../../etc/passwd')).toBeUndefined()
  expect(world.asked).toEqual([hashOf('none')])
})

test('bytes that do not hash to their name are never answered, and are fetched anew', async () => {
  await using world = await setUp([])
  await using cache = await world.open()
  const sha256 = hashOf('right')
  world.there.set(sha256, 'wrong')

  expect(cache.read(sha256)).rejects.toThrow(StoreUnavailableError)
  await cache.read(sha256).catch(() => undefined)
  expect(cache.sizeBytes).toBe(0)
  world.there.set(sha256, 'right')
  expect(await cache.read(sha256)).toEqual(encoder.encode('right'))
})

test('what an earlier process left is used after it was checked, and fetched anew where it is spoilt', async () => {
  await using world = await setUp(['good', 'spoilt'])
  {
    await using first = await world.open()
    for (const text of ['good', 'spoilt']) await first.read(hashOf(text))
  }
  await writeFile(pathOf(world.directory, 'spoilt'), 'SPOILT')
  world.asked.length = 0
  await using second = await world.open()

  expect(second.sizeBytes).toBe(10)
  expect(await second.read(hashOf('good'))).toEqual(encoder.encode('good'))
  expect(await second.read(hashOf('spoilt'))).toEqual(encoder.encode('spoilt'))
  expect(world.asked).toEqual([hashOf('spoilt')])
})

test('what was asked for longest ago goes, and may be taken back while its file is there', async () => {
  const texts = ['1111', '2222', '3333']
  await using world = await setUp(texts)
  await using cache = await world.open(8)
  const [one = '', two = '', three = ''] = texts.map(hashOf)
  await cache.read(one)
  const opened = await cache.open(two)
  await cache.read(one)
  await cache.read(three)

  expect(cache.sizeBytes).toBe(8)
  // Somebody may still be sending it.
  expect(await opened?.text()).toBe('2222')
  expect(cache.touch(two)).toBe(true)
  expect(cache.sizeBytes).toBe(8)
  expect(await cache.read(two)).toEqual(encoder.encode('2222'))
  expect(world.asked).toEqual([one, two, three])
})

test('a file that somebody removed is fetched again', async () => {
  await using world = await setUp(['gone'])
  await using cache = await world.open()
  const sha256 = hashOf('gone')
  await cache.read(sha256)
  await rm(pathOf(world.directory, 'gone'))

  expect(await cache.read(sha256)).toEqual(encoder.encode('gone'))
})

test('a file has exactly the bytes, and one that is damaged is fetched anew', async () => {
  await using world = await setUp(['hello'])
  await using cache = await world.open()
  const sha256 = hashOf('hello')
  const path = (await cache.path(sha256)) ?? ''
  expect(await Bun.file(path).text()).toBe('hello')
  expect(await cache.dropDamagedCopy(sha256)).toBe(false)
  await writeFile(path, 'jello')

  expect(await cache.dropDamagedCopy(sha256)).toBe(true)
  expect(await Bun.file((await cache.path(sha256)) ?? '').text()).toBe('hello')
  expect(world.asked).toEqual([sha256, sha256])
  expect(await cache.path(hashOf('none'))).toBeUndefined()
})

test('of a large blob only what is read is fetched, and nothing has to be here for it to be known', async () => {
  await using world = await setUp([])
  const sha256 = 'ab'.repeat(32)
  const sizeBytes = 3 * 2 ** 20
  const asked: string[] = []
  let isAway = false
  const reach = (what: string) => {
    asked.push(what)
    if (isAway) throw new Error('the origin is away')
  }
  const open = () =>
    openDiskBlobCache({
      directory: world.directory,
      maxBytes: 1e9,
      now: () => 0,
      async fetchBlob() {
        reach('size')
        return { kind: 'large', sizeBytes }
      },
      async fetchSlice(_file, { start, end }) {
        const place = Math.floor(start / 2 ** 20)
        reach(`${end - start === 2 ** 20 ? 'slice' : 'piece'} ${place}`)
        return new Uint8Array(end - start).fill(place + 1)
      },
    })
  {
    await using cache = await open()
    expect(cache.touch(sha256)).toBe(false)
    const [one, two] = await Promise.all([cache.open(sha256), cache.stat(sha256)])
    expect([one?.size, two]).toEqual([sizeBytes, { sha256, sizeBytes }])
    expect(asked).toEqual(['size'])
    expect(cache.touch(sha256)).toBe(true)
    expect(await cache.path(sha256)).toBeUndefined()
    const middle = await cache.open(sha256, { start: 2 ** 21 - 1, end: 2 ** 21 + 1 })
    expect(await middle?.bytes()).toEqual(new Uint8Array([2, 3]))
    // Nobody waits for the rest of the first one, which comes nevertheless.
    const kept = new Bun.Glob('ab/*')
    await until(async () => (await Array.fromAsync(kept.scan(world.directory))).length === 2)
    expect(asked.toSorted()).toEqual(['piece 1', 'size', 'slice 1', 'slice 2'])
  }
  isAway = true
  await using later = await open()
  const there = await later.open(sha256)
  expect(await there?.slice(2 ** 20, 2 ** 20 + 2).bytes()).toEqual(new Uint8Array([2, 2]))
  expect(there?.slice(0, 1).bytes()).rejects.toThrow(StoreUnavailableError)
})
