import { expect, test } from 'bun:test'

import { MemoryRenderer } from '../../../adapters/memory/media/memory-renderer.ts'
import { MemoryVariantStore } from '../../../adapters/memory/media/memory-variant-store.ts'
import { createCostModel } from '../render/costs/cost-model.ts'
import { createRenderQueue } from '../render/render-queue.ts'
import { createSanitisedSvgs } from './sanitised-svgs.ts'
import { headerSample } from '../../../ports/media/media-facts-store.contract.ts'
import type { ImageHeader } from '../../../ports/media/renderer.ts'

const header: ImageHeader = { ...headerSample, format: 'svg', width: 4, height: 4, hasAlpha: true }

function setUp() {
  const renderer = new MemoryRenderer(
    new Map([
      ['/good', { header }],
      ['/bad', { header, fault: 'damaged' as const }],
    ]),
  )
  const queue = createRenderQueue({ renderer, costs: createCostModel(), now: () => 0 })
  const store = new MemoryVariantStore({ maxBytes: 1e6, maxPerSource: 9 })
  const files = {
    path: async (sha256: string) => (sha256 === 'gone' ? undefined : `/${sha256}`),
  }
  const drawings = createSanitisedSvgs({ queue, files, store, now: () => 0 })
  const get = (sha256: string) => drawings.get({ sha256, zone: 'acme', sizeBytes: 9 })
  return { get, renderer }
}

test('a drawing is sanitised once, for all who ask and all who come later', async () => {
  const { get, renderer } = setUp()
  const [one, other] = await Promise.all([get('good'), get('good')])
  const later = await get('good')

  expect(one).toMatchObject({ contentType: 'image/svg+xml', sourceSha256: 'good' })
  expect([other.digest, later.digest]).toEqual([one.digest, one.digest])
  expect(renderer.begun.length).toBe(1)
})

test('what was refused is refused again without another look', async () => {
  const { get, renderer } = setUp()
  for (let time = 0; time < 3; time += 1)
    expect(await failureOf(get('bad'))).toMatchObject({ code: 'UnprocessableImage' })

  expect(renderer.begun.length).toBe(1)
})

test('what is no drawing is refused, and what is not at hand is unavailable', async () => {
  const { get } = setUp()

  expect(await failureOf(get('bad'))).toMatchObject({ code: 'UnprocessableImage' })
  expect(await failureOf(get('gone'))).toMatchObject({ code: 'Unavailable' })
})

const failureOf = (promise: Promise<unknown>) => promise.then(undefined, (error: unknown) => error)
