import { expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { patternOf } from '../../ports/content/blob-store.contract.ts'
import { DiskBlobStore, openDiskBlobStore } from './disk-blob-store.ts'
import { nodeFileSystem } from './file-system.ts'
import { listBlobs } from './list-blobs.ts'

const at = new Date('2026-01-01T00:00:00Z')

async function setUp(heldBytes?: number) {
  const directory = await mkdtemp(join(tmpdir(), 'sedge-held-'))
  let isFull = false
  let writeCount = 0
  const files = {
    ...nodeFileSystem,
    sync: {
      ...nodeFileSystem.sync,
      write: (...given: Parameters<typeof nodeFileSystem.sync.write>) => {
        writeCount += 1
        if (isFull) throw Object.assign(new Error('full'), { code: 'ENOSPC', syscall: 'write' })
        return nodeFileSystem.sync.write(...given)
      },
    },
  }
  const options = heldBytes === undefined ? {} : { heldBytes }
  const store = await openDiskBlobStore({ directory, files, now: () => at, ...options })
  return {
    store,
    directory,
    writeCount: () => writeCount,
    fill: (full: boolean) => {
      isFull = full
    },
    keep: async (sizeBytes: number) => {
      await using incoming = await store.receive(patternOf(sizeBytes))
      return await incoming.keepLazily()
    },
    files: async () => (await Array.fromAsync(listBlobs(directory))).map(({ sha256 }) => sha256),
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]()
      await rm(directory, { recursive: true })
    },
  }
}

test('small bytes kept lazily are found, and no file is made of them before the checkpoint', async () => {
  await using house = await setUp()
  const { sha256 } = await house.keep(1_000)

  expect(await house.files()).toEqual([])
  expect(await house.store.stat(sha256)).toEqual({ sha256, sizeBytes: 1_000 })
  expect(await house.store.read(sha256)).toEqual(patternOf(1_000))
  expect(await (await house.store.open(sha256, { start: 10, end: 20 }))?.bytes()).toEqual(
    patternOf(20).slice(10),
  )
  expect(await house.store.isIntact(sha256)).toBe(true)

  await house.store.checkpoint('mark')
  expect(await Array.fromAsync(listBlobs(house.directory))).toEqual([
    { sha256, sizeBytes: 1_000, keptAt: at },
  ])
})

test('what a reader does with bytes that are held changes nothing', async () => {
  await using house = await setUp()
  const { sha256 } = await house.keep(100)
  ;(await house.store.read(sha256))?.fill(0)

  expect(await house.store.isIntact(sha256)).toBe(true)
})

test('small bytes and large ones that are kept lazily wait for a checkpoint', async () => {
  await using house = await setUp()
  for (const sizeBytes of [100, 100_000]) {
    await house.keep(sizeBytes)
    expect(house.store.awaitsCheckpoint()).toBe(true)
    await house.store.checkpoint('mark')
    expect(house.store.awaitsCheckpoint()).toBe(false)
  }
})

for (const way of ['path', 'flush', 'list', 'keep', 'dispose'] as const)
  test(`bytes that are held become a file where one is needed: ${way}`, async () => {
    await using house = await setUp()
    const { sha256 } = await house.keep(100)
    const { store } = house
    await using again = await store.receive(patternOf(100))
    const ways = {
      path: async () => await store.path(sha256),
      flush: async () => await store.flush(sha256),
      list: async () => await Array.fromAsync(store.list()),
      keep: async () => await again.keep(),
      dispose: async () => await store[Symbol.asyncDispose](),
    }
    await ways[way]()

    await using beside = new DiskBlobStore({ directory: house.directory })
    expect(await beside.isIntact(sha256)).toBe(true)
  })

test('where there is no room for more, or others read the directory, bytes are files at once', async () => {
  await using house = await setUp(2_000)
  const held = await house.keep(1_000)
  const filed = await house.keep(1_001)
  expect(await house.files()).toEqual([filed.sha256])
  expect(await house.store.isIntact(held.sha256)).toBe(true)
  await house.store.checkpoint('mark')
  const next = await house.keep(1_002)
  expect(await house.files()).not.toContain(next.sha256)

  await using shared = await setUp(0)
  const { sha256 } = await shared.keep(0)
  expect(await shared.files()).toEqual([sha256])
})

test('a checkpoint on a full disk says so; the bytes stay readable, and become files once there is room', async () => {
  await using house = await setUp()
  const { sha256 } = await house.keep(100)
  house.fill(true)
  expect(await house.store.checkpoint('mark').catch((error: unknown) => error)).toMatchObject({
    name: 'StoreUnavailableError',
    final: false,
  })
  expect(await house.store.lastCheckpoint()).toBeUndefined()
  expect(await house.store.isIntact(sha256)).toBe(true)

  house.fill(false)
  await house.store.checkpoint('mark')
  expect(await house.files()).toEqual([sha256])
})

test('equal bytes that have a file already are not written again, and their time is renewed', async () => {
  await using house = await setUp()
  await house.keep(100)
  await house.store.checkpoint('first')
  await house.keep(100)
  await house.keep(100)
  await house.store.checkpoint('second')

  expect(house.writeCount()).toBe(1)
})

test('bytes that are held are removed, but not where they were kept since', async () => {
  await using house = await setUp()
  const { sha256 } = await house.keep(100)
  expect(await house.store.remove(sha256, at)).toBe(false)
  expect(await house.store.remove(sha256, new Date(at.getTime() + 1))).toBe(true)
  await house.store.checkpoint('mark')

  expect(await house.store.stat(sha256)).toBeUndefined()
  expect(await house.files()).toEqual([])
})
