import { expect, test } from 'bun:test'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import {
  contractVariantLimits,
  variantSample,
  variantStoreContract,
} from '../../ports/media/variant-store.contract.ts'
import { type DiskVariantStore, openDiskVariantStore } from './disk-variant-store.ts'

const limits = contractVariantLimits
const now = () => 0

variantStoreContract('disk', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'sedge-variants-'))
  const store = await openDiskVariantStore({ directory, ...limits, now })
  const close = store[Symbol.asyncDispose].bind(store)
  return Object.assign(store, {
    async [Symbol.asyncDispose]() {
      await close()
      await rm(directory, { recursive: true })
    },
  })
})

async function setUp() {
  const directory = await mkdtemp(join(tmpdir(), 'sedge-variants-'))
  return {
    directory,
    open: (maxBytes: number = limits.maxBytes) =>
      openDiskVariantStore({ directory, maxBytes, maxPerSource: limits.maxPerSource, now }),
    files: async () =>
      (await readdir(directory, { recursive: true, withFileTypes: true })).filter((each) =>
        each.isFile(),
      ).length,
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true }),
  }
}

const filled = async (store: DiskVariantStore, count: number) => {
  for (let number = 0; number < count; number += 1)
    await store.put(variantSample(number, 1000, number))
}

test('what is kept is there after a restart', async () => {
  await using house = await setUp()
  await filled(await house.open(), 3)
  await using store = await house.open()

  expect(store.sizeBytes).toBe(3000)
  expect(await store.get(variantSample(1, 1).key)).toMatchObject({
    contentType: 'image/webp',
    notes: ['focus-face', 'too-large-for-avif'],
  })
})

test('a smaller limit after a restart is kept to', async () => {
  await using house = await setUp()
  await filled(await house.open(), 8)
  await using store = await house.open(2500)

  expect(store.sizeBytes).toBe(2000)
  await store[Symbol.asyncDispose]()
  expect(await house.files()).toBe(2)
})

test('bytes that are not what they were are never answered', async () => {
  await using house = await setUp()
  await using store = await house.open()
  await filled(store, 3)
  const keys = [0, 1, 2].map((number) => variantSample(number, 1).key)
  const paths = await Promise.all(keys.map((key) => store.path(key)))
  await Bun.write(paths[0] ?? '', new Uint8Array(1000))
  await Bun.write(paths[1] ?? '', new Uint8Array(10))
  await rm(paths[2] ?? '')
  // The second holds zeros of a power cut; the first is as long as it should be.
  await Bun.write(paths[0] ?? '', new Uint8Array(1000).fill(7))

  for (const key of keys) expect(await store.get(key)).toBeUndefined()
  expect(store.sizeBytes).toBe(0)
  await store[Symbol.asyncDispose]()
  expect(await house.files()).toBe(0)
})

test('no file is left of what was evicted, replaced or forgotten', async () => {
  await using house = await setUp()
  const store = await house.open()
  await filled(store, 30)
  await store.put({ ...variantSample(50, 500), key: variantSample(29, 1).key })
  await store.removeSource(variantSample(1, 1, 28).sourceSha256)
  await store[Symbol.asyncDispose]()

  expect((await house.files()) * 1000 - 500).toBe(store.sizeBytes)
})

test('files of others in the directory are left alone', async () => {
  await using house = await setUp()
  await Bun.write(join(house.directory, 'aa', 'README'), 'hello')
  await using store = await house.open(0)

  expect(store.sizeBytes).toBe(0)
  expect(await house.files()).toBe(1)
})

test('a file that was given out can still be opened when its variant has had to go', async () => {
  await using house = await setUp()
  await using store = await house.open(2000)
  await filled(store, 1)
  const { key } = variantSample(0, 1)
  const path = (await store.path(key)) ?? ''
  for (const number of [1, 2]) await store.put(variantSample(number, 1000, number))

  expect(await store.get(key)).toBeUndefined()
  expect((await Bun.file(path).bytes()).length).toBe(1000)
  expect(store.sizeBytes).toBe(2000)
})
