import { expect, test } from 'bun:test'

import { MemoryBlobStore } from '../../../adapters/memory/content/memory-blob-store.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import { createPublishedBytes } from './published-bytes.ts'

const text = (bytes: Uint8Array | undefined) => bytes && new TextDecoder().decode(bytes)
const bytesOf = (word: string) => new TextEncoder().encode(word)

interface Options {
  /** `null`: the repository names the bytes and does not hold them. */
  readonly inRepository?: string | null
  readonly isPublished?: boolean
}

/** A repository with one asset, `word`, and a blob store that may have lost it. */
async function setUp({ inRepository = 'word', isPublished = true }: Options = {}) {
  const blobs = new MemoryBlobStore()
  await using incoming = await blobs.receive(bytesOf('word'))
  const { sha256, sizeBytes } = await incoming.keep()
  const asset = { path: 'acme/v1/logos/a.svg', zone: 'acme', sha256, sizeBytes } as AssetRecord
  const said: string[] = []
  let isIntact = true
  let copyIsDamaged = false
  let reads = 0
  let at = 0
  const bytes = createPublishedBytes({
    blobs: {
      open: (...asked) => blobs.open(...asked),
      read: (...asked) => blobs.read(...asked),
      path: async (name) => ((await blobs.stat(name)) ? `/${name}` : undefined),
      dropDamagedCopy: async () => copyIsDamaged,
      receive: (...asked) => blobs.receive(...asked),
      async remove(...asked) {
        isIntact = true
        return await blobs.remove(...asked)
      },
      isIntact: async (name) => isIntact && (await blobs.isIntact(name)),
    },
    tree: {
      async find(path) {
        if (path !== 'clients/acme/v1/logos/a.svg') return undefined
        const ref = async () => ({ sha256, sizeBytes })
        const original = async () => {
          reads += 1
          return inRepository === null ? undefined : bytesOf(inRepository)
        }
        return { kind: 'file', contentId: '1', blob: ref, keep: ref, original }
      },
    },
    assetWith: (name) => (isPublished && name === sha256 ? asset : undefined),
    log: { error: (message) => said.push(message) },
    now: () => at,
  })
  return {
    blobs,
    bytes,
    sha256,
    said,
    reads: () => reads,
    damage: () => {
      isIntact = false
    },
    damageCopy: () => {
      copyIsDamaged = true
    },
    wait: (ms: number) => {
      at += ms
    },
  }
}

test('what is there is read, and nothing is said', async () => {
  const { bytes, sha256, said } = await setUp()

  expect(text(await bytes.read(sha256))).toBe('word')
  expect(await (await bytes.open(sha256, { start: 1, end: 3 }))?.text()).toBe('or')
  expect(said).toEqual([])
})

test('a lost blob is put back from the repository, once for all who ask, and the log says so', async () => {
  const { blobs, bytes, sha256, said, reads } = await setUp()
  await blobs.remove(sha256)
  const [read, opened] = await Promise.all([bytes.read(sha256), bytes.open(sha256)])

  expect([text(read), await opened?.text()]).toEqual(['word', 'word'])
  expect(reads()).toBe(1)
  expect(said).toEqual(['a blob was missing and is put back from the repository'])
})

test('what the repository has not got either is missing, and not looked for again for a moment', async () => {
  const { blobs, bytes, sha256, said, reads, wait } = await setUp({ inRepository: 'other' })
  await blobs.remove(sha256)
  expect(await bytes.read(sha256)).toBeUndefined()
  expect(await bytes.open(sha256)).toBeUndefined()
  expect([reads(), said.length]).toEqual([1, 1])

  wait(10_001)
  expect(await bytes.read(sha256)).toBeUndefined()
  expect(reads()).toBe(2)
})

test('what is not published is missing without a word', async () => {
  const { blobs, bytes, sha256, said } = await setUp({ isPublished: false })
  await blobs.remove(sha256)

  expect(await bytes.read(sha256)).toBeUndefined()
  expect(said).toEqual([])
})

test('a blob with other bytes than its name says is replaced; one that is whole is left', async () => {
  const { bytes, sha256, said, damage, wait } = await setUp()
  expect(await bytes.mend(sha256)).toBe(false)
  wait(10_001)
  damage()

  expect(await bytes.mend(sha256)).toBe(true)
  expect(text(await bytes.read(sha256))).toBe('word')
  expect(said).toEqual(['a blob was damaged and is put back from the repository'])
})

test('what is damaged stays where nobody else has the bytes: it is all there is', async () => {
  const { bytes, blobs, sha256, said, damage } = await setUp({ inRepository: null })
  damage()

  expect(await bytes.mend(sha256)).toBe(false)
  expect(await blobs.stat(sha256)).toBeDefined()
  expect(said).toEqual(['a blob is damaged and cannot be put back'])
})

test('a file is put back like bytes, and one that nobody has is none', async () => {
  const { blobs, bytes, sha256, said } = await setUp()
  expect(await bytes.path(sha256)).toBe(`/${sha256}`)
  await blobs.remove(sha256)

  expect(await bytes.path(sha256)).toBe(`/${sha256}`)
  expect(said).toEqual(['a blob was missing and is put back from the repository'])
  expect(await bytes.path('0'.repeat(64))).toBeUndefined()
})

test('where only the copy of this machine is damaged nothing is asked of the repository', async () => {
  const { bytes, sha256, said, damageCopy, reads } = await setUp()
  damageCopy()

  expect(await bytes.mend(sha256)).toBe(true)
  expect({ said, reads: reads() }).toEqual({ said: [], reads: 0 })
})
