import { expect, test } from 'bun:test'

import type { HitKey } from './hit-counter.ts'
import { createHitTap, type HitTap } from './hit-tap.ts'

const keyOf = (fields: Partial<HitKey> = {}): HitKey => ({
  zone: 'acme',
  path: 'acme/v1/logos/a.svg',
  status: 200,
  method: 'GET',
  cache: 'HIT',
  country: 'DE',
  ...fields,
})

function count(tap: HitTap, fields: Partial<HitKey> = {}): void {
  const counter = tap.counter(keyOf(fields))
  counter.requests += 1
  counter.bytes += 10
}

const requestsOf = (tap: HitTap): number =>
  tap.drain().reduce((sum, { requests }) => sum + requests, 0)

test('answers that differ in nothing are one row, handed out once', () => {
  const tap = createHitTap()
  count(tap)
  count(tap)
  count(tap, { country: 'FR' })

  const rows = tap.drain()
  expect(rows).toHaveLength(2)
  expect(rows[0]).toEqual({ ...keyOf(), isAsset: true, requests: 2, bytes: 20, aborted: 0 })
  expect(tap.drain()).toEqual([])
})

test('a counter that was drained is not counted with again', () => {
  const tap = createHitTap()
  const counter = tap.counter(keyOf())
  expect(tap.isLive(counter)).toBeTrue()
  tap.drain()

  expect(tap.isLive(counter)).toBeFalse()
})

test('paths that clients make up never push an asset out, and not one of them is lost', () => {
  const tap = createHitTap({ maxRows: 100, maxOpenRows: 10 })
  for (let made = 0; made < 1_000; made += 1) count(tap, { status: 404, path: `acme/${made}` })
  for (let asset = 0; asset < 80; asset += 1) count(tap, { path: `acme/v1/logos/${asset}` })

  const rows = tap.drain()
  expect(rows.filter(({ isAsset }) => isAsset)).toHaveLength(80)
  expect(rows.filter(({ isAsset, path }) => !isAsset && path !== '')).toHaveLength(10)
  expect(rows.find(({ path }) => path === '')).toMatchObject({ requests: 990, zone: 'acme' })
  expect({ collapsed: tap.collapsed, dropped: tap.dropped }).toEqual({ collapsed: 990, dropped: 0 })
})

test('the room for made-up paths is free again after each drain', () => {
  const tap = createHitTap({ maxOpenRows: 1 })
  for (const path of ['a', 'b']) {
    count(tap, { status: 404, path })
    expect(tap.drain().map((row) => row.path)).toEqual([path])
  }
})

test('long made-up paths are cut, so that they cannot fill the memory either', () => {
  const tap = createHitTap()
  count(tap, { status: 404, path: `${'x'.repeat(5_000)}1` })
  count(tap, { status: 404, path: `${'x'.repeat(5_000)}2` })

  expect(tap.drain()).toMatchObject([{ path: 'x'.repeat(256), requests: 2 }])
})

test('a flood beyond all room is counted as dropped, never as something else', () => {
  const tap = createHitTap({ maxRows: 1, maxOpenRows: 1 })
  for (let zone = 0; zone < 5_000; zone += 1) count(tap, { status: 404, zone: `zone-${zone}` })

  const { collapsed, dropped } = tap
  expect(dropped).toBeGreaterThan(0)
  expect(requestsOf(tap)).toBe(1 + collapsed)
  expect(1 + collapsed + dropped).toBe(5_000)
})

test('an own counter counts over many drains, together with everyone who counts the same', () => {
  const tap = createHitTap()
  const own = [tap.ownCounter(keyOf()), tap.ownCounter(keyOf())]
  for (let round = 0; round < 3; round += 1) {
    for (const counter of own) {
      expect(tap.isLive(counter)).toBeFalse()
      expect(tap.renew(counter)).toBeTrue()
      expect(tap.isLive(counter)).toBeTrue()
      counter.requests += 2
      counter.bytes += 5
    }
    count(tap)
    expect(tap.drain()).toMatchObject([{ ...keyOf(), requests: 5, bytes: 20 }])
  }
  expect(tap.drain()).toEqual([])
})

test('where there is no room an own counter is not renewed', () => {
  const tap = createHitTap({ maxRows: 1 })
  const [first, second] = [tap.ownCounter(keyOf()), tap.ownCounter(keyOf({ path: 'b' }))]
  expect([tap.renew(first), tap.renew(second)]).toEqual([true, false])
})
