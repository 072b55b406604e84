import { expect, test } from 'bun:test'

import { createVisitCounter } from '../hits/count-visits.ts'
import { createHitTap } from '../hits/hit-tap.ts'
import { createHotDelivery, type HotResponse } from './hot-delivery.ts'
import { type CacheSetUp, setUpCache } from './testing.ts'

const path = 'acme/v1/a.jpg'
const tags = `zone-acme,path:${path}`
const id = '0d5cfe0a-6b3f-4ad0-93fb-0b5a3d6f1a11'
const fields = { 'Cache-Control': 'max-age=60', ETag: '"one"', 'Cache-Tag': tags, Vary: 'Accept' }
const image =
  (more: Readonly<Record<string, string>> = {}, body = 'image'): CacheSetUp['origin'] =>
  () =>
    new Response(body, { headers: { ...fields, 'Content-Length': `${body.length}`, ...more } })

function setUp(origin = image()) {
  const edge = setUpCache({ origin, policy: { awaitedBodyBytes: 2 ** 20 } })
  const tap = createHitTap()
  const assets = new Set([path])
  const told: HotResponse[] = []
  let ids = 0
  const hot = createHotDelivery({
    cache: edge.cache,
    generations: edge.generations,
    counter: createVisitCounter({
      tap,
      isOwn: ({ headers }) => headers.has('referer'),
      monotonicMs: () => 7,
      countryOf: () => 'XX',
      transfers: undefined,
    }),
    assetAt: (asked) => (assets.has(asked) ? { zone: 'acme', path: asked } : undefined),
    isTransform: (key) => key.includes('/transform'),
    newId: () => `id-${(ids += 1)}`,
    monotonicMs: () => 7,
    onResponse: (sent) => void told.push(sent),
  })
  const requestFor = (query: string, init: RequestInit = {}) =>
    new Request(`https://cache.test/api/transform?${query}`, init)
  return {
    edge,
    hot,
    told,
    assets,
    rows: () =>
      tap.drain().map((row) => {
        expect(row).toMatchObject({ zone: 'acme', path, cache: 'HIT', isTransform: true })
        const { status, requests, bytes } = row
        return { status, requests, bytes }
      }),
    ask: (headers: Readonly<Record<string, string>> = {}, method = 'GET', query = 'w=1') =>
      hot.fetch(requestFor(query, { method, headers }), '::1'),
    /** By the general way. */
    learn: async (query = 'w=1', headers: Readonly<Record<string, string>> = {}) => {
      const request = requestFor(query, { headers })
      await (await edge.cache.fetch(request)).bytes()
      hot.learn(request)
    },
  }
}

test('a URL is known once it was answered from the cache', async () => {
  const { ask, learn } = setUp()
  expect(ask()).toBeUndefined()
  await learn()
  const response = ask()
  expect(await response?.text()).toBe('image')
  const { headers } = response ?? new Response()
  expect(headers.get('x-request-id')).toBe('id-1')
  expect(headers.get('cache-tag')).toBe('zone-acme')
  expect(headers.get('age')).toBe('0')
  expect(headers.get('content-length')).toBe('5')
  expect(ask({}, 'GET', 'w=2')).toBeUndefined()
})

test('a client that has it already is told so, with an id of its own', async () => {
  const { ask, learn } = setUp()
  await learn()
  const response = ask({ 'If-None-Match': '"one"', 'X-Request-ID': id })
  expect([response?.status, response?.body]).toEqual([304, null])
  expect(response?.headers.get('x-request-id')).toBe(id)
  expect(response?.headers.has('content-length')).toBe(false)
  expect(ask()?.headers.get('x-request-id')).toBe('id-1')
})

test.each([
  ['another method', 'HEAD', {}],
  ['a part', 'GET', { Range: 'bytes=0-1' }],
  ['a tag that is no longer its own', 'GET', { 'If-None-Match': '"two"' }],
  ['a weak tag', 'GET', { 'If-None-Match': 'W/"one"' }],
  ['one of several tags', 'GET', { 'If-None-Match': '"one", "two"' }],
  ['a date', 'GET', { 'If-Modified-Since': 'Thu, 01 Jan 2026 00:00:00 GMT' }],
  ['a condition', 'GET', { 'If-Match': '"one"' }],
  ['a condition of time', 'GET', { 'If-Unmodified-Since': 'Thu, 01 Jan 2026 00:00:00 GMT' }],
  ['a version of the interface', 'GET', { 'X-API-Version': '2026-04-01' }],
  ['a script that stays', 'GET', { 'Service-Worker': 'script' }],
  ['two hosts', 'GET', { Host: 'cache.test, other.test' }],
  ['another format', 'GET', { Accept: 'image/png' }],
])('the general way is taken for %s', async (_what, method, headers) => {
  const { ask, learn, rows } = setUp()
  await learn()
  expect(ask(headers, method)).toBeUndefined()
  expect(rows()).toEqual([])
})

test.each([
  ['a refusal', () => new Response('no', { status: 404, headers: fields })],
  ['what nobody may keep', image({ 'Cache-Control': 'private, no-cache' })],
  ['what is made of no asset', image({ 'Cache-Tag': 'zone-acme' })],
  ['what is made of an asset that is not there', image({ 'Cache-Tag': 'path:acme/v1/none.jpg' })],
  ['what is counted while it is sent', image({}, 'x'.repeat(256 * 1024 + 1))],
] as const)('%s is not learnt', async (_what, origin) => {
  const { ask, learn } = setUp(origin)
  await learn()
  expect(ask()).toBeUndefined()
})

test('a misspelled parameter is not learnt, for it is told to the one who sent it', async () => {
  const { ask, learn } = setUp()
  await learn('w=1&widht=2')
  expect(ask({}, 'GET', 'w=1&widht=2')).toBeUndefined()
})

test('nothing is sent that was purged, is stale, or was made of what is gone', async () => {
  const { edge, ask, learn, assets } = setUp()
  const { generations } = edge
  await learn()
  generations.purge({ tags: ['zone-acme'] })
  expect(ask()).toBeUndefined()
  await learn()
  expect(ask()).toBeDefined()
  generations.purge({ tags: ['zone-acme'], soft: true })
  expect(ask()).toBeUndefined()
  generations.purge({ everything: true })
  await learn()
  edge.passSeconds(59)
  expect(ask()?.headers.get('age')).toBe('59')
  edge.passSeconds(2)
  expect(ask()).toBeUndefined()
  generations.purge({ everything: true })
  await learn()
  assets.clear()
  edge.passSeconds(1)
  expect(ask()).toBeUndefined()
})

test('each client gets what it takes', async () => {
  const { ask, learn } = setUp((request) =>
    image({}, `for ${request.headers.get('accept')}`)(request, 1),
  )
  for (const accept of ['image/avif', 'image/webp']) await learn('w=1', { Accept: accept })
  for (const accept of ['image/avif', 'image/webp', 'image/avif'])
    expect(await ask({ Accept: accept })?.text()).toBe(`for ${accept}`)
})

test('all are counted, over many seconds and takings away', async () => {
  const { edge, ask, learn, rows, told } = setUp()
  await learn()
  for (let round = 0; round < 3; round += 1) {
    for (let count = 0; count < 4; count += 1) ask()
    edge.passSeconds(1)
    ask({ 'If-None-Match': '"one"' })
    ask({ Referer: 'of a page of ours' })
    expect(rows()).toEqual([
      { status: 200, requests: 4, bytes: 20 },
      { status: 304, requests: 1, bytes: 0 },
    ])
  }
  expect(told).toHaveLength(18)
  expect(told[0]).toMatchObject({ asset: path, bodyBytes: 5, peerAddress: '::1', milliseconds: 0 })
})

test('a URL stands for another as long as nothing happens that it depends on', async () => {
  const { edge, hot, learn } = setUp()
  const { generations } = edge
  await learn()
  const url = 'https://cache.test/acme/v1/a.jpg/card.webp'
  const standIn = { url: 'https://cache.test/api/transform?w=1', counters: ['path /acme/v1/b'] }
  hot.learn(new Request(url), { ...standIn, generation: generations.newest })
  expect(hot.fetch(new Request(url), '::1')).toBeDefined()
  generations.purge({ urls: ['/acme/v1/c'] })
  expect(hot.fetch(new Request(url), '::1')).toBeDefined()
  const { newest } = generations
  generations.purge({ urls: ['/acme/v1/b'] })
  expect(hot.fetch(new Request(url), '::1')).toBeUndefined()
  // It happened while somebody waited for the response.
  hot.learn(new Request(url), { ...standIn, generation: newest })
  expect(hot.fetch(new Request(url), '::1')).toBeUndefined()
  hot.clear()
  expect(hot.fetch(new Request(standIn.url), '::1')).toBeUndefined()
})
