import { join } from 'node:path'

import { MinilmEmbedder } from '../../src/adapters/models/minilm-embedder.ts'
import { MemoryVectorStore } from '../../src/adapters/memory/media/memory-vector-store.ts'
import { followIndex } from '../../src/domain/search/follow-index.ts'
import { createSearch } from '../../src/domain/search/search.ts'
import { createQuestionVectors } from '../../src/domain/search/vectors/question-vectors.ts'
import type { AssetRecord } from '../../src/ports/records/asset.ts'
import type { Sighting } from '../../src/ports/records/vision/sighting.ts'

/** An image as a model sees it, and what somebody asks who looks for it in words of their own. */
interface SeenImage {
  readonly asset: AssetRecord
  readonly sighting: Sighting
  readonly question: string
}

const at = new Date(0)
const zone = { name: 'acme', createdAt: at, enabled: true, suspended: false }

const assetOf = (name: string, sha256: string): AssetRecord => ({
  path: `acme/v1/photos/${name}`,
  zone: 'acme',
  category: 'photos',
  name,
  format: 'jpg',
  sizeBytes: 300,
  sha256,
  contentType: 'image/jpeg',
  createdAt: at,
  changedAt: at,
  commitId: '0'.repeat(40),
})

/** Named as cameras name them, so that nothing but what is seen says what they are. */
function imageIn(line: string, index: number): SeenImage {
  const [alt = '', tags = '', text = '', question = ''] = line.split('|')
  const number = String(index + 1).padStart(4, '0')
  return {
    asset: assetOf(`IMG_${number}.jpg`, number.repeat(16)),
    sighting: { alt: { en: alt }, tags: tags.split(','), text, safety: 'safe' },
    question,
  }
}

/** A line is `alt|tags|text|question`. */
export async function readSeenImages(): Promise<readonly SeenImage[]> {
  const lines = await Bun.file(join(import.meta.dir, '../fixtures/seen-images.txt')).text()
  return lines.trimEnd().split('\n').map(imageIn)
}

/** Letters without a meaning, which no image shows. */
export const nonsense: readonly string[] = `
  qxzv blorf|zzyzx wupple|fnord grmbl|asdfjkl|xkcdq vvrm|plugh xyzzq|brillig wabe gimble|ytrewq|hjkl zxcvb
  mnbvq poiuz|ghghgh|wqeqwe rtyrty|flimzorp|drazbik nuvol|kvetchnik zorp|oomph-zq|trelk vornax|ggnnrr
  snorflax|uiuiuiu`
  .split(/[|\n]/u)
  .flatMap((each) => each.trim() || [])

/** Search over images of which only a model has said anything; resolves once all have their meaning. */
export async function openSeenSearch(images: readonly SeenImage[]) {
  await using opening = new AsyncDisposableStack()
  const assetByPath = new Map(images.map(({ asset }) => [asset.path, asset]))
  const seenBySha256 = new Map(images.map(({ asset, sighting }) => [asset.sha256, sighting]))
  const sightingOf = async (sha256: string) => seenBySha256.get(sha256)
  const published = {
    asset: (path: string) => assetByPath.get(path),
    zone: () => zone,
    zones: () => [zone],
    zoneFiles: () => [...assetByPath.values()],
  }
  const index = opening.use(
    followIndex({
      embedder: opening.use(new MinilmEmbedder()),
      store: new MemoryVectorStore(),
      readSynonyms: async () => new Map(),
      factsOf: async () => undefined,
      sightingOf,
      feed: { subscribe: () => ({ [Symbol.dispose]() {} }), after: async () => [] },
      published,
      log: console,
      maxVectors: 10_000,
    }),
  )
  await index.settled()
  const vectorOf = createQuestionVectors(index)
  const engine = createSearch({
    documents: () => index.documents(),
    isLoaded: () => true,
    published,
    vectorOf,
    knownOf: async (sha256) => ({ facts: undefined, sighting: await sightingOf(sha256) }),
  })
  const opened = opening.move()
  return {
    async ask(question: string) {
      while ((await vectorOf(question)) === undefined) await Bun.sleep(5)
      return await engine.search({ question, limit: 5 })
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
