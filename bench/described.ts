// Search on pictures that persons have described, and on the same without what they wrote: each is asked
// for once, in words that are mostly not in its name. Among them lie as many icons as distract.

import { MinilmEmbedder } from '../src/adapters/models/minilm-embedder.ts'
import { MemoryVectorStore } from '../src/adapters/memory/media/memory-vector-store.ts'
import { followIndex } from '../src/domain/search/follow-index.ts'
import { createQuestionVectors } from '../src/domain/search/vectors/question-vectors.ts'
import { createSearch } from '../src/domain/search/search.ts'
import type { AssetRecord } from '../src/ports/records/asset.ts'
import { describedImages, type DescribedImage } from './described-set.ts'
import { report } from './harness.ts'
import { readLucideTags } from './lucide.ts'

const at = new Date(0)
const zone = { name: 'acme', createdAt: at, enabled: true, suspended: false }
const distractors = 1_000

const assetOf = (category: string, name: string): AssetRecord => ({
  path: `acme/v1/${category}/${name}`,
  zone: 'acme',
  category,
  name,
  format: name.slice(name.lastIndexOf('.') + 1),
  sizeBytes: 300,
  sha256: '0'.repeat(64),
  contentType: 'image/png',
  createdAt: at,
  changedAt: at,
  commitId: '0'.repeat(40),
})

const imageOf = ({ name }: DescribedImage): AssetRecord => assetOf('pictures', `${name}.jpg`)

const describedOf = (picture: DescribedImage): AssetRecord => ({
  ...imageOf(picture),
  metadata: { title: picture.title, alt: { en: picture.alt }, tags: picture.tags },
})

/** The part of the pictures that are among the first five for their question. */
async function recall(of: (picture: DescribedImage) => AssetRecord): Promise<number> {
  const icons = Object.keys(await readLucideTags()).slice(0, distractors)
  const assets = [
    ...icons.map((name) => assetOf('icons', `${name}.svg`)),
    ...describedImages.map(of),
  ]
  const assetByPath = new Map(assets.map((asset) => [asset.path, asset]))
  const published = {
    asset: (path: string) => assetByPath.get(path),
    zone: () => zone,
    zones: () => [zone],
    zoneFiles: () => assets,
  }
  await using embedder = new MinilmEmbedder()
  await using index = followIndex({
    embedder,
    store: new MemoryVectorStore(),
    readSynonyms: async () => new Map(),
    factsOf: async () => undefined,
    feed: { subscribe: () => ({ [Symbol.dispose]() {} }), after: async () => [] },
    published,
    log: console,
    maxVectors: 1_000_000,
  })
  await index.settled()
  const vectorOf = createQuestionVectors(index)
  const engine = createSearch({
    documents: () => index.documents(),
    isLoaded: () => true,
    published,
    vectorOf,
  })
  let found = 0
  for (const picture of describedImages) {
    while ((await vectorOf(picture.question)) === undefined) await Bun.sleep(5)
    const { results } = await engine.search({ question: picture.question, limit: 5 })
    if (results.some(({ asset }) => asset.path === of(picture).path)) found += 1
  }
  return found / describedImages.length
}

const bare = await recall(imageOf)
const described = await recall(describedOf)
await report('described', [
  {
    what: `recall@5 of ${describedImages.length} pictures among ${distractors} icons, described and not`,
    figure: '≥ +0.15',
    measured: `${described.toFixed(3)} and ${bare.toFixed(3)}: +${(described - bare).toFixed(3)}`,
  },
])
process.exit(0)
