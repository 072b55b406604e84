import { expect, test } from 'bun:test'

import { type AssetResponse, unchangedHit, wholeHit } from './asset-counts.ts'
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

const answer = (fields: Partial<AssetResponse> = {}): AssetResponse => ({
  about: { zone: 'acme', path: 'acme/v1/logos/a.svg' },
  country: 'DE',
  isTransform: false,
  kind: wholeHit,
  bytes: 5,
  ...fields,
})

test('an asset is counted by the kind of answer, the country and what is made of it, after each drain anew', () => {
  const tap = createHitTap()
  for (let round = 0; round < 3; round += 1) {
    tap.countAsset(answer())
    tap.countAsset(answer({ kind: unchangedHit, bytes: 0 }))
    tap.countAsset(answer({ country: 'FR' }))
    tap.countAsset(answer({ kind: 2 }))
    tap.countAsset(answer({ isTransform: true }))
    tap.countAsset(answer())
    const counted = { isAsset: true, aborted: 0 }
    expect(tap.drain()).toEqual([
      { ...keyOf(), ...counted, requests: 2, bytes: 10 },
      { ...keyOf({ status: 304 }), ...counted, requests: 1, bytes: 0 },
      { ...keyOf({ cache: 'MISS' }), ...counted, requests: 1, bytes: 5 },
      { ...keyOf({ country: 'FR' }), ...counted, requests: 1, bytes: 5 },
      { ...keyOf({ isTransform: true }), ...counted, requests: 1, bytes: 5 },
    ])
  }
  expect(tap.drain()).toEqual([])
})

test('what is counted of an asset elsewhere is in the same row, but what was broken off', () => {
  const tap = createHitTap()
  tap.countAsset(answer())
  count(tap)
  tap.counter(keyOf()).aborted += 1
  count(tap, { status: 206 })
  const drained = tap.drain()
  const [row, others] = [drained.at(-1), drained.slice(0, -1)]
  expect(row).toMatchObject({ ...keyOf(), requests: 2, bytes: 15, aborted: 0 })
  expect(others).toMatchObject([
    { ...keyOf(), requests: 0, bytes: 0, aborted: 1 },
    { ...keyOf({ status: 206 }), requests: 1 },
  ])
})

test('ten thousand assets are each counted exactly; beyond all room they are counted together', () => {
  const tap = createHitTap({ maxAssetRows: 9_000, maxRows: 500 })
  for (let round = 1; round <= 2; round += 1)
    for (let asset = 0; asset < 10_000; asset += 1)
      tap.countAsset(answer({ about: { zone: 'acme', path: `acme/v1/${asset}` }, bytes: 1 }))
  const rows = tap.drain()
  const own = rows.filter(({ path }) => path !== '')
  expect(own).toHaveLength(9_500)
  for (const { requests, bytes } of own) expect([requests, bytes]).toEqual([2, 2])
  expect(rows.find(({ path }) => path === '')).toMatchObject({ requests: 1_000, zone: 'acme' })
  expect(tap.dropped).toBe(0)
})

test('what another process counted is added to what is counted here', () => {
  const [here, there] = [createHitTap(), createHitTap()]
  for (const tap of [here, there]) {
    tap.countAsset(answer())
    count(tap, { status: 404, path: 'acme/none' })
    tap.counter(keyOf()).aborted += 1
  }
  here.add(there.drain())
  expect(here.drain()).toEqual([
    {
      ...keyOf({ status: 404, path: 'acme/none' }),
      isAsset: false,
      requests: 2,
      bytes: 20,
      aborted: 0,
    },
    { ...keyOf(), isAsset: true, requests: 0, bytes: 0, aborted: 2 },
    { ...keyOf(), isAsset: true, requests: 2, bytes: 10, aborted: 0 },
  ])
})
