import { expect, test } from 'bun:test'
import { setImmediate } from 'node:timers/promises'

import type { AssetRecord } from '../../../ports/records/asset.ts'
import type { FeedEntry, FeedEvent } from '../../../ports/records/feed.ts'
import { followExpiries } from './expiry-schedule.ts'

const startMs = Date.UTC(2026, 10, 20)

function setUp(expiries: Readonly<Record<string, number>>, leadMs = 0) {
  const assets = new Map<string, AssetRecord>()
  const put = (path: string, expiresAtMs: number | undefined) =>
    assets.set(path, {
      path,
      zone: path.split('/')[0] ?? '',
      ...(expiresAtMs !== undefined && { metadata: { expiresAt: new Date(expiresAtMs) } }),
    } as AssetRecord)
  for (const [path, ms] of Object.entries(expiries)) put(path, startMs + ms)
  const clock = { nowMs: startMs }
  const waits: { readonly ms: number; readonly atMs: number; readonly task: () => void }[] = []
  const listeners: ((entries: readonly FeedEntry[]) => void)[] = []
  const told: string[][] = []
  const schedule = followExpiries({
    feed: {
      subscribe(listener) {
        listeners.push(listener)
        return { [Symbol.dispose]: () => void listeners.pop() }
      },
    },
    published: { asset: (path) => assets.get(path) },
    all: () => assets.values(),
    now: () => new Date(clock.nowMs),
    momentsOf: (ms) => (leadMs === 0 ? [ms] : [ms - leadMs, ms]),
    onMoment: (paths) => void told.push([...paths]),
    later(ms, task) {
      const wait = { ms, atMs: clock.nowMs + ms, task }
      waits.push(wait)
      return () => void (waits.includes(wait) && waits.splice(waits.indexOf(wait), 1))
    },
  })
  /** Lets time pass as timers do, one after another. */
  function pass(ms: number): void {
    const endMs = clock.nowMs + ms
    for (let next = waits[0]; next && next.atMs <= endMs; next = waits[0]) {
      clock.nowMs = next.atMs
      waits.shift()
      next.task()
    }
    clock.nowMs = endMs
  }
  const announce = (event: FeedEvent, names: Partial<Pick<FeedEntry, 'path' | 'zone'>>) =>
    listeners.forEach((listener) =>
      listener([
        { seq: 1, at: new Date(0), event, zone: undefined, path: undefined, ...names } as FeedEntry,
      ]),
    )
  return { announce, assets, clock, listeners, pass, put, schedule, told, waits }
}

test('each asset is told of once its moment has come, though nothing happens', () => {
  const { pass, told, waits } = setUp({ 'a/1': 500, 'a/2': 90_000, 'a/3': 500 })
  pass(499)
  expect(told).toEqual([])
  pass(1)
  expect(told).toEqual([['a/1', 'a/3']])
  pass(89_500)
  expect(told).toEqual([['a/1', 'a/3'], ['a/2']])
  expect(waits).toEqual([])
})

test('what was over before is told of at once', () => {
  expect(setUp({ 'a/1': -5 }).told).toEqual([['a/1']])
})

test('a moment that is moved or taken back does not come', () => {
  const { announce, assets, pass, put, told } = setUp({ 'a/1': 500, 'a/2': 500, 'a/3': 500 })
  put('a/1', startMs + 2_000)
  put('a/2', undefined)
  assets.delete('a/3')
  for (const path of ['a/1', 'a/2', 'a/3']) announce('asset.updated', { path })
  pass(1_999)
  expect(told).toEqual([])
  pass(1)
  expect(told).toEqual([['a/1']])
})

test('what is moved into the past is told of at once, and again when it is moved once more', () => {
  const { announce, pass, put, told } = setUp({ 'a/1': 5_000 })
  put('a/1', startMs - 1)
  announce('asset.updated', { path: 'a/1' })
  expect(told).toEqual([['a/1']])
  put('a/1', startMs + 10)
  announce('asset.updated', { path: 'a/1' })
  pass(10)
  expect(told).toEqual([['a/1'], ['a/1']])
})

test('a clock that was set forward is noticed within a second', () => {
  const { clock, told, waits } = setUp({ 'a/1': 3_600_000 })
  clock.nowMs += 7_200_000
  expect(waits[0]?.ms).toBe(1_000)
  waits.shift()?.task()
  expect(told).toEqual([['a/1']])
})

test('assets of a zone that may have changed are looked at again', async () => {
  const { announce, pass, put, told } = setUp({})
  put('a/1', startMs + 10)
  announce('zone.updated', { zone: 'b' })
  await setImmediate()
  pass(20)
  expect(told).toEqual([])
  announce('zone.updated', { zone: 'a' })
  await setImmediate()
  expect(told).toEqual([['a/1']])
})

test('others have their turn while many are looked at again', async () => {
  const { announce, put, told } = setUp({})
  for (let index = 0; index < 20_000; index += 1) put(`a/${index}`, undefined)
  put('a/last', startMs - 10)
  announce('zone.updated', { zone: 'a' })
  await setImmediate()
  expect(told).toEqual([])
  while (told.length === 0) await setImmediate()
  expect(told).toEqual([['a/last']])
})

test('disposed, it looks at no more of them', async () => {
  const { announce, put, schedule, waits } = setUp({})
  for (let index = 0; index < 20_000; index += 1) put(`a/${index}`, startMs + 10)
  announce('zone.updated', { zone: 'a' })
  schedule[Symbol.dispose]()
  for (let turn = 0; turn < 10; turn += 1) await setImmediate()
  expect(waits).toEqual([])
})

test('a moment before the end is told of as well', () => {
  const { pass, told } = setUp({ 'a/1': 5_000 }, 2_000)
  pass(3_000)
  expect(told).toEqual([['a/1']])
  pass(2_000)
  expect(told).toEqual([['a/1'], ['a/1']])
})

test('disposed, it waits for nothing', () => {
  const { listeners, schedule, waits } = setUp({ 'a/1': 500 })
  schedule[Symbol.dispose]()
  expect({ listeners, waits }).toEqual({ listeners: [], waits: [] })
})
