import { expect, test } from 'bun:test'

import type { AssetRecord } from '../../../ports/records/asset.ts'
import type { FeedEntry } from '../../../ports/records/feed.ts'
import { until } from '../../../../test/support/until.ts'
import { followFiles } from './follow-files.ts'

const assetAt = (path: string, zone = 'acme') => ({ path, zone, sha256: path }) as AssetRecord

const zoned = (zone: string, count: number): readonly AssetRecord[] =>
  Array.from({ length: count }, (_, place) => assetAt(`${zone}/${place}.svg`, zone))

interface Options {
  readonly maxWaiting?: number
}

function setUp(given: number | readonly AssetRecord[], options: Options = {}) {
  const all = typeof given === 'number' ? zoned('acme', given) : given
  const assets = new Map(all.map((asset) => [asset.path, asset]))
  const looked: string[] = []
  const recalled: (readonly string[])[] = []
  const gate = { isOpen: true }
  let tell: (entries: readonly FeedEntry[]) => void = () => {}
  const following = followFiles({
    feed: {
      subscribe(listener) {
        tell = listener
        return { [Symbol.dispose]() {} }
      },
      after: async () => [],
    },
    published: { asset: (path) => assets.get(path) },
    all: () => assets.values(),
    look: async ({ path }) => void looked.push(path),
    isOverlooked: async ({ path }) =>
      recalled.some((paths) => paths.includes(path)) && !looked.includes(path),
    recall: async (some) => void recalled.push(some.map(({ path }) => path)),
    calm: { reached: (signal) => until(() => gate.isOpen || signal.aborted) },
    ...options,
    log: { debug() {}, warn: (_, facts) => expect.unreachable(JSON.stringify(facts)) },
  })
  const publish = () =>
    tell([...assets.keys()].map((path) => ({ event: 'asset.created', path }) as FeedEntry))
  return { following, looked, recalled, gate, publish }
}

test('nothing is looked at while much comes in, and all of it afterwards', async () => {
  const { following, looked, gate, publish } = setUp(30)
  await using _following = following
  gate.isOpen = false
  publish()
  await Bun.sleep(20)
  expect(looked).toEqual([])
  gate.isOpen = true
  await until(() => looked.length === 30)
})

test('what is known of everything is read many at a time, before anything of it is asked', async () => {
  const { following, looked, recalled } = setUp(450)
  await using _following = following
  await following.catchUp()
  expect(recalled.map(({ length }) => length)).toEqual([200, 200, 50])
  expect(looked).toHaveLength(450)
})

test('it is settled once all that was published is looked at, and for whoever waits no longer', async () => {
  const { following, looked, gate, publish } = setUp(30)
  await using _following = following
  await following.settled(new AbortController().signal)
  gate.isOpen = false
  publish()
  const leaving = new AbortController()
  const left = following.settled(leaving.signal)
  const settled = following.settled(new AbortController().signal).then(() => looked.length)
  leaving.abort()
  await left
  expect(looked).toEqual([])
  gate.isOpen = true
  expect(await settled).toBe(30)
})

test('zones have their turn one after another', async () => {
  const { following, looked, gate, publish } = setUp([...zoned('large', 50), ...zoned('small', 3)])
  await using _following = following
  gate.isOpen = false
  publish()
  gate.isOpen = true
  await until(() => looked.length === 53)
  expect(looked.findLastIndex((path) => path.startsWith('small'))).toBe(5)
})

test('where too many wait, those of the zone that has most are found among all, after the others', async () => {
  const files = [...zoned('large', 500), ...zoned('small', 3)]
  const { following, looked, gate, publish } = setUp(files, { maxWaiting: 20 })
  await using _following = following
  gate.isOpen = false
  publish()
  gate.isOpen = true
  await until(() => looked.length === files.length)
  expect(looked.findLastIndex((path) => path.startsWith('small'))).toBeLessThan(20)
  expect(new Set(looked).size).toBe(files.length)
})

test('who has stopped asks for nothing any more, whoever begins to catch up then', async () => {
  const { following, looked, recalled } = setUp(30)
  await following[Symbol.asyncDispose]()
  await following.catchUp()
  expect(recalled).toEqual([])
  expect(looked).toEqual([])
})
