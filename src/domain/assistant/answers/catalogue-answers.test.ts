import { expect, test } from 'bun:test'

import type { MediaFacts } from '../../../ports/media/media-facts-store.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import { createCatalogueAnswers } from './catalogue-answers.ts'
import type { PublicAssets } from '../question/public-assets.ts'
import type { Request } from '../question/request.ts'

const assets = Array.from({ length: 1_000 }, (_, place) => ({
  path: `acme/v1/icons/${place}.png`,
  sha256: String(place),
})) as unknown as readonly AssetRecord[]

const factsOf = async (sha256: string): Promise<MediaFacts> =>
  ({
    header: { width: 100, height: 100, hasAlpha: false, frames: 1 },
    analysis: { colors: [{ name: Number(sha256) % 2 === 0 ? 'red' : 'blue', share: 1 }] },
  }) as unknown as MediaFacts

test('while the colours of many images are looked up others get their turn', async () => {
  const catalogue = createCatalogueAnswers({
    assets: { first: () => assets } as unknown as PublicAssets,
    factsOf,
  })
  let turns = 0
  const timer = setInterval(() => (turns += 1), 0)
  const facets = { looks: ['red'], words: [], paths: [], hasNoun: true, transform: new Map() }
  const request = { subject: 'assets', message: 'red icons', facets } as unknown as Request
  const { text } = await catalogue.count(request, undefined)
  clearInterval(timer)

  expect(text).toStartWith('500 public red files')
  expect(turns).toBeGreaterThan(0)
})
