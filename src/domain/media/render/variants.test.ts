import { expect, test } from 'bun:test'

import { MemoryRenderer } from '../../../adapters/memory/media/memory-renderer.ts'
import { MemoryVariantStore } from '../../../adapters/memory/media/memory-variant-store.ts'
import { createCostModel } from './costs/cost-model.ts'
import { createRenderQueue } from './render-queue.ts'
import { createVariants } from './variants.ts'

const [photo, mark] = ['1', '2'].map((digit) => digit.repeat(64)) as [string, string]

function setUp() {
  const renderer = new MemoryRenderer(new Map(), { slots: 1 })
  const now = () => 0
  const queue = createRenderQueue({ renderer, costs: createCostModel(), now })
  const store = new MemoryVariantStore({ maxBytes: 1e6, maxPerSource: 100 })
  const erased = new Set<string>()
  const variants = createVariants({
    store,
    queue,
    quota: { admit: () => {}, take: async () => ({ refund: async () => {} }) },
    isErased: (sha256) => erased.has(sha256),
    log: { warn: () => {} },
    now,
    memoryBytes: 1e6,
  })
  const variant = {
    key: 'a'.repeat(64),
    sourceSha256: photo,
    overlaySha256s: [mark],
    contentType: 'image/png',
    bytes: new Uint8Array(10),
    digest: 'd'.repeat(32),
    notes: [],
  }
  return { store, erased, variants, variant }
}

test('of what is made of erased images nothing is kept', async () => {
  for (const source of [photo, mark]) {
    const { store, erased, variants, variant } = setUp()
    erased.add(source)
    await variants.replace(variant)
    expect(await store.get(variant.key)).toBeUndefined()
    expect(variants.peek(variant.key)).toBeUndefined()
  }
})

test('what is erased while it is written goes again', async () => {
  const { store, erased, variants, variant } = setUp()
  const put = store.put.bind(store)
  store.put = async (each) => {
    await put(each)
    erased.add(mark)
  }
  await variants.replace(variant)
  expect(await store.get(variant.key)).toBeUndefined()
  expect(variants.peek(variant.key)).toBeUndefined()
})

test('what leaves memory comes back from the store', async () => {
  const { store, variants, variant } = setUp()
  await variants.replace(variant)
  expect(variants.peek(variant.key)).toBeDefined()
  variants.clearMemory()
  expect(variants.peek(variant.key)).toBeUndefined()
  expect(await store.get(variant.key)).toBeDefined()
})
