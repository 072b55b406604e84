import { expect, test } from 'bun:test'

import { MemoryTrafficSpool } from '../../adapters/memory/edges/memory-edge-stores.ts'
import { EdgeOriginError, type QuotaLease } from '../../ports/edges/edge-origin.ts'
import { assetAt, entry } from '../../ports/content/publication-store.contract.ts'
import type { FeedEntry } from '../../ports/records/feed.ts'
import type { TrafficFlush } from '../../ports/traffic/traffic-store.ts'
import { until } from '../../../test/support/until.ts'
import { createFeed } from '../feed.ts'
import { createEdgeHistories } from './edge-histories.ts'
import { createLeasedQuota } from './leased-quota.ts'
import { createPrefetch } from './prefetch.ts'
import { createTrafficRelay } from './traffic-relay.ts'

const flush = (number: number): TrafficFlush => ({
  process: 'p',
  number,
  hour: 1,
  rows: [],
  beacons: [],
})

test('what was counted is handed over in order, and kept while the origin is away', async () => {
  const taken: number[] = []
  let fault: Error | undefined = new EdgeOriginError('away')
  const origin = {
    async record(flushes: readonly TrafficFlush[]) {
      if (fault !== undefined) throw fault
      taken.push(...flushes.map(({ number }) => number))
    },
  }
  const spool = new MemoryTrafficSpool({ maxFlushes: 100 })
  {
    await using relay = createTrafficRelay({ spool, origin, log: { warn: () => undefined } })
    for (const number of [1, 2]) await relay.record(flush(number))
  }
  expect(taken).toEqual([])
  fault = undefined
  {
    await using relay = createTrafficRelay({ spool, origin, log: { warn: () => undefined } })
    await relay.record(flush(3))
    await until(() => taken.length === 3)
  }

  expect(taken).toEqual([1, 2, 3])
  expect(await spool.oldest(10)).toEqual([])
})

test('what the origin will never take is said, and keeps nothing else back', async () => {
  const taken: number[] = []
  const warnings: string[] = []
  const origin = {
    async record(flushes: readonly TrafficFlush[]) {
      if (flushes.some(({ number }) => number === 2))
        throw new EdgeOriginError('no', { isRefusal: true })
      taken.push(...flushes.map(({ number }) => number))
    },
  }
  const spool = new MemoryTrafficSpool({ maxFlushes: 100 })
  for (const number of [1, 2, 3]) await spool.add(flush(number))
  {
    await using _relay = createTrafficRelay({
      spool,
      origin,
      log: { warn: (message) => void warnings.push(message) },
    })
  }

  expect(taken).toEqual([1, 3])
  expect(warnings).toHaveLength(1)
})

const use = { name: 'transform', window: '2026-11', amount: 1, limit: 50_000 }

test('a quota is leased a few at a time, and used up where the origin says so', async () => {
  const leases: QuotaLease[] = []
  let left = 30
  const quota = createLeasedQuota({
    async leaseQuota(lease) {
      leases.push(lease)
      const granted = Math.min(lease.amount, left)
      left -= granted
      return granted
    },
  })
  const taken: (number | undefined)[] = []
  for (let time = 0; time < 32; time += 1) taken.push(await quota.take(use))

  expect(taken.filter((each) => each !== undefined)).toHaveLength(30)
  expect(taken.slice(30)).toEqual([undefined, undefined])
  expect(leases.slice(0, 2).map(({ amount }) => amount)).toEqual([20, 20])
})

test('while nobody can be asked nothing is refused, and it is told once when somebody can', async () => {
  const owed: number[] = []
  let isAway = true
  const quota = createLeasedQuota({
    async leaseQuota(lease) {
      if (isAway) throw new EdgeOriginError('away')
      owed.push(lease.owed)
      return lease.amount
    },
  })
  for (let time = 0; time < 5; time += 1) expect(await quota.take(use)).toBeDefined()
  isAway = false
  for (let time = 0; time < 25; time += 1) expect(await quota.take(use)).toBeDefined()

  expect(owed).toEqual([5, 0])
})

test('since when an edge serves something is the first time it said so', () => {
  const histories = createEdgeHistories()
  const told = (seq: number, ms: number) => {
    const time = new Date(ms)
    histories.learn({
      name: 'e',
      seq,
      since: time,
      firstSeenAt: time,
      lastSeenAt: time,
      via: undefined,
    })
  }
  told(5, 100)
  told(5, 150)
  told(9, 200)

  expect(histories.since('e', 3)).toEqual(new Date(100))
  expect(histories.since('e', 5)).toEqual(new Date(100))
  expect(histories.since('e', 6)).toEqual(new Date(200))
  expect(histories.since('e', 10)).toBeUndefined()
  expect(histories.since('f', 1)).toBeUndefined()
  // It follows an origin that was restored.
  told(6, 300)
  expect(histories.since('e', 9)).toBeUndefined()
  expect(histories.since('e', 6)).toEqual(new Date(300))
})

test('new bytes of what was asked for lately are fetched at once, and of nothing else', async () => {
  const asked: string[] = []
  const shaByPath = new Map([
    ['acme/v1/icons/hot.svg', 'a'.repeat(64)],
    ['acme/v1/icons/cold.svg', 'b'.repeat(64)],
  ])
  const feed = createFeed({ store: { feedAfter: async () => [] }, onSubscriberFault: () => {} })
  using prefetch = createPrefetch({
    feed,
    published: {
      asset: (path) => assetAt(path, { sha256: shaByPath.get(path) ?? '' }),
    },
    async fetchBlob(sha256) {
      asked.push(sha256)
      throw new Error('the origin is away')
    },
  })
  prefetch.note(['acme/v1/icons/hot.svg'])
  feed.announce([...shaByPath.keys()].map((path, place) => updated(path, place + 1)))
  await until(() => asked.length > 0)

  expect(asked).toEqual(['a'.repeat(64)])
})

const updated = (path: string, seq: number): FeedEntry => ({
  ...entry(path),
  seq,
  event: 'asset.updated',
})
