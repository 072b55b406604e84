import { expect, test } from 'bun:test'

import { MemoryEmbedder } from '../../adapters/memory/media/memory-embedder.ts'
import { MemoryVectorStore } from '../../adapters/memory/media/memory-vector-store.ts'
import type { Embedder } from '../../ports/media/embedder.ts'
import type { AssetRecord } from '../../ports/records/asset.ts'
import { createDocuments } from './documents.ts'
import { createMeaningLane } from './meaning-lane.ts'

const at = new Date(0)

const assetOf = (zone: string, name: string): AssetRecord => ({
  path: `${zone}/v1/general/${name}.txt`,
  zone,
  category: 'general',
  name: `${name}.txt`,
  format: 'txt',
  sizeBytes: 1,
  sha256: Bun.SHA256.hash(name, 'hex'),
  contentType: 'text/plain',
  createdAt: at,
  changedAt: at,
  commitId: '0'.repeat(40),
})

test('the files of one zone do not wait for all of another', async () => {
  const many = Array.from({ length: 200 }, (_, index) => assetOf('acme', `leaf${index}`))
  const assets = [...many, assetOf('bolt', 'river')]
  const documents = createDocuments({ maxVectors: 1_000 })
  for (const asset of assets) documents.put(asset, [])
  const embedded: string[] = []
  await using inner = new MemoryEmbedder({})
  const embedder: Embedder = {
    isReady: true,
    warmUp: () => inner.warmUp(),
    space: () => inner.space(),
    isLike: (space) => inner.isLike(space),
    async embed(text) {
      embedded.push(text)
      return await inner.embed(text)
    },
    [Symbol.asyncDispose]: async () => {},
  }
  const lane = createMeaningLane({
    embedder,
    store: new MemoryVectorStore(),
    documents: () => documents,
    textsOf: ({ name }) => [name],
    maxVectors: 1_000,
    signal: new AbortController().signal,
    onFault: (error) => {
      throw error
    },
  })

  lane.add(
    assets.map(({ path }) => path),
    true,
  )
  await lane.settled()

  expect(embedded).toHaveLength(assets.length)
  expect(embedded.indexOf('river.txt')).toBeLessThan(32)
})
