import { expect, test } from 'bun:test'

import { until } from '../../../../test/support/until.ts'
import type { MediaFacts } from '../../../ports/media/media-facts-store.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import type { FeedEntry, FeedEvent } from '../../../ports/records/feed.ts'
import { ServiceError } from '../../errors.ts'
import { followPublished } from './follow-published.ts'

function setUp(
  paths: readonly string[],
  options: { readonly atOnce?: number; readonly maxWaiting?: number } = {},
) {
  const assets = new Map(paths.map((path) => [path, assetAt(path)]))
  const listeners: ((entries: readonly FeedEntry[]) => void)[] = []
  const seen: string[] = []
  const headers: string[] = []
  const thumbnails: string[] = []
  const warnings: string[] = []
  const known = new Set<string>()
  /** Opened where a test does not close it. */
  const gate = { promise: Promise.resolve() }
  const refusal = { of: undefined as unknown, ofSummaries: undefined as unknown }
  const summaries: string[] = []
  const laters: { readonly afterMs: number; readonly act: () => void }[] = []
  const look = async ({ path }: { readonly path: string }) => {
    await gate.promise
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
    all: () => assets.values(),
    later: (afterMs, act) => {
      const planned = { afterMs, act }
      laters.push(planned)
      return {
        [Symbol.dispose]: () =>
          void laters.splice(0, Infinity, ...laters.filter((each) => each !== planned)),
      }
    },
    ...options,
    media: {
      find: async (picture) => {
        headers.push((picture as AssetRecord).path)
        return {} as MediaFacts
      },
      summarised: async (picture) => {
        summaries.push((picture as AssetRecord).path)
        if (refusal.ofSummaries !== undefined) throw refusal.ofSummaries
        return {} as MediaFacts
      },
      analysed: (picture) => look(picture as AssetRecord) as never,
      recall: async () => undefined,
      known: async (sha256) =>
        known.has(sha256) ? ({ sha256, analysis: { likeness: '' } } as MediaFacts) : undefined,
    },
    streams: {
      prepare: async (record) => {
        await look(record)
        return undefined
      },
    },
    thumbnails: {
      prepare: async (video) => void thumbnails.push((video as AssetRecord).path),
    },
    log: { debug: () => {}, warn: (message) => void warnings.push(message) },
  })
  const announce = (event: FeedEvent, path: string) =>
    listeners.forEach((listener) => listener([entryOf(event, path)]))
  return {
    announce,
    gate,
    known,
    seen,
    headers,
    thumbnails,
    warnings,
    refusal,
    summaries,
    following,
    listeners,
    laters,
  }
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

test('pictures and videos are looked at once they are published', async () => {
  const { announce, seen, following } = setUp(['acme/v1/a.png', 'acme/v1/b.mp4'])
  announce('asset.created', 'acme/v1/a.png')
  announce('asset.updated', 'acme/v1/b.mp4')
  announce('asset.deleted', 'acme/v1/gone.png')
  await Bun.sleep(0)
  await following[Symbol.asyncDispose]()

  // A video is made ready for streams, and then a still of it is looked at.
  expect(seen).toEqual(['acme/v1/a.png', 'acme/v1/b.mp4', 'acme/v1/b.mp4'])
})

test('thumbnails are made of videos alone, after all else, and of none that cannot be seen', async () => {
  const paths = ['acme/v1/a.png', 'acme/v1/b.mp4', 'acme/v1/c.pdf', 'acme/v1/d.webm']
  const { announce, thumbnails, refusal, following } = setUp(paths)
  for (const path of paths) announce('asset.created', path)
  await until(async () => thumbnails.length === 2)
  refusal.of = new ServiceError('UnprocessableImage', 'broken')
  announce('asset.updated', 'acme/v1/b.mp4')
  await Bun.sleep(0)
  await following[Symbol.asyncDispose]()

  expect(thumbnails).toEqual(['acme/v1/b.mp4', 'acme/v1/d.webm'])
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

test('what could not be looked at for a reason that passes is looked at again, each time later', async () => {
  const { announce, seen, refusal, following, laters } = setUp(['acme/v1/a.png'])
  refusal.of = new ServiceError('Unavailable', 'busy')
  announce('asset.created', 'acme/v1/a.png')
  const waits: number[] = []
  for (let more = 0; more < 3; more += 1) {
    await until(() => laters.length === 1)
    if (more === 2) refusal.of = undefined
    const [planned] = laters.splice(0)
    waits.push(planned?.afterMs ?? 0)
    planned?.act()
  }
  await until(() => seen.length === 4)
  await following[Symbol.asyncDispose]()

  expect(waits).toEqual([2000, 4000, 8000])
  expect(laters).toEqual([])
})

test('what never gets better is left at some time, and what is no image at once', async () => {
  const { announce, seen, refusal, following, laters } = setUp(['acme/v1/a.png', 'acme/v1/b.png'])
  refusal.of = new ServiceError('UnprocessableImage', 'broken')
  announce('asset.created', 'acme/v1/b.png')
  await until(() => seen.length === 1)
  refusal.of = new Error('no memory')
  announce('asset.created', 'acme/v1/a.png')
  for (let looks = 2; looks <= 7; looks += 1) {
    await until(() => seen.length === looks && laters.length === 1)
    laters.splice(0).forEach(({ act }) => act())
  }
  await until(() => seen.length === 8)
  await following[Symbol.asyncDispose]()

  expect(laters).toEqual([])
})

test('pictures of which nothing is known are looked at once it is told to catch up', async () => {
  const { known, seen, following } = setUp(['a.png', 'b.png', 'c.css', 'd.svg'])
  known.add('a.png')
  await following.catchUp()
  await following.catchUp()

  expect(seen).toEqual(['b.png', 'd.svg'])
})

test('told to end while it catches up, it looks at no more', async () => {
  const { seen, following } = setUp(['a.png', 'b.png', 'c.png'])
  const catchingUp = following.catchUp()
  await following[Symbol.asyncDispose]()
  await catchingUp

  expect(seen.length).toBeLessThan(3)
})

test('disposed, it hears no more', async () => {
  const { following, listeners } = setUp([])
  await following[Symbol.asyncDispose]()

  expect(listeners).toHaveLength(0)
})

test('whoever listens is told of each picture once it has been looked at, however late that is', async () => {
  const { announce, gate, following } = setUp(['acme/v1/a.png', 'acme/v1/b.mp4', 'acme/v1/c.png'])
  const { promise, resolve } = Promise.withResolvers<void>()
  gate.promise = promise
  const told: string[] = []
  using _subscription = following.subscribe((path, isWhole) => {
    if (isWhole) told.push(path)
  })
  for (const path of ['acme/v1/a.png', 'acme/v1/b.mp4']) announce('asset.created', path)
  await Bun.sleep(0)
  expect(told).toEqual([])
  resolve()
  await Bun.sleep(0)
  await following.catchUp()

  expect(new Set(told)).toEqual(new Set(['acme/v1/a.png', 'acme/v1/b.mp4', 'acme/v1/c.png']))
  await following[Symbol.asyncDispose]()
})

test('headers are looked at at once, however long pixels take', async () => {
  const paths = Array.from({ length: 50 }, (_, place) => `acme/v1/${place}.png`)
  const { announce, gate, headers, seen, following } = setUp(paths)
  const { promise, resolve } = Promise.withResolvers<void>()
  gate.promise = promise
  for (const path of paths) announce('asset.created', path)
  await until(() => headers.length === paths.length)
  expect({ headers, seen }).toEqual({ headers: paths, seen: [] })
  resolve()
  await following[Symbol.asyncDispose]()
})

test('as many are looked at at a time as there is room for', async () => {
  const paths = Array.from({ length: 9 }, (_, place) => `acme/v1/${place}.png`)
  const { announce, seen, following } = setUp(paths, { atOnce: 3 })
  for (const path of paths) announce('asset.created', path)
  await Bun.sleep(0)
  await following[Symbol.asyncDispose]()

  expect(seen.toSorted()).toEqual(paths)
})

test('where more wait than are kept none is left out', async () => {
  const paths = Array.from({ length: 40 }, (_, place) => `acme/v1/${place + 10}.png`)
  const { announce, seen, following } = setUp(paths, { maxWaiting: 5 })
  for (const path of paths) announce('asset.created', path)
  await Bun.sleep(5)

  expect([...new Set(seen)].toSorted()).toEqual(paths)
  await following[Symbol.asyncDispose]()
})

test('what stands for an image and cannot be found now is looked for later, and holds nothing up', async () => {
  const { announce, summaries, seen, refusal, following, laters } = setUp(['acme/v1/a.png'])
  refusal.ofSummaries = new ServiceError('Unavailable', 'busy')
  announce('asset.created', 'acme/v1/a.png')
  await until(() => seen.length === 1 && laters.length === 1)
  refusal.ofSummaries = undefined
  laters.splice(0).forEach(({ act }) => act())
  await until(() => summaries.length === 2)
  await following[Symbol.asyncDispose]()

  expect(seen).toEqual(['acme/v1/a.png'])
})
