import { expect, test } from 'bun:test'

import type { MediaFacts } from '../../ports/media-facts-store.ts'
import type { AssetRecord, FeedEntry, FeedEvent } from '../../ports/publication-store.ts'
import { ServiceError } from '../errors.ts'
import { followPublished } from './follow-published.ts'

function setUp(paths: readonly string[]) {
  const assets = new Map(paths.map((path) => [path, assetAt(path)]))
  const listeners: ((entries: readonly FeedEntry[]) => void)[] = []
  const seen: string[] = []
  const warnings: string[] = []
  const known = new Set<string>()
  const refusal = { of: undefined as unknown }
  const look = async ({ path }: { readonly path: string }) => {
    seen.push(path)
    if (refusal.of !== undefined) throw refusal.of
  }
  const following = followPublished({
    feed: {
      subscribe: (listener) => {
        listeners.push(listener)
        return { [Symbol.dispose]: () => void listeners.splice(0) }
      },
      after: async () => [],
    },
    published: { asset: (path) => assets.get(path) },
    media: {
      analysed: (picture) => look(picture as AssetRecord) as never,
      known: async (sha256) =>
        known.has(sha256) ? ({ sha256, analysis: {} } as MediaFacts) : undefined,
    },
    streams: {
      prepare: async (record) => {
        await look(record)
        return undefined
      },
    },
    log: { debug: () => {}, warn: (message) => void warnings.push(message) },
  })
  const announce = (event: FeedEvent, path: string) =>
    listeners.forEach((listener) => listener([entryOf(event, path)]))
  return { announce, assets, known, seen, warnings, refusal, following, listeners }
}

const assetAt = (path: string): AssetRecord => ({
  path,
  zone: 'acme',
  category: 'logos',
  name: path.slice(path.lastIndexOf('/') + 1),
  format: path.slice(path.lastIndexOf('.') + 1),
  sizeBytes: 1,
  sha256: path,
  contentType: 'image/png',
  createdAt: new Date(0),
  changedAt: new Date(0),
  commitId: 'c',
})

const entryOf = (event: FeedEvent, path: string): FeedEntry => ({
  seq: 1,
  at: new Date(0),
  event,
  zone: 'acme',
  path,
  commitId: 'c',
  data: {},
})

test('pictures and films are looked at once they are published', async () => {
  const { announce, seen, following } = setUp(['acme/v1/a.png', 'acme/v1/b.mp4'])
  announce('asset.created', 'acme/v1/a.png')
  announce('asset.updated', 'acme/v1/b.mp4')
  announce('asset.deleted', 'acme/v1/gone.png')
  await Bun.sleep(0)
  await following[Symbol.asyncDispose]()

  expect(seen).toEqual(['acme/v1/a.png', 'acme/v1/b.mp4'])
})

test('one that is not to be looked at does not keep the next from it', async () => {
  const { announce, seen, warnings, refusal, following } = setUp(['acme/v1/a.png', 'acme/v1/b.png'])
  refusal.of = new ServiceError('UnprocessableImage', 'broken')
  announce('asset.created', 'acme/v1/a.png')
  announce('asset.created', 'acme/v1/b.png')
  await Bun.sleep(0)
  await following[Symbol.asyncDispose]()

  expect(seen).toEqual(['acme/v1/a.png', 'acme/v1/b.png'])
  expect(warnings).toEqual([])
})

test('a fault of ours is said', async () => {
  const { announce, warnings, refusal, following } = setUp(['acme/v1/a.png'])
  refusal.of = new Error('out of memory')
  announce('asset.created', 'acme/v1/a.png')
  await Bun.sleep(0)
  await following[Symbol.asyncDispose]()

  expect(warnings).toHaveLength(1)
})

test('pictures of which nothing is known are looked at once it is told to catch up', async () => {
  const { assets, known, seen, following } = setUp(['a.png', 'b.png', 'c.css', 'd.svg'])
  known.add('a.png')
  await following.catchUp(assets.values())
  await following.catchUp(assets.values())

  expect(seen).toEqual(['b.png', 'd.svg'])
})

test('told to end while it catches up, it looks at no more', async () => {
  const { assets, seen, following } = setUp(['a.png', 'b.png', 'c.png'])
  const catchingUp = following.catchUp(assets.values())
  await following[Symbol.asyncDispose]()
  await catchingUp

  expect(seen.length).toBeLessThan(3)
})

test('disposed, it hears no more', async () => {
  const { following, listeners } = setUp([])
  await following[Symbol.asyncDispose]()

  expect(listeners).toHaveLength(0)
})
