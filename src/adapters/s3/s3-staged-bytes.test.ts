import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { have, s3Server } from '../../../test/support/needs.ts'
import type { BlobServer } from '../../../test/support/s3-server.ts'
import { openBlobServer } from '../../../test/support/shared-servers.ts'
import { openTcpProxy } from '../../../test/support/tcp-proxy.ts'
import { patternOf } from '../../ports/content/blob-store.contract.ts'
import { stagedBytesContract } from '../../ports/content/staged-bytes.contract.ts'
import { StoreUnavailableError } from '../../ports/store-unavailable-error.ts'
import { IncomingBytes } from './incoming-bytes.ts'
import { openS3BlobStore } from './s3-blob-store.ts'
import { S3Client } from './s3-client.ts'
import { S3Objects } from './s3-objects.ts'
import { openS3StagedBytes } from './s3-staged-bytes.ts'
import { chainOf, lengthOf, parseStagedKey, partGroups, stagedKey } from './staged-objects.ts'

let server: BlobServer
const limitMs = 120_000
/** Of headers, and of one part that had to be sent again. */
const oneMoreBytes = 10_000_000

async function open(port?: number) {
  const directory = await mkdtemp(join(tmpdir(), 'sedge-s3-staged-'))
  const options = {
    location: (await server.createBucket()).location(port),
    credentials: server.credentials,
    now: () => new Date(),
    random: Math.random,
    // What a slow machine has to ask for again would be counted twice.
    limits: { attemptMs: limitMs, totalMs: limitMs },
  }
  const store = { ...options, directory: join(directory, 'blobs'), maxCopyBytes: 1e9 }
  const blobs = await openS3BlobStore(store)
  let node = 0
  /** A node that has nothing of what others have on their disks. */
  const reopen = () => {
    node += 1
    return openS3StagedBytes({ ...options, directory: join(directory, `${node}`), blobs })
  }
  return {
    objects: new S3Objects(new S3Client(options)),
    staged: await reopen(),
    blobs,
    reopen,
    leftovers: () => readdir(join(directory, '1', 'staging')),
    async [Symbol.asyncDispose]() {
      await blobs[Symbol.asyncDispose]()
      await rm(directory, { recursive: true })
    },
  }
}

if (have('staged bytes in S3', s3Server)) {
  beforeAll(async () => void (server = await openBlobServer()), 60_000)
  afterAll(async () => await server[Symbol.asyncDispose]())

  stagedBytesContract('s3', () => open())

  test('a body of many objects is acknowledged whole, and nothing of it stays on the disk', async () => {
    await using opened = await open()
    const all = patternOf(20_000_000)
    await opened.staged.append('a', { offset: 0, source: inChunks(all) })
    expect(await opened.leftovers()).toEqual([])
    await using incoming = await (await opened.reopen()).finish('a')

    expect(incoming?.sha256).toBe(hashOf(all))
  })

  test('what a former leader still writes does no harm to what the next one has acknowledged', async () => {
    await using opened = await open()
    const former = opened.staged
    await former.append('a', { offset: 0, source: inChunks(patternOf(100)) })
    const next = await opened.reopen()
    await next.append('a', { offset: 100, source: inChunks(patternOf(50)) })
    await former.append('a', { offset: 100, source: inChunks(patternOf(7)) })
    await former.append('a', { offset: 107, source: inChunks(patternOf(43)) })

    expect(await (await opened.reopen()).size('a')).toBe(150)
  })

  test(
    'a large one becomes a blob within the store: its bytes do not pass again',
    async () => {
      await using proxy = await openTcpProxy(server.port)
      await using opened = await open(proxy.port)
      const all = patternOf(26 * 2 ** 20 + 11)
      await opened.staged.append('a', { offset: 0, source: inChunks(all) })
      const before = proxy.passedBytes
      await using incoming = await opened.staged.finish('a')
      const blob = await incoming?.keep()

      expect(blob).toEqual({ sha256: hashOf(all), sizeBytes: all.length })
      expect(proxy.passedBytes - before).toBeLessThan(200_000)
      expect(await opened.blobs.isIntact(hashOf(all))).toBe(true)
      expect(await opened.staged.size('a')).toBe(0)
    },
    limitMs,
  )

  test(
    'of a large one that came in small pieces those alone pass again, also in another process',
    async () => {
      await using proxy = await openTcpProxy(server.port)
      await using opened = await open(proxy.port)
      const all = patternOf(26 * 2 ** 20)
      const lengths = [3_000_000, 3_000_000, 3_000_000]
      let [staged, offset] = [opened.staged, 0]
      for (const length of [...lengths, all.length]) {
        const source = inChunks(all.subarray(offset, offset + length))
        offset = await staged.append('a', { offset, source })
      }
      const before = proxy.passedBytes
      await using incoming = await staged.finish('a')
      await incoming?.keep()
      // Down and up: the small ones, and the next, without which the last of them would be no part.
      expect(proxy.passedBytes - before).toBeLessThan(2 * (9_000_000 + 8 * 2 ** 20) + oneMoreBytes)
      expect(await opened.blobs.isIntact(hashOf(all))).toBe(true)

      await staged.append('b', { offset: 0, source: inChunks(all) })
      staged = await opened.reopen()
      await using again = await staged.finish('b')
      expect(again?.sha256).toBe(hashOf(all))
      await again?.keep()
      expect(await opened.blobs.isIntact(hashOf(all))).toBe(true)
    },
    limitMs,
  )

  test(
    'parts that are joined are read once, to be hashed, and go up no more',
    async () => {
      await using proxy = await openTcpProxy(server.port)
      await using opened = await open(proxy.port)
      const all = patternOf(30 * 2 ** 20)
      const ids = ['a', 'b', 'c']
      for (const [index, id] of ids.entries()) {
        const source = inChunks(all.subarray(index * 10 * 2 ** 20, (index + 1) * 10 * 2 ** 20))
        await opened.staged.append(id, { offset: 0, source })
      }
      await using incoming = await opened.staged.join(ids)
      const before = proxy.passedBytes
      await incoming?.keep()

      // Down and up: the end of a part is too small for the store, and goes with the begin of the next.
      expect(proxy.passedBytes - before).toBeLessThan(2 * 2 * (10 * 2 ** 20) + oneMoreBytes)
      expect(await opened.blobs.isIntact(hashOf(all))).toBe(true)
      for (const id of ids) expect(await opened.staged.size(id)).toBe(10 * 2 ** 20)
    },
    limitMs,
  )

  test(
    'what has changed since it was hashed is not taken for what it was',
    async () => {
      await using opened = await open()
      const all = patternOf(26 * 2 ** 20)
      await opened.staged.append('a', { offset: 0, source: inChunks(all) })
      await using incoming = await opened.staged.finish('a')
      const changed = new IncomingBytes(tmpdir())
      await changed.append(new Uint8Array(8 * 2 ** 20))
      await changed.end()
      await opened.objects.put(stagedKey('a', 8 * 2 ** 20, 1), changed)
      await changed.discard()

      const failed = incoming?.keep().catch((error: unknown) => error)
      expect(await failed).toBeInstanceOf(StoreUnavailableError)
      expect(await opened.blobs.stat(hashOf(all))).toBeUndefined()
      await using again = await (await opened.reopen()).finish('a')
      expect(again?.sha256).toBe(hashOf(new Uint8Array(all).fill(0, 8 * 2 ** 20, 16 * 2 ** 20)))
    },
    limitMs,
  )
}

const at = (offset: number, turn: number, sizeBytes: number) => {
  const object = { key: stagedKey('a', offset, turn), sizeBytes, etag: undefined }
  return parseStagedKey(object) ?? []
}

test('objects count up to the first gap, and the latest turn of each place', () => {
  const lengthWith = (...objects: ReturnType<typeof at>[]) => lengthOf(chainOf(objects.flat()))

  expect(lengthWith()).toBe(0)
  expect(lengthWith(at(5, 1, 5))).toBe(0)
  expect(lengthWith(at(0, 1, 5), at(5, 1, 5), at(11, 1, 5))).toBe(10)
  expect(lengthWith(at(0, 1, 5), at(0, 2, 3), at(5, 1, 5))).toBe(3)
  expect(lengthWith(at(0, 2, 5), at(5, 1, 5))).toBe(5)
  expect(lengthWith(at(0, 1, 5), at(5, 1, 9), at(5, 2, 1), at(6, 2, 1))).toBe(7)
})

test('parts are objects, but for those that are too small for parts', () => {
  const mib = 2 ** 20
  const sizes = [8, 8, 1, 2, 3, 8, 4, 8, 1]
  let offset = 0
  const chain = sizes.flatMap((size) => {
    offset += size * mib
    return at(offset - size * mib, 1, size * mib)
  })
  const groups = partGroups(chain).map((group) => group.map(({ sizeBytes }) => sizeBytes / mib))
  expect(groups).toEqual([[8], [8], [1, 2, 3], [8], [4, 8], [1]])
})

const hashOf = (bytes: Uint8Array) => new Bun.CryptoHasher('sha256').update(bytes).digest('hex')

async function* inChunks(bytes: Uint8Array) {
  for (let place = 0; place < bytes.length; place += 64_000)
    yield bytes.subarray(place, place + 64_000)
}
