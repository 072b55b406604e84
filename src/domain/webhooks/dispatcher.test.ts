import { expect, test } from 'bun:test'

import { MemoryDatabase } from '../../adapters/memory/content/memory-database.ts'
import { MemoryPublicationStore } from '../../adapters/memory/content/memory-publication-store.ts'
import { MemoryWebhookOutbox } from '../../adapters/memory/webhooks/memory-webhook-outbox.ts'
import { MemoryWebhookStore } from '../../adapters/memory/webhooks/memory-webhook-store.ts'
import { at, auditOf, entry } from '../../ports/content/publication-store.contract.ts'
import type { FeedEntry } from '../../ports/records/feed.ts'
import type { WebhookResponse, WebhookRequest } from '../../ports/webhooks/webhook-sender.ts'
import { webhookOf } from '../../ports/webhooks/webhook-store.contract.ts'
import type { WebhookRecord } from '../../ports/webhooks/webhook-store.ts'
import { createDeliver } from './deliver.ts'
import { openDispatcher } from './dispatcher.ts'

type Responder = (request: WebhookRequest) => number | Promise<number>

/** A dispatcher on memory stores, whose receivers are a function of the request. */
async function openHouse(response: Responder) {
  const database = new MemoryDatabase()
  const publications = new MemoryPublicationStore(database)
  const store = new MemoryWebhookStore(database)
  const outbox = new MemoryWebhookOutbox(database)
  const listeners = new Set<(entries: readonly FeedEntry[]) => void>()
  const warnings: string[] = []
  const sent: string[] = []
  let nowMs = at(1_000).getTime()
  let underWay = 0
  const house = {
    mostUnderWay: 0,
    async send(request: WebhookRequest, signal?: AbortSignal): Promise<WebhookResponse> {
      underWay += 1
      house.mostUnderWay = Math.max(house.mostUnderWay, underWay)
      const { promise, resolve } = Promise.withResolvers<undefined>()
      signal?.addEventListener('abort', () => resolve(undefined))
      const { data } = JSON.parse(request.body) as { data: { Path: string } }
      sent.push(`${request.url.split('/').at(-1)} ${data.Path}`)
      const status = await Promise.race([response(request), promise])
      underWay -= 1
      return { status, error: undefined, body: '', headers: {}, durationMs: 1 }
    },
  }
  const now = () => new Date(nowMs)
  const dispatcher = await openDispatcher({
    store,
    outbox,
    feed: {
      subscribe(listener) {
        listeners.add(listener)
        return { [Symbol.dispose]: () => void listeners.delete(listener) }
      },
    },
    deliver: createDeliver({ sender: house, now, random: () => 0.5, userAgent: 'test' }),
    openWebhook: ({ id, url, ordered, sealedSecret }) =>
      sealedSecret === 'unreadable'
        ? undefined
        : { id, url, ordered, secret: sealedSecret, previousSecret: undefined },
    now,
    log: { warn: (message) => void warnings.push(message) },
    graceMs: 50,
  })
  return {
    sent,
    warnings,
    outbox,
    store,
    dispatcher,
    get mostUnderWay() {
      return house.mostUnderWay
    },
    async add(id: string, given: Partial<WebhookRecord> = {}) {
      await store.add(webhookOf(id, given), { limit: 25, audit: auditOf({}) })
      await dispatcher.refresh()
    },
    async publish(...paths: readonly string[]) {
      const entries = await publications.publish([{ feed: paths.map(entry) }])
      for (const listener of listeners) listener(entries)
    },
    wait(ms: number) {
      nowMs += ms
      dispatcher.tick()
    },
    [Symbol.asyncDispose]: () => dispatcher[Symbol.asyncDispose](),
  }
}

/** Lets everything happen that can without time passing, as often as it takes. */
async function until(check: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 3_000
  while (!(await check())) {
    if (performance.now() > deadline) throw new Error('it did not come about')
    await Bun.sleep(5)
  }
}

const settled = async (house: Awaited<ReturnType<typeof openHouse>>, id: string) => {
  await until(async () => {
    const log = await house.outbox.log(id, { limit: 100 })
    return log.every(({ tries, state }) => tries > 0 || state !== 'pending')
  })
}

const never = Promise.withResolvers<number>().promise

test('an endpoint that never answers delays no other', async () => {
  await using house = await openHouse(({ url }) => (url.endsWith('dead') ? never : 200))
  for (const id of ['a', 'dead', 'b']) await house.add(id)
  await house.publish('1', '2', '3')
  await settled(house, 'a')
  await settled(house, 'b')

  expect(house.sent.filter((each) => each.startsWith('a'))).toEqual(['a 1', 'a 2', 'a 3'])
  expect(house.sent.filter((each) => each.startsWith('b'))).toEqual(['b 1', 'b 2', 'b 3'])
  expect(house.sent.filter((each) => each.startsWith('dead'))).toEqual(['dead 1'])
})

test('an ordered endpoint has one request at a time, another a few', async () => {
  const response = () => new Promise<number>((resolve) => void setTimeout(resolve, 2, 200))
  const paths = Array.from({ length: 20 }, (_, place) => String(place))
  await using one = await openHouse(response)
  await one.add('a')
  await one.publish(...paths)
  await settled(one, 'a')
  await using few = await openHouse(response)
  await few.add('a', { ordered: false })
  await few.publish(...paths)
  await settled(few, 'a')

  expect(one.mostUnderWay).toBe(1)
  expect(one.sent).toEqual(paths.map((path) => `a ${path}`))
  expect(few.mostUnderWay).toBeGreaterThan(1)
  expect(few.mostUnderWay).toBeLessThanOrEqual(4)
})

test('an event that fails holds up those behind it for two retries, then steps aside', async () => {
  await using house = await openHouse(({ body }) => (body.includes('"bad"') ? 500 : 200))
  await house.add('a')
  await house.publish('bad', 'good')
  const tries = async () => (await house.outbox.log('a', { limit: 9 })).map((each) => each.tries)
  await until(async () => (await tries())[1] === 1)
  house.wait(4_999)
  await house.publish('later')
  expect(await tries()).toEqual([0, 0, 1])
  house.wait(1)
  await until(async () => (await tries())[2] === 2)
  expect(house.sent).toEqual(['a bad', 'a bad'])
  house.wait(300_000)
  await until(async () => (await tries())[0] === 1)

  expect(house.sent).toEqual(['a bad', 'a bad', 'a bad', 'a good', 'a later'])
  expect(await tries()).toEqual([1, 1, 3])
})

test('where order does not matter nothing holds up anything', async () => {
  await using house = await openHouse(({ body }) => (body.includes('"bad"') ? 500 : 200))
  await house.add('a', { ordered: false })
  await house.publish('bad', 'good')
  await settled(house, 'a')

  expect(house.sent).toEqual(['a bad', 'a good'])
})

test('after ten attempts, each at its time, an event is given up', async () => {
  await using house = await openHouse(() => 500)
  await house.add('a')
  await house.publish('x')
  const newest = async () => (await house.outbox.log('a', { limit: 1 }))[0]
  const pausesMs: number[] = []
  for (let attempt = 1; attempt <= 10; attempt += 1) {
    await until(async () => (await newest())?.tries === attempt)
    const { nextAttemptAt, attempts } = (await newest()) ?? {}
    if (nextAttemptAt === undefined) break
    const pauseMs = nextAttemptAt.getTime() - (attempts?.at(-1)?.at.getTime() ?? 0)
    pausesMs.push(pauseMs)
    house.wait(pauseMs)
  }

  expect(pausesMs.map((ms) => ms / 1000)).toEqual([
    5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400,
  ])
  expect(await newest()).toMatchObject({ state: 'dead', tries: 10, nextAttemptAt: undefined })
  expect(new Set(house.sent)).toEqual(new Set(['a x']))
})

test('what was published before anybody delivered is delivered at the start', async () => {
  await using house = await openHouse(() => 200)
  await house.store.add(webhookOf('a'), { limit: 25, audit: auditOf({}) })
  await house.publish('x', 'y')
  expect(house.sent).toEqual([])
  await house.dispatcher.refresh()
  await settled(house, 'a')

  expect(house.sent).toEqual(['a x', 'a y'])
})

test('at the end what is under way is broken off, and stays pending', async () => {
  const house = await openHouse(() => never)
  await house.add('a')
  await house.publish('x', 'y')
  await until(() => house.sent.length === 1)
  await house[Symbol.asyncDispose]()

  const log = await house.outbox.log('a', { limit: 9 })
  expect(log.map(({ state, tries }) => [state, tries])).toEqual([
    ['pending', 0],
    ['pending', 0],
  ])
  expect(house.sent).toHaveLength(1)
})

test('a webhook that is switched off while a request is under way is not sent to any more', async () => {
  const first = Promise.withResolvers<number>()
  await using house = await openHouse(() => first.promise)
  await house.add('a')
  await house.publish('x', 'y')
  await until(() => house.sent.length === 1)
  await house.store.change('a', (all) => ({ ...all, active: false }), auditOf({}))
  await house.dispatcher.refresh()
  first.resolve(200)
  await until(async () => (await house.outbox.log('a', { limit: 9 }))[1]?.state === 'delivered')
  expect(house.sent).toEqual(['a x'])

  await house.store.change('a', (all) => ({ ...all, active: true }), auditOf({}))
  await house.dispatcher.refresh()
  await until(() => house.sent.length === 2)
  expect(house.sent).toEqual(['a x', 'a y'])
})

test('a webhook whose secret cannot be read is left alone, and the log says so', async () => {
  await using house = await openHouse(() => 200)
  await house.add('a', { sealedSecret: 'unreadable' })
  await house.publish('x')
  house.wait(60_000)

  expect(house.sent).toEqual([])
  expect(house.warnings).toContainEqual(expect.stringContaining('WEBHOOK_SECRET_KEY'))
  expect(await house.outbox.nextDueAt('a')).toEqual(at(4))
})

test('outcomes that cannot be recorded are kept until they can, and nothing is sent twice', async () => {
  await using house = await openHouse(() => 200)
  await house.add('a')
  const record = house.outbox.record.bind(house.outbox)
  let faults = 0
  house.outbox.record = async (outcomes) => {
    faults += 1
    if (faults === 1) throw new Error('the disk is full')
    await record(outcomes)
  }
  await house.publish('x')
  await until(async () => (await house.outbox.log('a', { limit: 9 }))[0]?.state === 'delivered')

  expect(house.sent).toEqual(['a x'])
  expect(house.warnings).toHaveLength(1)
})
