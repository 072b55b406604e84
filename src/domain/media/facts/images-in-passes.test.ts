import { expect, test } from 'bun:test'

import { MemoryMediaFactsStore } from '../../../adapters/memory/media/memory-media-facts-store.ts'
import { type MemoryImage, MemoryRenderer } from '../../../adapters/memory/media/memory-renderer.ts'
import { MemoryVariantStore } from '../../../adapters/memory/media/memory-variant-store.ts'
import { until } from '../../../../test/support/until.ts'
import { assetAt } from '../../../ports/content/publication-store.contract.ts'
import type { RenderJob } from '../../../ports/media/renderer.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import type { FeedEntry } from '../../../ports/records/feed.ts'
import { createCostModel } from '../render/costs/cost-model.ts'
import { createRenderQueue, type RenderQueue } from '../render/render-queue.ts'
import { createSmallerCopies } from '../render/smaller-copies.ts'
import { followPublished } from './follow-published.ts'
import { createKnownMedia } from './known-media.ts'
import { headerSample } from '../../../ports/media/media-facts-store.contract.ts'

const analysis = {
  isGraphic: false,
  thumbHash: 'AAAA',
  likeness: '',
  colors: [{ hex: '#ff0000', name: 'vivid red', share: 1 }],
  faces: [],
  saliency: { point: { x: 0.5, y: 0.5 }, box: { left: 0, top: 0, width: 1, height: 1 } },
  mips: [],
}
const summary = { thumbHash: analysis.thumbHash, colors: analysis.colors }

/** Assets by path; the SHA-256 of each, said here, names what the renderer finds. */
type Assets = Map<string, AssetRecord>

const pictureAt = (path: string, sha256: string): AssetRecord =>
  assetAt(path, { sha256, format: 'png' })

const assetsOf = (...names: readonly string[]): Assets =>
  new Map(names.map((name) => [`acme/v1/${name}`, pictureAt(`acme/v1/${name}`, name)]))

/** A process that looks at images; `images` says what is in those that are not whole or otherwise special. */
function open(
  assets: Assets,
  store: MemoryMediaFactsStore,
  images: Readonly<Record<string, Partial<MemoryImage>>> = {},
) {
  const at = (sha256: string): MemoryImage => ({
    header: headerSample,
    analysis,
    ...images[sha256],
  })
  const names = new Set([...assets.values()].map(({ sha256 }) => sha256))
  for (const sha256 of Object.keys(images)) names.add(sha256)
  const renderer = new MemoryRenderer(
    new Map([...names].map((sha256) => [`/${sha256}`, at(sha256)])),
    { slots: 2 },
  )
  const gates = createGates(createRenderQueue({ renderer, costs: createCostModel(), now: () => 0 }))
  const media = createKnownMedia({
    store,
    queue: gates.queue,
    blobs: { open: async () => new Blob([Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1')]) },
    files: { path: async (sha256) => `/${sha256}` },
    copies: createSmallerCopies(new MemoryVariantStore({ maxBytes: 1e6, maxPerSource: 4 })),
    now: () => 0,
  })
  const listeners: ((entries: readonly FeedEntry[]) => void)[] = []
  const warnings: string[] = []
  const following = followPublished({
    feed: {
      subscribe: (listener) => {
        listeners.push(listener)
        return { [Symbol.dispose]: () => void listeners.splice(listeners.indexOf(listener), 1) }
      },
      after: async () => [],
    },
    published: { asset: (path) => assets.get(path) },
    all: () => assets.values(),
    media,
    streams: { prepare: async () => undefined },
    log: { debug: () => {}, warn: (message) => void warnings.push(message) },
  })
  const publish = (...paths: readonly string[]): void => {
    const entries = paths.map((path) => entryOf(path))
    for (const listener of listeners) listener(entries)
  }
  const jobs = (kind: RenderJob['kind']): readonly string[] =>
    renderer.begun.filter((job) => job.kind === kind).map(pathOf)
  return { ...gates, media, renderer, following, publish, jobs, warnings }
}

/** Holds jobs of a kind before they begin. */
function createGates(queue: RenderQueue) {
  const gates = new Map<RenderJob['kind'], PromiseWithResolvers<void>>()
  const held: string[] = []
  return {
    /** Those that wait at a gate, or did. */
    held,
    queue: {
      ...queue,
      async run(work) {
        const gate = gates.get(work.job.kind)
        if (gate) held.push(pathOf(work.job))
        await gate?.promise
        return await queue.run(work)
      },
    } satisfies RenderQueue,
    hold: (kind: RenderJob['kind']) => void gates.set(kind, Promise.withResolvers()),
    release: (kind: RenderJob['kind']) => {
      gates.get(kind)?.resolve()
      gates.delete(kind)
    },
  }
}

const pathOf = (job: RenderJob): string =>
  ('source' in job ? job.source.path : job.path).slice('/'.length)

const entryOf = (path: string): FeedEntry => ({
  seq: 1,
  at: new Date(0),
  event: 'asset.created',
  zone: 'acme',
  path,
  commitId: 'c',
  data: {},
})

test('what stands for each image is known before every pixel of any is looked at, each once', async () => {
  const assets = assetsOf('a', 'b', 'c', 'd')
  const store = new MemoryMediaFactsStore()
  const { publish, jobs, renderer, following, media } = open(assets, store)
  publish(...assets.keys())
  await until(() => jobs('analyse').length === 4)
  await following[Symbol.asyncDispose]()

  const kinds = renderer.begun.map(({ kind }) => kind)
  expect(kinds.lastIndexOf('summarise')).toBeLessThan(kinds.indexOf('analyse'))
  expect(jobs('summarise').toSorted()).toEqual(['a', 'b', 'c', 'd'])
  expect(jobs('analyse')).toEqual(['a', 'b', 'c', 'd'])
  expect(await media.known('a')).toMatchObject({ header: headerSample, summary, analysis: summary })
})

test('one that is published while others are looked at goes before those that wait', async () => {
  const assets = assetsOf('a', 'b', 'late')
  const store = new MemoryMediaFactsStore()
  const { publish, jobs, renderer, following, hold, held, release } = open(assets, store)
  hold('analyse')
  publish('acme/v1/a', 'acme/v1/b')
  await until(() => held.length === 1)
  publish('acme/v1/late')
  release('analyse')
  await until(() => jobs('analyse').length === 3)
  await following[Symbol.asyncDispose]()

  const last = renderer.begun.findLastIndex(({ kind }) => kind === 'summarise')
  const analysed = renderer.begun.slice(0, last).filter(({ kind }) => kind === 'analyse')
  expect(analysed.map(pathOf)).toEqual(['a'])
})

test('a process that ends between the passes loses nothing, and the next does nothing twice', async () => {
  const assets = assetsOf('a', 'b', 'c')
  const store = new MemoryMediaFactsStore()
  const first = open(assets, store)
  first.hold('analyse')
  first.publish('acme/v1/a', 'acme/v1/b')
  await until(() => first.held.length === 1)
  const ending = first.following[Symbol.asyncDispose]()
  first.release('analyse')
  await ending
  const analysed = first.jobs('analyse')
  expect(analysed).toEqual(['a'])
  expect(await store.find('a')).toMatchObject({ header: headerSample, summary })

  const next = open(assets, store)
  await next.following.catchUp()
  await next.following[Symbol.asyncDispose]()

  expect(next.jobs('summarise')).toEqual(['c'])
  expect([...analysed, ...next.jobs('analyse')]).toEqual(['a', 'b', 'c'])
  for (const sha256 of 'abc') expect((await store.find(sha256))?.analysis).toBeDefined()
})

test('one that ends while others wait to be looked at does so at once', async () => {
  const assets = assetsOf(...Array.from({ length: 50 }, (_, place) => String(place)))
  const { publish, jobs, following, hold, held, release } = open(
    assets,
    new MemoryMediaFactsStore(),
  )
  hold('summarise')
  publish(...assets.keys())
  await until(() => held.length === 2)
  const ending = following[Symbol.asyncDispose]()
  release('summarise')
  await ending

  expect(jobs('summarise').length).toBeLessThan(3)
  expect(jobs('analyse')).toEqual([])
})

test('one that cannot be decoded keeps no other from being looked at, and has its size', async () => {
  const assets = assetsOf('a', 'broken', 'c')
  const store = new MemoryMediaFactsStore()
  await store.save({ sha256: 'broken', header: headerSample, analysis: undefined })
  const damaged = { broken: { fault: 'damaged' } } as const
  const { publish, jobs, following, media, warnings } = open(assets, store, damaged)
  publish(...assets.keys())
  await until(async () => (await store.find('c'))?.analysis !== undefined)
  await following[Symbol.asyncDispose]()

  expect(jobs('summarise').toSorted()).toEqual(['a', 'broken', 'c'])
  expect(jobs('analyse').toSorted()).toEqual(['a', 'broken', 'c'])
  const { summary: none, analysis: neither, ...known } = (await media.known('broken')) ?? {}
  expect({ none, neither }).toEqual({ none: undefined, neither: undefined })
  expect(known).toMatchObject({ header: headerSample })
  expect(warnings).toEqual([])
})

test('of one that is overwritten between the passes what there is now is looked at', async () => {
  const assets = assetsOf('a', 'b')
  const store = new MemoryMediaFactsStore()
  const process = open(assets, store, { later: {} })
  const { publish, jobs, following, media, hold, held, release } = process
  hold('analyse')
  publish(...assets.keys())
  await until(() => held.length === 1)
  assets.set('acme/v1/b', pictureAt('acme/v1/b', 'later'))
  publish('acme/v1/b')
  release('analyse')
  await until(async () => (await store.find('later'))?.analysis !== undefined)
  await following[Symbol.asyncDispose]()

  expect(jobs('analyse')).toEqual(['a', 'later'])
  expect(jobs('summarise').toSorted()).toEqual(['a', 'b', 'later'])
  expect(await media.known('later')).toMatchObject({ summary, analysis: summary })
})

test('what was shown of an image stays as it is when every pixel has been looked at', async () => {
  const store = new MemoryMediaFactsStore()
  const { media, renderer, following } = open(assetsOf('a'), store)
  const asking = { priority: 'background' } as const
  await media.summarised(pictureAt('acme/v1/a', 'a'), asking)
  await media.analysed(pictureAt('acme/v1/a', 'a'), asking)
  await following[Symbol.asyncDispose]()

  expect(renderer.begun.find(({ kind }) => kind === 'analyse')).toMatchObject({ summary })
})

test('of what was looked at whole nothing is looked for once more', async () => {
  const store = new MemoryMediaFactsStore()
  const { media, jobs, following } = open(assetsOf('a'), store)
  const asking = { priority: 'background' } as const
  await media.analysed(pictureAt('acme/v1/a', 'a'), asking)
  const facts = await media.summarised(pictureAt('acme/v1/a', 'a'), asking)
  await following[Symbol.asyncDispose]()

  expect(jobs('summarise')).toEqual([])
  expect(facts.analysis).toMatchObject(summary)
})

test('a summary takes nothing from what was found in all pixels meanwhile', async () => {
  const store = new MemoryMediaFactsStore()
  const { media, following, hold, release } = open(assetsOf('a'), store)
  const image = pictureAt('acme/v1/a', 'a')
  await media.find(image)
  hold('summarise')
  const both = [
    media.summarised(image, { priority: 'background' }),
    media.analysed(image, { priority: 'interactive' }),
  ]
  await both[1]
  release('summarise')
  await both[0]
  await following[Symbol.asyncDispose]()

  expect(await store.find('a')).toMatchObject({ summary, analysis: summary })
  expect((await media.known('a'))?.analysis).toBeDefined()
})

test('whoever listens is told of each image twice: when it can be shown, and when all is known', async () => {
  const assets = assetsOf('a', 'b')
  const { publish, following } = open(assets, new MemoryMediaFactsStore())
  const heard: string[] = []
  using _subscription = following.subscribe(
    (path, isWhole) => void heard.push(`${path} ${isWhole}`),
  )
  publish(...assets.keys())
  await until(() => heard.length === 4)
  await following[Symbol.asyncDispose]()

  expect(heard).toEqual(['acme/v1/a false', 'acme/v1/b false', 'acme/v1/a true', 'acme/v1/b true'])
})
