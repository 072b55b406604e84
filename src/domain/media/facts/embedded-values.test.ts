import { expect, test } from 'bun:test'

import { MemoryBlobStore } from '../../../adapters/memory/content/memory-blob-store.ts'
import { MemoryEmbeddedMetadataStore } from '../../../adapters/memory/media/memory-embedded-metadata-store.ts'
import { type MemoryImage, MemoryRenderer } from '../../../adapters/memory/media/memory-renderer.ts'
import type { AssetMetadata } from '../../../ports/records/asset-metadata.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import { createCostModel } from '../render/costs/cost-model.ts'
import { createRenderQueue } from '../render/render-queue.ts'
import { createEmbeddedValues } from './embedded-values.ts'
import { headerSample } from '../../../ports/media/media-facts-store.contract.ts'

const header = { ...headerSample, width: 4, height: 4 }
const signal = new AbortController().signal
const first = { title: 'Harbour', sources: { title: 'iptc' } } as const
const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0])

async function setUp(image: Partial<MemoryImage>, metadata?: AssetMetadata) {
  const blobs = new MemoryBlobStore()
  const incoming = await blobs.receive(new Blob([png]).stream())
  await incoming.keep()
  const { sha256 } = incoming
  const asset: AssetRecord = {
    path: 'acme/v1/a.png',
    zone: 'acme',
    category: 'general',
    name: 'a.png',
    format: 'png',
    sizeBytes: png.length,
    sha256,
    contentType: 'image/png',
    createdAt: new Date(0),
    changedAt: new Date(0),
    commitId: 'c',
    ...(metadata && { metadata }),
  }
  const published = { asset, revisions: 0 }
  const renderer = new MemoryRenderer(new Map([['/it', { header, ...image }]]))
  const store = new MemoryEmbeddedMetadataStore()
  const values = createEmbeddedValues({
    store,
    blobs,
    queue: createRenderQueue({ renderer, costs: createCostModel(), now: () => 0 }),
    files: { path: async () => '/it' },
    publisher: {
      async revise(_path, revise) {
        const revised = revise(published.asset)
        if (revised === undefined) return
        published.asset = revised
        published.revisions += 1
      },
    },
  })
  return { published, renderer, store, values, sha256 }
}

test('what a file says is published below what persons say', async () => {
  const { published, values } = await setUp(
    { embedded: { ...first, licence: 'CC0', sources: { title: 'iptc', licence: 'xmp' } } },
    { title: 'Mine' },
  )
  expect(await values.isOverlooked(published.asset)).toBe(true)
  await values.look(published.asset, signal)

  expect(published.asset.metadata).toEqual({
    title: 'Mine',
    licence: 'CC0',
    sources: { licence: 'xmp' },
  })
  expect(await values.isOverlooked(published.asset)).toBe(false)
})

test('a file is read once, and published once', async () => {
  const { published, renderer, values } = await setUp({ embedded: first })
  for (let time = 0; time < 3; time += 1) await values.look(published.asset, signal)

  expect({ read: renderer.begun.length, revisions: published.revisions }).toEqual({
    read: 1,
    revisions: 1,
  })
})

test('what was lost from the catalogue is put back without reading the file again', async () => {
  const { published, renderer, values } = await setUp({ embedded: first })
  await values.look(published.asset, signal)
  const { metadata: _, ...bare } = published.asset
  published.asset = bare
  expect(await values.isOverlooked(published.asset)).toBe(true)
  await values.look(published.asset, signal)

  expect(published.asset.metadata?.title).toBe('Harbour')
  expect(renderer.begun).toHaveLength(1)
})

test('a damaged file says nothing, and is not read again', async () => {
  const { published, store, values, sha256 } = await setUp({ fault: 'damaged' })
  await values.look(published.asset, signal)

  expect(await store.find(sha256)).toEqual({ sources: {} })
  expect(await values.isOverlooked(published.asset)).toBe(false)
  expect(published.asset.metadata).toBeUndefined()
})

test('a file that was overwritten meanwhile keeps what was published of it', async () => {
  const { published, values } = await setUp({ embedded: first })
  const before = published.asset
  published.asset = { ...before, sha256: 'f'.repeat(64) }
  await values.look(before, signal)

  expect(published.asset.metadata).toBeUndefined()
})
