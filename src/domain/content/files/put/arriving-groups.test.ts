import { expect, test } from 'bun:test'

import { parseAssetPath } from '../../asset-path.ts'
import { type ArrivingFile, arrivingGroups } from './arriving-groups.ts'

interface Kept {
  readonly sizeBytes?: number
  readonly isSmall?: boolean
}

/** Files that are counted as they are taken, and are of any size without having a byte. */
function setUp({ sizeBytes = 1, isSmall = true }: Kept = {}) {
  const counts = { taken: 0, underWay: 0, mostUnderWay: 0 }
  async function* files(): AsyncGenerator<ArrivingFile> {
    for (;;) {
      counts.taken += 1
      const path = parseAssetPath(`acme/v1/n/${counts.taken}.txt`)
      yield { path, source: isSmall ? new Uint8Array(1) : new Blob(['x']).stream() }
    }
  }
  const groups = arrivingGroups(files(), {
    requireOpen() {},
    async receive() {
      counts.underWay += 1
      counts.mostUnderWay = Math.max(counts.mostUnderWay, counts.underWay)
      await Bun.sleep(0)
      counts.underWay -= 1
      return { sha256: 'a'.repeat(64), sizeBytes }
    },
  })
  const next = async () => (await groups.next()).value ?? []
  return { counts, next }
}

test('a group has 5,000 files at most, and no more are taken than begin the next one', async () => {
  const { counts, next } = setUp()
  expect(await next()).toHaveLength(5_000)
  expect(counts.taken).toBe(5_001)
})

test('a group has 16 MiB and what was on its way with them at most', async () => {
  const { next } = setUp({ sizeBytes: 2 ** 20, isSmall: false })
  for (let count = 0; count < 3; count += 1) expect(await next()).toHaveLength(16)
  const small = setUp({ sizeBytes: 2 ** 18 })
  const { length } = await small.next()
  expect(length).toBeGreaterThanOrEqual(64)
  expect(length).toBeLessThanOrEqual(64 + 16)
})

test('small files are kept several at a time, streams one by one', async () => {
  const small = setUp()
  await small.next()
  expect(small.counts.mostUnderWay).toBeGreaterThan(1)
  expect(small.counts.mostUnderWay).toBeLessThanOrEqual(16)
  const streams = setUp({ sizeBytes: 2 ** 20, isSmall: false })
  await streams.next()
  expect(streams.counts.mostUnderWay).toBe(1)
})

test('what keeps any file from being kept ends it all', async () => {
  async function* files(): AsyncGenerator<ArrivingFile> {
    for (let place = 0; place < 40; place += 1)
      yield { path: parseAssetPath(`acme/v1/n/${place}.txt`), source: new Uint8Array(1) }
  }
  const groups = arrivingGroups(files(), {
    requireOpen() {},
    receive: () => Promise.reject(new Error('the disk is full')),
  })
  expect(String(await groups.next().catch((error: unknown) => error))).toContain('disk is full')
})
