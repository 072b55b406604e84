// Search on images of which only a model has said something, each asked for once in words that are mostly
// others; and what is answered to letters without a meaning.

import { nonsense, openSeenSearch, readSeenImages } from '../test/support/seen-images.ts'
import { report } from './harness.ts'

const images = await readSeenImages()
await using search = await openSeenSearch(images)
let first = 0
let amongFive = 0
let sure = 0
for (const { asset, question } of images) {
  const { results } = await search.ask(question)
  const place = results.findIndex((found) => found.asset.path === asset.path)
  if (place === 0) first += 1
  if (place === -1) console.log(`not found: ${question}`)
  else amongFive += 1
  if (place !== -1 && results[place]?.confidence !== 'low') sure += 1
}
let nothing = 0
for (const question of nonsense) if ((await search.ask(question)).matched === 0) nothing += 1

const share = (count: number, of: readonly unknown[]): string => (count / of.length).toFixed(3)
await report('seen-images', [
  {
    what: `recall@5 of ${images.length} images that a model has described`,
    figure: '≥ 0.90',
    measured: share(amongFive, images),
  },
  { what: 'the right one first', figure: '', measured: share(first, images) },
  { what: 'found, and not of low confidence', figure: '', measured: share(sure, images) },
  {
    what: `of ${nonsense.length} questions without a meaning, answered with “Nothing matches”`,
    figure: '',
    measured: share(nothing, nonsense),
  },
])
process.exit(0)
