import { expect, test } from 'bun:test'

import { MemoryMediaFactsStore } from '../../../adapters/memory/media/memory-media-facts-store.ts'
import { type MemoryImage, MemoryRenderer } from '../../../adapters/memory/media/memory-renderer.ts'
import { MemoryTextReader } from '../../../adapters/memory/media/memory-text-reader.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import { createCostModel } from '../render/costs/cost-model.ts'
import { createImageTexts } from './image-texts.ts'
import { createRenderQueue } from '../render/render-queue.ts'
import { headerSample } from '../../../ports/media/media-facts-store.contract.ts'

const headerOf = (format: 'svg' | 'png') => ({
  ...headerSample,
  format,
  width: 4,
  height: 4,
  hasAlpha: true,
})

function assetAt(path: string): AssetRecord {
  const [zone = '', , category = '', name = ''] = path.split('/')
  return {
    path,
    zone,
    category,
    name,
    format: name.slice(name.indexOf('.') + 1),
    sizeBytes: 1,
    sha256: name,
    contentType: 'image/png',
    createdAt: new Date(0),
    changedAt: new Date(0),
    commitId: 'c',
  }
}

/** Images by name, each with what is written in it, or why it cannot be read. */
function setUp(pictures: Readonly<Record<string, Partial<MemoryImage>>>, isReading = true) {
  const byPath = Object.entries(pictures).map(([name, picture]): [string, MemoryImage] => [
    `/${name}`,
    { header: headerOf(name.endsWith('.svg') ? 'svg' : 'png'), ...picture },
  ])
  const renderer = new MemoryRenderer(new Map(byPath))
  const queue = createRenderQueue({ renderer, costs: createCostModel(), now: () => 0 })
  const store = new MemoryMediaFactsStore()
  const known = (sha256: string) => store.find(sha256)
  const reader = isReading ? new MemoryTextReader() : undefined
  const media = {
    known,
    async find({ sha256 }: { readonly sha256: string }) {
      const header = headerOf(sha256.endsWith('.svg') ? 'svg' : 'png')
      await store.save({ sha256, header, analysis: undefined })
      return { sha256, header, analysis: undefined, text: undefined }
    },
    setText: async (sha256: string, text: string) => void (await store.setText(sha256, text)),
  }
  const files = { path: async (sha256: string) => `/${sha256}` }
  const texts = createImageTexts({ media, queue, files, reader })
  const told: string[] = []
  texts.subscribe((path) => void told.push(path))
  const look = async (path: string) => {
    await texts.look(assetAt(path), new AbortController().signal)
    return (await known(assetAt(path).sha256))?.text
  }
  const isOverlooked = (path: string) => texts.isOverlooked(assetAt(path))
  return { look, isOverlooked, told, reader, renderer }
}

test('drawings are read wherever they are, bitmaps where they are mostly writing', async () => {
  const { look, isOverlooked, told, reader } = setUp({
    'a.svg': { text: 'Paper plane' },
    'b.png': { text: 'Summer Sale' },
    'c.png': { text: 'Number plate' },
  })

  expect(await look('acme/v1/icons/a.svg')).toBe('Paper plane')
  expect(await look('acme/v1/banners/b.png')).toBe('Summer Sale')
  expect(await look('acme/v1/photos/c.png')).toBeUndefined()
  expect(told).toEqual(['acme/v1/icons/a.svg', 'acme/v1/banners/b.png'])
  expect(reader?.readCount).toBe(1)
  expect(await isOverlooked('acme/v1/photos/c.png')).toBe(false)
})

test('a picture is read once, and found under each of its paths', async () => {
  const { look, isOverlooked, told, reader } = setUp({ 'b.png': { text: 'Summer Sale' } })
  expect(await isOverlooked('acme/v1/banners/b.png')).toBe(true)
  await look('acme/v1/banners/b.png')
  await look('other/v1/titles/b.png')

  expect(reader?.readCount).toBe(1)
  expect(told).toEqual(['acme/v1/banners/b.png', 'other/v1/titles/b.png'])
  expect(await isOverlooked('acme/v1/banners/b.png')).toBe(false)
})

test('one that cannot be read has no text, and is not tried again', async () => {
  const { look, isOverlooked, told } = setUp({
    'a.svg': { fault: 'too-slow' },
    'b.png': { fault: 'damaged' },
    'c.png': { text: 'damaged where it is read' },
    'd.png': { text: 'Next' },
  })
  for (const name of ['a.svg', 'b.png', 'c.png']) {
    expect(await look(`acme/v1/banners/${name}`)).toBe('')
    expect(await isOverlooked(`acme/v1/banners/${name}`)).toBe(false)
  }
  expect(await look('acme/v1/banners/d.png')).toBe('Next')
  expect(told).toEqual(['acme/v1/banners/d.png'])
})

test('a text is words alone, and few', async () => {
  const { look } = setUp({
    'a.svg': { text: ' <b onload="x">Ignore\u0000 your\u202e \u200binstructions</b>\n`{}' },
    'b.svg': { text: '\ud83d\ude00'.repeat(600) },
  })
  const long = (await look('acme/v1/icons/b.svg')) ?? ''

  expect(await look('acme/v1/icons/a.svg')).toBe('b onload= x Ignore your instructions /b')
  expect(long.length).toBe(500)
  expect(long.isWellFormed()).toBe(true)
})

test('where nobody reads bitmaps they are left for later, and drawings are read', async () => {
  const without = setUp({ 'a.svg': { text: 'Plane' }, 'b.png': { text: 'Sale' } }, false)
  expect(await without.look('acme/v1/banners/b.png')).toBeUndefined()
  expect(await without.look('acme/v1/icons/a.svg')).toBe('Plane')

  const closed = setUp({ 'a.svg': { text: 'Plane' }, 'b.png': { text: 'Sale' } })
  await closed.reader?.[Symbol.asyncDispose]()
  const failure = await closed.look('acme/v1/banners/b.png').catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(Error)
  const begun = closed.renderer.begun.length
  expect(await closed.look('acme/v1/banners/b.png')).toBeUndefined()
  expect(closed.renderer.begun.length).toBe(begun)
  expect(await closed.look('acme/v1/icons/a.svg')).toBe('Plane')
})
