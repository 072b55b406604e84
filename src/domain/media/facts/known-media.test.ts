import { expect, test } from 'bun:test'

import { MemoryMediaFactsStore } from '../../../adapters/memory/media/memory-media-facts-store.ts'
import { MemoryVariantStore } from '../../../adapters/memory/media/memory-variant-store.ts'
import { analysisSample, headerSample } from '../../../ports/media/media-facts-store.contract.ts'
import type { RenderQueue } from '../render/render-queue.ts'
import { createSmallerCopies } from '../render/smaller-copies.ts'
import { createKnownMedia } from './known-media.ts'

const image = { sha256: 'a'.repeat(64), zone: 'acme', sizeBytes: 100 }

test('who reads a header takes nothing from what was found in all pixels meanwhile', async () => {
  const slow = Promise.withResolvers<void>()
  let inspections = 0
  const queue = {
    async run({ job }: { readonly job: { readonly kind: string } }) {
      if (job.kind !== 'inspect') return { result: { ...analysisSample, mips: [] } }
      inspections += 1
      if (inspections === 1) await slow.promise
      return { result: headerSample }
    },
  } as unknown as RenderQueue
  const media = createKnownMedia({
    store: new MemoryMediaFactsStore(),
    queue,
    blobs: { open: async () => new Blob([Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1')]) },
    files: { path: async () => '/a.png' },
    copies: createSmallerCopies(new MemoryVariantStore({ maxBytes: 1e6, maxPerSource: 4 })),
    now: () => 0,
  })
  const reading = media.find(image)
  await Bun.sleep(0)
  await media.analysed(image, { priority: 'background' })
  slow.resolve()

  expect((await reading).analysis).toBeDefined()
  expect((await media.known(image.sha256))?.analysis).toBeDefined()
})
