import { expect, test } from 'bun:test'

import { MemoryMediaFactsStore } from '../../../adapters/memory/media/memory-media-facts-store.ts'
import { MemoryRenderer } from '../../../adapters/memory/media/memory-renderer.ts'
import { MemoryVariantStore } from '../../../adapters/memory/media/memory-variant-store.ts'
import type { ImageAnalysis, ImageHeader } from '../../../ports/media/renderer.ts'
import { createCostModel } from '../render/cost-model.ts'
import { createRenderQueue } from '../render/render-queue.ts'
import { createSmallerCopies } from '../render/smaller-copies.ts'
import { createKnownMedia } from './known-media.ts'

const header: ImageHeader = {
  format: 'png',
  width: 8,
  height: 4,
  frames: 1,
  hasAlpha: false,
  isProgressive: false,
  isSrgb: true,
}
const analysis: ImageAnalysis = {
  isGraphic: false,
  thumbHash: 'x',
  colors: [],
  faces: [],
  saliency: { point: { x: 0, y: 0 }, box: { left: 0, top: 0, width: 1, height: 1 } },
  mips: [],
}
const imageOf = (sha256: string) => ({ sha256, zone: 'acme', sizeBytes: 9 })

function setUp() {
  const store = new MemoryMediaFactsStore()
  const pictures = new Map(['a', 'b'].map((name) => [`/blobs/${name}`, { header, analysis }]))
  const now = () => 0
  const queue = createRenderQueue({
    renderer: new MemoryRenderer(pictures, { slots: 1 }),
    costs: createCostModel(),
    now,
  })
  const media = createKnownMedia({
    store,
    queue,
    blobs: { open: async () => new Blob([Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1')]) },
    files: { path: async (sha256: string) => `/blobs/${sha256}` },
    copies: createSmallerCopies(new MemoryVariantStore({ maxBytes: 1e6, maxPerSource: 4 })),
    now,
  })
  return { store, media }
}

test('what was found in an image is known, though another was forgotten meanwhile', async () => {
  const { store, media } = setUp()
  await media.find(imageOf('a'))
  const save = store.save.bind(store)
  store.save = async (facts) => {
    await save(facts)
    if (facts.analysis) media.forget('b')
  }
  await media.analysed(imageOf('a'), { priority: 'background' })

  expect((await media.known('a'))?.analysis).toBeDefined()
})

test('what was read before an image was looked at takes nothing from what is known since', async () => {
  const { store, media } = setUp()
  await media.find(imageOf('a'))
  media.forgetAll()
  const find = store.find.bind(store)
  let isFirst = true
  store.find = async (sha256) => {
    const before = await find(sha256)
    if (isFirst) {
      isFirst = false
      await media.analysed(imageOf('a'), { priority: 'background' })
    }
    return before
  }
  await media.known('a')

  expect((await media.known('a'))?.analysis).toBeDefined()
})
