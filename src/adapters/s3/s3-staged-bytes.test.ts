import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { have, s3Server } from '../../../test/support/needs.ts'
import type { BlobServer } from '../../../test/support/s3-server.ts'
import { openBlobServer } from '../../../test/support/shared-servers.ts'
import { patternOf } from '../../ports/content/blob-store.contract.ts'
import { stagedBytesContract } from '../../ports/content/staged-bytes.contract.ts'
import { openS3BlobStore } from './s3-blob-store.ts'
import { openS3StagedBytes } from './s3-staged-bytes.ts'
import { chainOf, lengthOf, parseStagedKey, stagedKey } from './staged-objects.ts'

let server: BlobServer

async function open() {
  const directory = await mkdtemp(join(tmpdir(), 'sedge-s3-staged-'))
  const options = {
    location: (await server.createBucket()).location(),
    credentials: server.credentials,
    now: () => new Date(),
    random: Math.random,
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

  stagedBytesContract('s3', open)

  test('a body of many objects is acknowledged whole, and nothing of it stays on the disk', async () => {
    await using opened = await open()
    const all = patternOf(20_000_000)
    await opened.staged.append('a', { offset: 0, source: inChunks(all) })
    expect(await opened.leftovers()).toEqual([])
    await using incoming = await (await opened.reopen()).finish('a')

    expect(incoming?.sha256).toBe(new Bun.CryptoHasher('sha256').update(all).digest('hex'))
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
}

const at = (offset: number, turn: number, sizeBytes: number) => {
  const object = { key: stagedKey('a', offset, turn), sizeBytes, changedAt: new Date(0) }
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

async function* inChunks(bytes: Uint8Array) {
  for (let place = 0; place < bytes.length; place += 64_000)
    yield bytes.subarray(place, place + 64_000)
}
