import { expect, test } from 'bun:test'
import { setTimeout as wait } from 'node:timers/promises'

import { MemoryEmbedder } from '../../adapters/memory/media/memory-embedder.ts'
import { MemoryVectorStore } from '../../adapters/memory/media/memory-vector-store.ts'
import { type Embedder, EmbedderUnavailableError } from '../../ports/media/embedder.ts'
import type { AssetRecord } from '../../ports/records/asset.ts'
import type { FeedEntry } from '../../ports/records/feed.ts'
import { until } from '../../../test/support/until.ts'
import { createFeed } from '../feed.ts'
import { followIndex } from './follow-index.ts'
import { createQuestionVectors } from './vectors/question-vectors.ts'
import { createSearch } from './search.ts'

const at = new Date(0)
const commitId = '0'.repeat(40)
const zone = { name: 'acme', createdAt: at, enabled: true, suspended: false }
const synonyms = { bin: 'garbage', rubbish: 'garbage' }

const assetOf = (name: string, contentType = 'text/plain'): AssetRecord => ({
  path: `acme/v1/general/${name}.txt`,
  zone: 'acme',
  category: 'general',
  name: `${name}.txt`,
  format: 'txt',
  sizeBytes: 1,
  sha256: Bun.SHA256.hash(name, 'hex'),
  contentType,
  createdAt: at,
  changedAt: at,
  commitId,
})

const names = ['garbage', 'house', 'river', ...Array.from({ length: 160 }, (_, i) => `leaf${i}x`)]

/** A model whose background work waits, or fails, until it is let go. */
function heldBack(inner: MemoryEmbedder) {
  const gate = Promise.withResolvers<void>()
  let left = Infinity
  const embedder: Embedder = {
    get isReady() {
      return inner.isReady
    },
    warmUp: () => inner.warmUp(),
    space: () => inner.space(),
    isLike: (space) => inner.isLike(space),
    async embed(text, priority) {
      if (priority === 'now') return await inner.embed(text)
      if (left === Infinity) await gate.promise
      left -= 1
      if (left < 0) throw new EmbedderUnavailableError('it is gone')
      return await inner.embed(text)
    },
    [Symbol.asyncDispose]: () => inner[Symbol.asyncDispose](),
  }
  return {
    embedder,
    letGo: () => gate.resolve(),
    /** It answers so many texts, and then none. */
    dieAfter: (count: number) => void (left = count),
    recover: () => void (left = 1_000),
  }
}

interface Options {
  readonly store: MemoryVectorStore
  readonly embedder: Embedder
  readonly formerEmbedders?: readonly Embedder[]
  readonly learned?: Embedder[]
  /** How long it takes to look up what is known of an image. */
  readonly lookUpMs?: number
}

function openSearch({ store, embedder, formerEmbedders = [], learned = [], lookUpMs }: Options) {
  const assets = new Map(
    names
      .map((name) => assetOf(name, lookUpMs === undefined ? 'text/plain' : 'image/png'))
      .map((asset) => [asset.path, asset]),
  )
  const published = {
    asset: (path: string) => assets.get(path),
    zone: () => zone,
    zones: () => [zone],
    zoneFiles: () => [...assets.values()],
  }
  const feed = createFeed({
    store: { feedAfter: async () => [] },
    onSubscriberFault: (fault) => {
      throw fault
    },
  })
  const index = followIndex({
    embedder,
    formerEmbedders,
    store,
    learn: async (each) => void learned.push(each),
    readSynonyms: async () => new Map(),
    factsOf: async () => await wait(lookUpMs, undefined),
    feed,
    published,
    log: { warn: (message, fields) => expect({ message, fields }).toBeUndefined() },
    maxVectors: 1_000,
    retryMs: 5,
  })
  const search = createSearch({
    documents: () => index.documents(),
    isLoaded: () => index.isLoaded,
    published,
    vectorOf: createQuestionVectors(index),
  })
  return {
    index,
    find: (question: string) => search.search({ question, limit: 5 }),
    publish(name: string) {
      const asset = assetOf(name)
      assets.set(asset.path, asset)
      const entry = { event: 'asset.created', path: asset.path, zone: 'acme', data: {} }
      feed.announce([{ seq: 1, at, commitId, ...entry } as FeedEntry])
    },
    [Symbol.asyncDispose]: () => index[Symbol.asyncDispose](),
  }
}

const modelOf = (model: string, engine = 'memory') =>
  new MemoryEmbedder(synonyms, { model, engine, seed: Bun.hash.wyhash(model) })

/** A store with everything that a model has made. */
async function storeOf(embedder: MemoryEmbedder): Promise<MemoryVectorStore> {
  const store = new MemoryVectorStore()
  await using service = openSearch({ store, embedder })
  await service.index.settled()
  return store
}

const answersByMeaning = (service: ReturnType<typeof openSearch>) => async () => {
  const { mode, isDegraded } = await service.find('rubbish')
  return mode === 'vector' && !isDegraded
}

const firstName = async (service: ReturnType<typeof openSearch>, question: string) =>
  (await service.find(question)).results[0]?.asset.name

test('the former model answers until the new one has embedded everything, and then it is let go', async () => {
  const store = await storeOf(modelOf('old'))
  const [former, fresh] = [modelOf('old'), modelOf('new')]
  const held = heldBack(fresh)
  const learned: Embedder[] = []
  await using service = openSearch({
    store,
    embedder: held.embedder,
    formerEmbedders: [former],
    learned,
  })
  await until(answersByMeaning(service))
  expect(await firstName(service, 'rubbish')).toBe('garbage.txt')
  expect(former.embedded).toEqual(['rubbish'])

  held.letGo()
  await service.index.settled()
  expect(await service.find('bin')).toMatchObject({ mode: 'vector', isDegraded: false })
  expect(fresh.embedded).toContain('bin')
  expect(former.isReady).toBe(false)
  expect(learned).toEqual([former, held.embedder])
  expect(await store.spaces()).toEqual(['new memory'])
})

test('what is published meanwhile is found by meaning with the former model', async () => {
  const store = await storeOf(modelOf('old'))
  const held = heldBack(modelOf('new'))
  await using service = openSearch({
    store,
    embedder: held.embedder,
    formerEmbedders: [modelOf('old')],
  })
  await until(answersByMeaning(service))
  service.publish('rubbish-heap')
  await until(async () =>
    (await service.find('bin')).results.some(({ asset }) => asset.name === 'rubbish-heap.txt'),
  )

  held.letGo()
  await service.index.settled()
  const { results } = await service.find('bin')
  expect(results.map(({ asset }) => asset.name)).toContain('rubbish-heap.txt')
})

test('vectors of another engine answer questions of this one until all are made anew', async () => {
  const store = await storeOf(modelOf('words', 'slow'))
  const fresh = modelOf('words', 'fast')
  const held = heldBack(fresh)
  await using service = openSearch({ store, embedder: held.embedder })
  await until(answersByMeaning(service))
  expect(fresh.embedded).toEqual(['rubbish'])

  held.letGo()
  await service.index.settled()
  expect(fresh.embedded.length).toBe(names.length + 1)
  expect(await store.spaces()).toEqual(['words fast'])
  expect(await service.find('rubbish')).toMatchObject({ mode: 'vector', isDegraded: false })
})

test('where the former model cannot be asked any more, names answer, and say so', async () => {
  const store = await storeOf(modelOf('gone'))
  const held = heldBack(modelOf('new'))
  await using service = openSearch({
    store,
    embedder: held.embedder,
    formerEmbedders: [modelOf('old')],
  })
  await until(async () => service.index.isLoaded)
  expect(await service.find('garbage')).toMatchObject({ isDegraded: true })

  held.letGo()
  await service.index.settled()
  expect(await service.find('rubbish')).toMatchObject({ mode: 'vector', isDegraded: false })
})

test('the new model takes over when it has embedded everything, and not what it was told of so far', async () => {
  const store = await storeOf(modelOf('old'))
  await using service = openSearch({
    store,
    embedder: modelOf('new'),
    formerEmbedders: [modelOf('old')],
    lookUpMs: 1,
  })
  await until(async () => (await store.spaces()).join() === 'new memory')

  expect(await service.find('rubbish')).toMatchObject({ mode: 'vector', isDegraded: false })
})

test('a model that dies in the middle leaves the former one answering, and goes on when it is back', async () => {
  const store = await storeOf(modelOf('old'))
  const fresh = modelOf('new')
  const held = heldBack(fresh)
  held.dieAfter(40)
  await using service = openSearch({
    store,
    embedder: held.embedder,
    formerEmbedders: [modelOf('old')],
  })
  await until(async () => fresh.embedded.length === 40)
  await until(answersByMeaning(service))
  expect((await store.spaces()).length).toBe(2)

  held.recover()
  await until(async () => (await store.spaces()).length === 1)
  await service.index.settled()
  expect(await service.find('rubbish')).toMatchObject({ mode: 'vector', isDegraded: false })
  expect(new Set(fresh.embedded).size).toBe(fresh.embedded.length)
})
