import { expect, test } from 'bun:test'
import { setImmediate } from 'node:timers/promises'

import fc from 'fast-check'

import type { FeedEntry, FeedEvent } from '../../ports/records/feed.ts'
import { countersOf, type Purge } from './counter-names.ts'
import { createCounterTable } from './counter-table.ts'
import { createPurgeGenerations } from './purge-generations.ts'

const key = 'https://cdn.test/acme/v1/logos/a.svg?w=1'
const tagged = (tags: string) => countersOf(key, new Headers({ 'cache-tag': tags })) ?? []

const covering: readonly (readonly [string, Purge, boolean])[] = [
  ['its path, for all queries', { urls: ['/acme/v1/logos/a.svg'] }, true],
  ['its path on another host', { urls: ['https://other.test/acme/v1/logos/a.svg'] }, true],
  ['its path spelled otherwise', { urls: ['/acme/v1/x/../logos/%61.svg#x'] }, true],
  ['its path and query', { urls: ['/acme/v1/logos/a.svg?w=1'] }, true],
  ['another query', { urls: ['/acme/v1/logos/a.svg?w=2'] }, false],
  ['another path', { urls: ['/acme/v1/logos/b.svg'] }, false],
  ['a tag', { tags: ['Zone-Acme'] }, true],
  ['another tag', { tags: ['zone-other'] }, false],
  ['its zone', { zones: ['acme'] }, true],
  ['everything', { everything: true }, true],
  ['a URL that cannot be read', { urls: ['http://['] }, true],
]

for (const [what, purge, covered] of covering)
  test(`a purge of ${what} ${covered ? 'covers' : 'does not cover'} an answer`, () => {
    const generations = createPurgeGenerations()
    const generation = generations.newest
    generations.purge(purge)

    expect(generations.stateOf(generation, tagged('zone-acme'))).toBe(
      covered ? 'purged' : 'current',
    )
    expect(generations.stateOf(generations.newest, tagged('zone-acme'))).toBe('current')
  })

test('a soft purge makes stale, and a hard one after it forbids', () => {
  const generations = createPurgeGenerations()
  generations.purge({ tags: ['a'], soft: true })
  expect(generations.stateOf(0, tagged('a'))).toBe('stale')

  generations.purge({ tags: ['a'] })
  expect(generations.stateOf(0, tagged('a'))).toBe('purged')
  expect(generations.stateOf(1, tagged('a'))).toBe('purged')
})

const entry = (event: FeedEvent, more: Partial<FeedEntry> = {}): FeedEntry => ({
  seq: 1,
  at: new Date(0),
  event,
  zone: 'acme',
  path: 'acme/v1/logos/a b.svg',
  commitId: undefined,
  data: {},
  ...more,
})

const plain = new Headers()
const announced: readonly (readonly [string, FeedEntry, string, Headers, boolean])[] = [
  ['an asset', entry('asset.updated'), 'https://h/acme/v1/logos/a%20b.svg?v=1', plain, true],
  ['an asset', entry('asset.updated'), 'https://h/clients/acme/v1/logos/a%20b.svg', plain, true],
  ['a new asset', entry('asset.created'), 'https://h/acme/v1/logos/a%20b.svg', plain, true],
  [
    'an asset',
    entry('asset.deleted'),
    'https://h/api/transform?url=x',
    new Headers({ 'cache-tag': 'path:acme/v1/logos/a%20b.svg, zone-acme' }),
    true,
  ],
  [
    'another asset of the zone',
    entry('asset.updated'),
    'https://h/api/transform?url=x',
    new Headers({ 'cache-tag': 'path:acme/v1/logos/c.svg, zone-acme' }),
    false,
  ],
  [
    'a sibling',
    entry('asset.created'),
    'https://h/api/auto?path=x',
    new Headers({ 'cache-tag': 'stem:acme/v1/logos/a%20b' }),
    true,
  ],
  [
    'any asset of its zone where it does not say which it is made from',
    entry('asset.updated'),
    'https://h/api/x',
    new Headers({ 'surrogate-key': 'other zone-acme' }),
    true,
  ],
  [
    'any asset of its zone where it says that it depends on all of them besides',
    entry('asset.created'),
    'https://h/api/x',
    new Headers({ 'cache-tag': 'path:acme/v1/logos/c.svg,zone-acme,whole-zone:' }),
    true,
  ],
  [
    'an asset of another zone',
    entry('asset.updated'),
    'https://h/api/x',
    new Headers({ 'surrogate-key': 'zone-other' }),
    false,
  ],
  ['any asset where it names no zone', entry('asset.updated'), 'https://h/api/assets', plain, true],
  ['its zone', entry('zone.updated'), 'https://h/acme/v1/x.svg', plain, true],
  [
    'another zone',
    entry('zone.deleted', { zone: 'other' }),
    'https://h/acme/v1/x.svg',
    plain,
    false,
  ],
  ['rules', entry('rules.updated'), 'https://h/acme/v1/x.svg', plain, true],
  [
    'its host',
    entry('domain.updated', { data: { hostname: 'H' } }),
    'https://h:8443/acme/v1/x.svg',
    plain,
    true,
  ],
  [
    'another host',
    entry('domain.updated', { data: { hostname: 'i' } }),
    'https://h/acme/v1/x.svg',
    plain,
    false,
  ],
  [
    'a purge',
    entry('purge.completed', { data: { tags: ['t'] } }),
    'https://h/x',
    new Headers({ 'cache-tag': 't' }),
    true,
  ],
  [
    'a purge of all',
    entry('purge.completed', { data: { everything: true } }),
    'https://h/x',
    plain,
    true,
  ],
  ['a purge that says nothing', entry('purge.completed'), 'https://h/x', plain, true],
  [
    'a malformed purge',
    entry('purge.completed', { data: { urls: 'x' } }),
    'https://h/x',
    plain,
    true,
  ],
  ['an unknown event', entry('else' as FeedEvent), 'https://h/x', plain, true],
  ['a deploy', entry('deploy.completed'), 'https://h/x', plain, false],
]

for (const [what, announcement, address, headers, covered] of announced)
  test(`the feed telling of ${what} (${announcement.event}) ${covered ? 'purges' : 'spares'} ${address}`, () => {
    const generations = createPurgeGenerations()
    generations.applyFeed([announcement])

    expect(generations.stateOf(0, countersOf(address, headers) ?? [])).toBe(
      covered ? 'purged' : 'current',
    )
  })

for (const [what, announcement, address, headers, covered] of announced)
  test(`the same, prepared: ${what} (${announcement.event}) ${covered ? 'purges' : 'spares'} ${address}`, async () => {
    const generations = createPurgeGenerations()
    const counters = countersOf(address, headers) ?? []
    const apply = await generations.prepareFeed([announcement])
    expect(generations.stateOf(0, counters)).toBe('current')
    apply()

    expect(generations.stateOf(0, counters)).toBe(covered ? 'purged' : 'current')
    expect(generations.stateOf(generations.newest, counters)).toBe('current')
  })

test('very many entries that were prepared count at once, and for good', async () => {
  const generations = createPurgeGenerations({ maxExact: 5_000, slots: 1 << 20 })
  const entries = Array.from({ length: 5_000 }, (_, index) =>
    entry('asset.updated', { path: `acme/v1/logos/${index}.svg` }),
  )
  const countersAt = (index: number) =>
    countersOf(`https://h/acme/v1/logos/${index}.svg`, plain) ?? []
  const apply = await generations.prepareFeed(entries)
  apply()
  const generation = generations.newest
  generations.purge({ urls: ['/acme/v1/logos/4999.svg'] })
  for (let turn = 0; turn < 60; turn += 1) {
    for (const index of [0, 2_500, 4_998]) {
      expect(generations.stateOf(generation - 1, countersAt(index))).toBe('purged')
      expect(generations.stateOf(generation, countersAt(index))).toBe('current')
    }
    expect(generations.stateOf(generation, countersAt(4_999))).toBe('purged')
    await setImmediate()
  }
  expect(generations.counterCount).toBeLessThanOrEqual(5_000)
})

test('a soft purge from the feed stays soft', () => {
  const generations = createPurgeGenerations()
  generations.applyFeed([entry('purge.completed', { data: { urls: ['/x'], soft: true } })])

  expect(generations.stateOf(0, countersOf('https://h/x', plain) ?? [])).toBe('stale')
})

test('an answer with more tags than can be kept has no counters, so that it is not stored', () => {
  const tags = Array.from({ length: 300 }, (_, index) => `t${index}`).join(',')

  expect(countersOf(key, new Headers({ 'cache-tag': tags }))).toBeUndefined()
  expect(countersOf(key, new Headers({ 'cache-tag': 'x'.repeat(40_000) }))).toBeUndefined()
})

test('counters are bounded, and folding them never forgets a purge', () => {
  const names = fc.array(fc.integer({ min: 0, max: 200 }).map((number) => `n${number}`))
  fc.assert(
    fc.property(names, (raised) => {
      const table = createCounterTable({ maxExact: 8, slots: 4 })
      const newest = new Map<string, number>()
      for (const [index, name] of raised.entries()) {
        table.raise(name, index + 1)
        newest.set(name, index + 1)
      }
      expect(table.exactCount).toBeLessThanOrEqual(8)
      for (const [name, value] of newest) expect(table.read(name)).toBeGreaterThanOrEqual(value)
      expect(Math.max(0, ...newest.values())).toBe(raised.length)
    }),
  )
})

test('counters that are raised together are read as raised from the first step on, whatever is raised in between', () => {
  const name = fc.integer({ min: 0, max: 30 }).map((number) => `n${number}`)
  const acts = fc.array(
    fc.oneof(
      fc.record({ raise: name }),
      fc.record({ all: fc.array(name) }),
      fc.record({ step: fc.nat({ max: 5 }) }),
    ),
  )
  fc.assert(
    fc.property(acts, fc.constantFrom(4, 1_000), (all, maxExact) => {
      const table = createCounterTable({ maxExact, slots: 4 })
      const newest = new Map<string, number>()
      const underWay: Iterator<void>[] = []
      for (const [index, act] of all.entries()) {
        const value = index + 1
        if ('raise' in act) {
          table.raise(act.raise, value)
          newest.set(act.raise, value)
        } else if ('all' in act) {
          const steps = table.raiseAll(new Set(act.all), value)[Symbol.iterator]()
          steps.next()
          underWay.push(steps)
          for (const each of act.all) newest.set(each, value)
        } else underWay[act.step]?.next()
        for (const [each, known] of newest)
          if (maxExact === 1_000) expect(table.read(each)).toBe(known)
          else expect(table.read(each)).toBeGreaterThanOrEqual(known)
      }
    }),
  )
})

test('thousands of purges of different addresses leave others alone and memory bounded', () => {
  const generations = createPurgeGenerations({ maxExact: 1000, slots: 1 << 20 })
  for (let index = 0; index < 20_000; index += 1) generations.purge({ urls: [`/p/${index}`] })

  expect(generations.counterCount).toBeLessThanOrEqual(1000)
  expect(generations.stateOf(0, countersOf('https://h/p/7', plain) ?? [])).toBe('purged')
  expect(generations.stateOf(generations.newest, countersOf('https://h/p/7', plain) ?? [])).toBe(
    'current',
  )
})
