import { expect, test } from 'bun:test'

import type { TrafficFlush } from '../../ports/traffic/traffic-store.ts'
import type { LiveTick } from './live-tick.ts'
import { type CountedHits, createTrafficCollector } from './traffic-collector.ts'

const hit: CountedHits = {
  zone: 'acme',
  path: 'acme/v1/a',
  isAsset: true,
  status: 200,
  cache: 'HIT',
  country: 'DE',
  requests: 2,
  bytes: 20,
}

function setUp() {
  const flushes: TrafficFlush[] = []
  const warnings: string[] = []
  let fault: Error | undefined
  let hits: CountedHits[] = []
  let time = new Date('2026-11-20T10:59:58.000Z')
  const collector = createTrafficCollector({
    store: {
      async record(flush: TrafficFlush) {
        if (fault !== undefined) throw fault
        flushes.push(flush)
        return true
      },
    },
    drain: () => {
      const drained = hits
      hits = []
      return drained
    },
    process: 'one',
    now: () => time,
    log: { warn: (message) => void warnings.push(message) },
  })
  return {
    collector,
    flushes,
    warnings,
    count: (...counted: CountedHits[]) => void hits.push(...counted),
    fail: (error: Error | undefined) => void (fault = error),
    pass: (milliseconds: number) => void (time = new Date(time.getTime() + milliseconds)),
  }
}

const hour = Date.parse('2026-11-20T10:00:00Z') / 3_600_000

test('what was counted is stored once, under the next number and the hour it was counted in', async () => {
  const { collector, flushes, count, pass } = setUp()
  count(hit)
  pass(2_001)
  await collector.flush()
  await collector.flush()
  count(hit)
  await collector.flush()
  await collector[Symbol.asyncDispose]()

  expect(flushes).toMatchObject([
    { process: 'one', number: 1, hour, rows: [{ path: 'acme/v1/a', isHit: true, requests: 2 }] },
    { process: 'one', number: 2, hour: hour + 1 },
  ])
})

test('what cannot be stored is stored later under the same number, with nothing lost or doubled', async () => {
  const { collector, flushes, warnings, count, fail } = setUp()
  fail(new Error('the disk is full'))
  count(hit)
  await collector.flush()
  count({ ...hit, requests: 5 })
  await collector.flush()
  expect(warnings).toHaveLength(2)

  fail(undefined)
  await collector.flush()
  await collector[Symbol.asyncDispose]()
  expect(flushes.map(({ number, rows }) => [number, rows[0]?.requests])).toEqual([
    [1, 2],
    [2, 5],
  ])
})

test('a clean stop stores what is left', async () => {
  const { collector, flushes, count } = setUp()
  count(hit)
  collector.beacon({ path: '/', country: 'XX', isHit: false, bytes: 7 })
  await collector[Symbol.asyncDispose]()

  expect(flushes).toMatchObject([{ rows: [{ requests: 2 }], beacons: [{ requests: 1, bytes: 7 }] }])
})

test('a flood of beacons takes only so much room, and each is counted', async () => {
  const { collector, flushes } = setUp()
  for (let beacon = 0; beacon < 2_000; beacon += 1)
    collector.beacon({ path: `/${beacon}`, country: 'DE', isHit: true, bytes: 1 })
  await collector[Symbol.asyncDispose]()

  const beacons = flushes[0]?.beacons ?? []
  expect(beacons.length).toBeLessThanOrEqual(502)
  expect(beacons.reduce((sum, { requests }) => sum + requests, 0)).toBe(2_000)
})

test('who watches is told of each moment, by zone, until it leaves', async () => {
  const { collector, count, pass } = setUp()
  const ticks: LiveTick[] = []
  const watch = collector.watch((tick) => void ticks.push(tick))
  count(hit, { ...hit, status: 404, cache: 'MISS', requests: 1, bytes: 3 }, { ...hit, zone: 'b' })
  pass(500)
  await collector.flush()
  watch[Symbol.dispose]()
  await collector.flush()
  await collector[Symbol.asyncDispose]()

  expect(ticks).toMatchObject([
    {
      seconds: 0.5,
      zones: [
        { zone: 'acme', requests: 3, bytes: 23, hits: 2, errors: 1 },
        { zone: 'b', requests: 2 },
      ],
    },
  ])
})
