import { expect, test } from 'bun:test'

import type { AssetRecord } from '../../../ports/records/asset.ts'
import type { FeedEntry } from '../../../ports/records/feed.ts'
import { bitsOf } from './bits.ts'
import { createKnownLikenesses } from './known-likenesses.ts'

const likeness = 'a5'.repeat(16)

function setUp() {
  const assets = new Map<string, AssetRecord>()
  const kept = new Map<string, string>()
  let tell: (entries: readonly FeedEntry[]) => void = () => {}
  /** What is read is answered once this is resolved. */
  let reading = Promise.resolve()
  const likenesses = createKnownLikenesses({
    async kept(sha256s) {
      const found = new Map([...kept].filter(([sha256]) => sha256s.includes(sha256)))
      await reading
      return found
    },
    published: { asset: (path) => assets.get(path) },
    all: () => assets.values(),
    feed: {
      subscribe(listener) {
        tell = listener
        return { [Symbol.dispose]() {} }
      },
    },
    subscribe: () => ({ [Symbol.dispose]() {} }),
    onFault: (error) => expect.unreachable(String(error)),
  })
  function publish(path: string, sha256: string): void {
    assets.set(path, { path, zone: 'acme', sha256, format: 'jpg' } as AssetRecord)
    tell([{ event: 'asset.created', path, zone: 'acme' } as FeedEntry])
  }
  const alike = () =>
    likenesses
      .similar(bitsOf(likeness), { distance: 0, limit: 9, accepts: () => true })
      .map(({ path }) => path)
      .toSorted()
  return {
    likenesses,
    kept,
    publish,
    alike,
    holdReading: () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      reading = promise
      return resolve
    },
  }
}

test('a copy that nobody has looked at is known with the first image of its bytes', async () => {
  const { likenesses, publish, alike } = setUp()
  await using _likenesses = likenesses
  for (const path of ['acme/v1/sea.jpg', 'acme/v1/twin.jpg']) publish(path, 'one')
  publish('acme/v1/other.jpg', 'two')
  await likenesses.note({ path: 'acme/v1/sea.jpg', sha256: 'one' }, likeness)
  expect(alike()).toEqual(['acme/v1/sea.jpg', 'acme/v1/twin.jpg'])
})

test('a copy that is being read while its image is looked at is known too', async () => {
  const { likenesses, kept, publish, alike, holdReading } = setUp()
  await using _likenesses = likenesses
  publish('acme/v1/sea.jpg', 'one')
  const answer = holdReading()
  publish('acme/v1/twin.jpg', 'one')
  kept.set('one', likeness)
  const noted = likenesses.note({ path: 'acme/v1/sea.jpg', sha256: 'one' }, likeness)
  answer()
  await noted
  expect(alike()).toEqual(['acme/v1/sea.jpg', 'acme/v1/twin.jpg'])
})

test('a path that has other bytes by now is not taken for a copy', async () => {
  const { likenesses, publish, alike } = setUp()
  await using _likenesses = likenesses
  for (const path of ['acme/v1/sea.jpg', 'acme/v1/twin.jpg']) publish(path, 'one')
  publish('acme/v1/twin.jpg', 'two')
  await likenesses.note({ path: 'acme/v1/sea.jpg', sha256: 'one' }, likeness)
  expect(alike()).toEqual(['acme/v1/sea.jpg'])
})
