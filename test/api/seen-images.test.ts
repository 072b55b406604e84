import { expect, test } from 'bun:test'

import { nonsense, openSeenSearch, readSeenImages } from '../support/seen-images.ts'

test('nine in ten images are found by what a model sees, and letters without a meaning find nothing', async () => {
  const images = await readSeenImages()
  await using search = await openSeenSearch(images)
  const missed: string[] = []
  for (const { asset, question } of images) {
    const { results } = await search.ask(question)
    if (!results.some((found) => found.asset.path === asset.path)) missed.push(question)
  }
  const matched: string[] = []
  for (const question of nonsense)
    if ((await search.ask(question)).matched > 0) matched.push(question)

  expect({ missed, isEnough: missed.length <= images.length / 10 }).toMatchObject({
    isEnough: true,
  })
  expect({ matched, isFew: matched.length <= nonsense.length / 10 }).toMatchObject({ isFew: true })
}, 300_000)
