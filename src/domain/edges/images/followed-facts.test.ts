import { expect, test } from 'bun:test'

import { MemoryMediaFactsStore } from '../../../adapters/memory/media/memory-media-facts-store.ts'
import { until } from '../../../../test/support/until.ts'
import { EdgeOriginError } from '../../../ports/edges/edge-origin.ts'
import { analysisSample, headerSample } from '../../../ports/media/media-facts-store.contract.ts'
import type { MediaFacts } from '../../../ports/media/media-facts-store.ts'
import { assetAt } from '../../../ports/content/publication-store.contract.ts'
import type { FeedEntry } from '../../../ports/records/feed.ts'
import { createFeed } from '../../feed.ts'
import { writeFacts } from './facts-messages.ts'
import { createFollowedFacts } from './followed-facts.ts'

const sha256 = 'a'.repeat(64)
const asset = assetAt('acme/v1/icons/a.svg', { sha256 })
const looked: MediaFacts = {
  sha256,
  header: headerSample,
  analysis: analysisSample,
  text: undefined,
}

function setUp() {
  const state = {
    isConnected: true,
    answer: async (): Promise<string | undefined> => writeFacts(looked),
  }
  const kept = new MemoryMediaFactsStore()
  const warnings: string[] = []
  const forgotten: string[] = []
  let asked = 0
  const feed = createFeed({
    store: { feedAfter: async () => [] },
    onSubscriberFault(fault) {
      throw fault
    },
  })
  const facts = createFollowedFacts({
    origin: {
      async facts() {
        asked += 1
        return await state.answer()
      },
    },
    kept,
    feed,
    isConnected: () => state.isConnected,
    log: { warn: (message) => void warnings.push(message) },
  })
  const following = facts.follow({
    forget: (each) => forgotten.push(each),
    forgetAll: () => forgotten.push('all'),
  })
  const tell = (event: FeedEntry['event'], data: FeedEntry['data']) =>
    feed.announce([
      { seq: 1, at: new Date(0), event, zone: 'acme', path: asset.path, commitId: undefined, data },
    ])
  return {
    state,
    kept,
    warnings,
    forgotten,
    find: () => facts.store.find(sha256),
    askedTimes: () => asked,
    tell,
    [Symbol.dispose]: () => following[Symbol.dispose](),
  }
}

test('the origin is asked once for what is known of an image, and then it is here', async () => {
  using world = setUp()

  expect(await world.find()).toEqual(looked)
  world.state.isConnected = false
  expect(await world.find()).toEqual(looked)
  expect(world.askedTimes()).toBe(1)
})

const elsewhere: MediaFacts = { ...looked, header: { ...looked.header, width: 80 } }

test('a response that was under way while all was to be forgotten is not believed', async () => {
  using world = setUp()
  const under = Promise.withResolvers<string>()
  world.state.answer = () => under.promise
  const finding = world.find()
  await until(() => world.askedTimes() === 1)
  world.tell('purge.completed', { everything: true })
  world.state.answer = async () => writeFacts(elsewhere)
  under.resolve(writeFacts(looked))

  expect(await finding).toEqual(elsewhere)
  expect(await world.find()).toEqual(elsewhere)
})

test('an origin of an older version may tell of a focal point, which the record of the asset has', async () => {
  using world = setUp()
  world.state.answer = async () => JSON.stringify({ ...looked, focalPoint: { x: 0.25, y: 0.5 } })
  expect(await world.find()).toEqual(looked)
  world.tell('asset.updated', { focalPoint: { x: 1, y: 0 } })

  expect(await world.find()).toEqual(looked)
  expect([world.forgotten, world.warnings]).toEqual([[], []])
})

test('after a comparison of manifests nothing is believed that was not asked for since', async () => {
  using world = setUp()
  await world.find()
  world.state.answer = async () => writeFacts(elsewhere)
  world.tell('purge.completed', { everything: true })

  expect(await world.find()).toEqual(elsewhere)
  expect([world.forgotten, world.askedTimes()]).toEqual([['all'], 2])
})

test('what the origin has not looked at yet is not kept', async () => {
  using world = setUp()
  world.state.answer = async () => writeFacts({ ...looked, analysis: undefined })
  expect((await world.find())?.header).toEqual(looked.header)
  world.state.answer = async () => undefined
  expect(await world.find()).toBeUndefined()
  world.state.answer = async () => writeFacts(looked)

  expect(await world.find()).toEqual(looked)
})

for (const [what, text] of [
  ['no JSON', '<html>'],
  ['null', 'null'],
  ['a list', '[]'],
  ['of another picture', writeFacts({ ...looked, sha256: 'b'.repeat(64) })],
  ['without a size', JSON.stringify({ sha256, header: { width: 0, height: 1 } })],
] as const)
  test(`a response that is ${what} is as none`, async () => {
    using world = setUp()
    world.state.answer = async () => text

    expect(await world.find()).toBeUndefined()
    expect(await world.kept.find(sha256)).toBeUndefined()
    expect(world.warnings.length).toBe(1)
  })

test('an origin that is away, or does not answer, leaves the edge to itself', async () => {
  using world = setUp()
  world.state.answer = async () => {
    throw new EdgeOriginError('The origin does not answer')
  }
  expect(await world.find()).toBeUndefined()
  world.state.isConnected = false
  expect(await world.find()).toBeUndefined()

  expect([world.askedTimes(), world.warnings]).toEqual([1, []])
})
