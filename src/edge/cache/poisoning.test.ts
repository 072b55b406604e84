import { expect, test } from 'bun:test'

import { MemoryStore } from './store/memory-store.ts'
import { createOriginClient } from './origin/origin-client.ts'
import { createPurgeGenerations } from '../purge/purge-generations.ts'
import { createHttpCache } from './http-cache.ts'
import { setUpCache } from './testing.ts'

/** An origin that believes whatever a client says about host, address and method, as many do. */
function gullibleOrigin() {
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: ({ method, headers }) => {
      const said = ['x-forwarded-host', 'x-host', 'x-original-url', 'x-rewrite-url', 'forwarded']
      const override = headers.get('x-http-method-override')
      const body = [method, override, ...said.map((name) => headers.get(name))].join('|')
      return new Response(body, { headers: { 'cache-control': 'max-age=60' } })
    },
  })
  return { url: server.url, [Symbol.asyncDispose]: () => server.stop(true) }
}

for (const [name, value] of [
  ['x-forwarded-host', 'evil.test'],
  ['x-host', 'evil.test'],
  ['x-original-url', '/admin'],
  ['x-rewrite-url', '/admin'],
  ['forwarded', 'host=evil.test'],
  ['x-http-method-override', 'DELETE'],
] as const)
  test(`${name} of one client never shows in the answer of another, nor reaches the origin`, async () => {
    await using origin = gullibleOrigin()
    await using cache = createHttpCache({
      store: new MemoryStore({ maxBytes: 2 ** 24, maxVariants: 32 }),
      generations: createPurgeGenerations(),
      fetchOrigin: createOriginClient({ origin: origin.url, clientAddressOf: () => '192.0.2.1' }),
      now: Date.now,
    })
    const url = 'http://good.test/a'
    const attack = await cache.fetch(new Request(url, { headers: { [name]: value } }))
    expect(await attack.text()).toBe('GET||good.test||||')

    expect(await (await cache.fetch(new Request(url))).text()).toBe('GET||good.test||||')
  })

for (const status of [400, 403, 405, 413, 414, 431, 500, 501, 502, 503])
  test(`a ${status} that one client provoked is not what the next one gets`, async () => {
    await using edge = setUpCache({
      origin: (request) =>
        request.headers.has('x-odd')
          ? new Response('error', { status, headers: { 'cache-control': 'public, max-age=3600' } })
          : new Response('good', { headers: { 'cache-control': 'max-age=3600' } }),
    })
    expect(await (await edge.get('/a', { 'x-odd': 'x'.repeat(20_000) })).text()).toBe('error')

    expect(await (await edge.get('/a')).text()).toBe('good')
  })

test('a range, a condition or a body on GET of one client never cuts the answer of another', async () => {
  const headers = { 'cache-control': 'max-age=60', etag: '"a"' }
  await using edge = setUpCache({
    origin: (request) => {
      if (request.headers.has('range')) return new Response('p', { status: 206, headers })
      return request.headers.has('if-none-match')
        ? new Response(null, { status: 304, headers })
        : new Response('whole', { headers })
    },
  })
  await edge.get('/a', { range: 'bytes=0-0' })
  await edge.get('/a', { 'if-none-match': '"a"', 'content-length': '5' })
  await edge.get('/a', { 'if-match': '"b"' })

  expect(await (await edge.get('/a')).text()).toBe('whole')
})

test('addresses that differ in host, scheme, port, path case or query are never one', async () => {
  await using edge = setUpCache({
    origin: ({ url }) => new Response(url, { headers: { 'cache-control': 'max-age=60' } }),
  })
  const urls = [
    'https://a.test/x',
    'http://a.test/x',
    'https://a.test:8443/x',
    'https://b.test/x',
    'https://a.test/X',
    'https://a.test/x?',
    'https://a.test/x?a=1&b=2',
    'https://a.test/x?b=2&a=1',
    'https://a.test/x%2Fy',
    'https://a.test/x/y',
    'https://a.test/x;y',
    'https://a.test/x%3By',
  ]
  for (const round of [1, 2])
    for (const url of urls) {
      const body = await (await edge.cache.fetch(new Request(url))).text()
      expect(`${round} ${body}`).toBe(`${round} ${new URL(url).href}`)
    }
  expect(edge.asked).toHaveLength(urls.length)
})

test('coding lists that an origin may read otherwise than we do are variants of their own', async () => {
  await using edge = setUpCache({
    origin: ({ headers }) =>
      new Response(headers.get('accept-encoding'), {
        headers: { 'cache-control': 'max-age=60', vary: 'accept-encoding' },
      }),
  })
  for (const value of ['gzip;q=oops', '', 'gzip', 'gzip;level=9', 'gzip;q=0', 'identity'])
    expect(await (await edge.get('/a', { 'accept-encoding': value })).text()).toBe(value)
})
