import { expect, test } from 'bun:test'

import { MemoryBlobStore } from '../../adapters/memory/content/memory-blob-store.ts'
import type { Variant, VariantStore } from '../../ports/media/variant-store.ts'
import { createCodings } from './codings.ts'

const text = 'all work and no play makes jack a dull boy\n'.repeat(100)
const maxBytes = 1024 * 1024

async function keep(blobs: MemoryBlobStore, content: string | Uint8Array) {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  await using incoming = await blobs.receive(bytes)
  return await incoming.keep()
}

test('text gets all three codings, smallest first', async () => {
  const blobs = new MemoryBlobStore()
  const set = await createCodings({ blobs, maxBytes }).make(await keep(blobs, text))

  expect(set?.map(({ coding }) => coding).toSorted()).toEqual(['br', 'gzip', 'zstd'])
  const sizes = set?.map(({ sizeBytes }) => sizeBytes) ?? []
  expect(sizes).toEqual(sizes.toSorted((a, b) => a - b))
})

test('what coding does not make at least five per cent smaller is sent as it is', async () => {
  const blobs = new MemoryBlobStore()
  const noise = crypto.getRandomValues(new Uint8Array(5000))
  expect(await createCodings({ blobs, maxBytes }).make(await keep(blobs, noise))).toEqual([])
  expect(await createCodings({ blobs, maxBytes }).make(await keep(blobs, 'tiny'))).toEqual([])
})

test('asking at the same time makes them once, and afterwards they are there', async () => {
  const blobs = new MemoryBlobStore()
  let reads = 0
  const read = (sha256: string) => {
    reads += 1
    return blobs.read(sha256)
  }
  const codings = createCodings({ blobs: { read }, maxBytes })
  const source = await keep(blobs, text)
  expect(codings.find(source.sha256)).toBeUndefined()
  const [a, b] = await Promise.all([codings.make(source), codings.make(source)])

  expect(a).toBe(b)
  expect(codings.find(source.sha256)).toBe(a)
  expect(reads).toBe(1)
})

test('no more wait than may, and what is too large is not coded at all', async () => {
  const blobs = new MemoryBlobStore()
  const codings = createCodings({ blobs, maxBytes })
  const first = codings.make(await keep(blobs, text))
  expect(await codings.make(await keep(blobs, `${text}2`), 1)).toBeUndefined()
  expect(await codings.make({ sha256: 'f'.repeat(64), sizeBytes: 2 ** 30 })).toBeUndefined()
  expect(await first).toBeDefined()
  expect(codings.waiting).toBe(0)
})

test('bytes that are gone make nothing, and the next ones are made all the same', async () => {
  const blobs = new MemoryBlobStore()
  const codings = createCodings({ blobs, maxBytes })
  const gone = codings.make({ sha256: 'f'.repeat(64), sizeBytes: 1000 })
  const there = codings.make(await keep(blobs, text))

  expect(await gone).toBeUndefined()
  expect((await there)?.length).toBe(3)
})

test('a store that keeps variants spares a new process the work', async () => {
  const blobs = new MemoryBlobStore()
  const kept = new Map<string, Variant>()
  const variants: VariantStore = {
    get: async (key) => kept.get(key),
    put: async (variant) => void kept.set(variant.key, variant),
    path: async () => undefined,
    sources: () => [],
    removeSource: async () => {},
    sizeBytes: 0,
    [Symbol.asyncDispose]: async () => {},
  }
  const source = await keep(blobs, text)
  const made = await createCodings({ blobs, variants, maxBytes }).make(source)
  const neverRead = { read: () => Promise.reject(new Error('was read again')) }
  const found = await createCodings({ blobs: neverRead, variants, maxBytes }).make(source)

  expect(kept.size).toBe(3)
  expect(found?.map(({ digest }) => digest)).toEqual(made?.map(({ digest }) => digest))
})
