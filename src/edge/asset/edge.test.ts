import { expect, test } from 'bun:test'

import { PublishedWorld } from '../../../test/fixtures/published-world.ts'
import type { BlobStore } from '../../ports/content/blob-store.ts'
import { createEdge, type EdgeSettings } from './edge.ts'
import { createHitTap } from '../hits/hit-tap.ts'

const path = 'acme/v1/logos/a.png'
const base = 'https://cdn.example'

async function setUp(settings: EdgeSettings = { baseUrl: base }) {
  const world = new PublishedWorld()
  const record = await world.publish(path, 'picture')
  const tap = createHitTap()
  const edge = createEdge({ manifest: world, feed: world, blobs: world.blobs, tap, settings })
  const get = async (url: string, init?: RequestInit) =>
    edge.fetch(new Request(new URL(url, base), { redirect: 'manual', ...init }))
  return { world, record, tap, edge, get }
}

test('a published asset is delivered with its bytes, its type and its validators', async () => {
  const { get, record } = await setUp()
  const answer = await get(`/${path}`)

  expect(answer.status).toBe(200)
  expect(await answer.text()).toBe('picture')
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'image/png',
    etag: `"${record.sha256}"`,
    'last-modified': 'Sun, 01 Mar 2026 12:00:00 GMT',
    'accept-ranges': 'bytes',
    'x-content-type-options': 'nosniff',
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    'timing-allow-origin': '*',
    'cache-control': 'public, max-age=60, stale-while-revalidate=600',
    'cache-tag': `zone-acme,project-acme,category-logos,type-logos,format-png,asset-${record.sha256.slice(0, 12)},all-assets`,
    'surrogate-key': `zone-acme project-acme category-logos type-logos format-png asset-${record.sha256.slice(0, 12)} all-assets`,
  })
  expect(answer.headers.has('x-request-id')).toBeFalse()
})

test('the first answer is a miss and the next a hit, with the same fields otherwise', async () => {
  const { get } = await setUp()
  const [first, second] = [await get(`/${path}`), await get(`/${path}`)]

  expect(first.headers.get('cache-status')).toBe('sedge; fwd=uri-miss; stored')
  expect(second.headers.get('cache-status')).toBe('sedge; hit')
  expect([...second.headers.keys()]).toEqual([...first.headers.keys()])
})

test('HEAD has the fields of GET and no body', async () => {
  const { get } = await setUp()
  await get(`/${path}`)
  const [got, head] = [await get(`/${path}`), await get(`/${path}`, { method: 'HEAD' })]

  expect(await head.text()).toBe('')
  expect(head.headers.get('content-length')).toBe('7')
  for (const [name, value] of got.headers) expect(head.headers.get(name)).toBe(value)
})

test('an overwritten asset is never answered with its old bytes', async () => {
  const { get, world } = await setUp()
  for (let version = 0; version < 20; version += 1) {
    await world.publish(path, `version ${version}`)
    expect(await (await get(`/${path}`)).text()).toBe(`version ${version}`)
    expect(await (await get(`/${path}`)).text()).toBe(`version ${version}`)
  }
})

test('an asset overwritten while its bytes are read is answered as it is now', async () => {
  const { get, world } = await setUp()
  const reading = get(`/${path}`)
  await world.publish(path, 'newer')
  expect(await (await reading).text()).toBe('newer')
})

test('an asset that is overwritten whenever it is read is answered as it was since the request came', async () => {
  const world = new PublishedWorld()
  let version = 0
  const publish = () => world.publish(path, `version ${(version += 1)}`)
  const read: BlobStore['read'] = async (sha256) => {
    const bytes = await world.blobs.read(sha256)
    await publish()
    return bytes
  }
  const blobs = { read, open: (sha256: string) => world.blobs.open(sha256) }
  await publish()
  const edge = createEdge({ manifest: world, blobs, settings: { baseUrl: base } })
  for (let time = 0; time < 5; time += 1) {
    const least = version
    const answer = await edge.fetch(new Request(`${base}/${path}`))
    expect(answer.status).toBe(200)
    expect(Number((await answer.text()).split(' ')[1])).toBeGreaterThanOrEqual(least)
  }
})

test('a removed asset is gone at once, also when it was hot', async () => {
  const { get, world } = await setUp()
  await get(`/${path}`)
  world.remove(path)
  expect((await get(`/${path}`)).status).toBe(404)
})

test.each([
  ['disabled', { enabled: false }, 404, 'AssetNotFound'],
  ['suspended', { suspended: true }, 403, 'ZoneSuspended'],
] as const)('a zone that is %s answers so at once, also for a hot asset', async (...row) => {
  const [, flags, status, code] = row
  const { get, world } = await setUp()
  await get(`/${path}`)
  world.putZone('acme', flags)
  const answer = await get(`/${path}`)

  expect(answer.status).toBe(status)
  expect(await answer.json()).toMatchObject({ error: { code }, HttpCode: status })
  world.putZone('acme')
  expect((await get(`/${path}`)).status).toBe(200)
})

test('the private category is not there', async () => {
  const { get, world } = await setUp()
  await world.publish('acme/v1/private/a.pdf', 'secret')
  const [hidden, missing] = [await get('/acme/v1/private/a.pdf'), await get('/acme/v1/x/a.pdf')]

  expect(hidden.status).toBe(404)
  expect((await hidden.json()).message).toBe((await missing.json()).message)
})

test('a refusal has the standard envelope and says who handled it', async () => {
  const { get } = await setUp()
  const answer = await get('/acme/v1/logos/none.png')

  expect(answer.status).toBe(404)
  expect(answer.headers.get('x-api-version')).toBe('2026-04-01')
  expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/u)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(await answer.json()).toMatchObject({
    error: { code: 'AssetNotFound', target: null, details: [], innererror: null },
    HttpCode: 404,
    requestId: answer.headers.get('x-request-id'),
    apiVersion: '2026-04-01',
  })
})

test('a request id is kept and echoed, with the version; a malformed one is replaced', async () => {
  const { get } = await setUp()
  const id = 'b2e5a1de-4a8f-4f3e-9d35-6f3a2f0f6a11'
  const kept = await get(`/${path}`, { headers: { 'X-Request-ID': id } })
  const replaced = await get(`/${path}`, { headers: { 'X-Request-ID': 'x' } })

  expect(kept.headers.get('x-request-id')).toBe(id)
  expect(kept.headers.get('x-api-version')).toBe('2026-04-01')
  expect(replaced.headers.get('x-request-id')).toMatch(/^[0-9a-f]{8}-/u)
})

test('clients/… is sent to the clean path for good, query and all', async () => {
  const { get } = await setUp()
  const answer = await get(`/clients/${path}?w=1`)

  expect(answer.status).toBe(301)
  expect(answer.headers.get('location')).toBe(`/${path}?w=1`)
})

test.each([
  ['/acme//v1///logos/a.png?x=1', '/acme/v1/logos/a.png?x=1'],
  ['/acme/v1/logos/%61.png', '/acme/v1/logos/a.png'],
  ['/acme/v1/logos%2Fa.png', '/acme/v1/logos/a.png'],
  ['/acme/v1/logos/a@2x.png', '/acme/v1/logos/a%402x.png'],
  ['/acme/v1/logos/%c3%a9.png', '/acme/v1/logos/%C3%A9.png'],
])('%s is sent to its one spelling %s', async (asked, canonical) => {
  const { get, world } = await setUp()
  await world.publish('acme/v1/logos/a@2x.png', 'x')
  await world.publish('acme/v1/logos/é.png', 'x')
  const answer = await get(asked)

  expect(answer.status).toBe(307)
  expect(answer.headers.get('location')).toBe(canonical)
  expect((await get(canonical)).status).toBe(200)
})

test('a path that names nothing is 404 however it is spelled; a malformed escape is 400', async () => {
  const { get } = await setUp()
  expect((await get('/acme//v1/none.png')).status).toBe(404)
  expect((await get('/acme/v1/%zz')).status).toBe(400)
  expect((await get('/acme/v1/%ff')).status).toBe(400)
})

test('a path is asked for exactly: an escape of an escape is another name', async () => {
  const { get, world } = await setUp()
  await world.publish('acme/v1/logos/%5B.png', 'literal')
  expect((await get('/acme/v1/logos/%5B.png')).status).toBe(404)
  expect(await (await get('/acme/v1/logos/%255B.png')).text()).toBe('literal')
})

test.each(['POST', 'PUT', 'DELETE', 'PATCH', 'PROPFIND'])(
  '%s on an asset is 405 and says what works; on nothing it is 404',
  async (method) => {
    const { get } = await setUp()
    await get(`/${path}`)
    const answer = await get(`/${path}`, { method })

    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS')
    expect((await get('/acme/v1/none', { method })).status).toBe(404)
  },
)

test('OPTIONS is a preflight that lets every origin read', async () => {
  const { get } = await setUp()
  const answer = await get(`/${path}`, { method: 'OPTIONS' })

  expect(answer.status).toBe(204)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET, HEAD, OPTIONS',
    'access-control-max-age': '86400',
  })
})

test("a custom domain shows its own zone, with and without the zone's name, and no other", async () => {
  const { get, world } = await setUp()
  await world.publish('other/v1/logos/b.png', 'foreign')
  world.putDomain('img.acme.example', 'acme')

  expect(await (await get('https://img.acme.example/v1/logos/a.png')).text()).toBe('picture')
  expect(await (await get(`https://img.acme.example/${path}`)).text()).toBe('picture')
  expect((await get('https://img.acme.example/other/v1/logos/b.png')).status).toBe(404)
})

test('a domain that moves to another zone takes nothing along', async () => {
  const { get, world } = await setUp()
  await world.publish('other/v1/logos/a.png', 'foreign')
  world.putDomain('img.acme.example', 'acme')
  await get('https://img.acme.example/v1/logos/a.png')
  world.putDomain('img.acme.example', 'other')

  expect(await (await get('https://img.acme.example/v1/logos/a.png')).text()).toBe('foreign')
  world.putDomain('img.acme.example', undefined)
  expect((await get('https://img.acme.example/v1/logos/a.png')).status).toBe(404)
})

test('a host name that is nobody’s shows nothing, unless no address of our own is set', async () => {
  const strict = await setUp()
  expect((await strict.get(`https://evil.example/${path}`)).status).toBe(404)
  for (const host of ['localhost:8788', '127.0.0.1:1', '[::1]:8788', 'cdn.example'])
    expect((await strict.get(`http://${host}/${path}`)).status).toBe(200)

  const open = await setUp({})
  expect((await open.get(`https://anything.example/${path}`)).status).toBe(200)
})

test('a host name that becomes a zone’s own stops showing other zones', async () => {
  const { get, world } = await setUp({})
  await world.publish('other/v1/logos/b.png', 'foreign')
  expect((await get('https://x.example/other/v1/logos/b.png')).status).toBe(200)
  world.putDomain('x.example', 'acme')
  expect((await get('https://x.example/other/v1/logos/b.png')).status).toBe(404)
})

test('an address with the hash of the bytes holds for ever, and is 404 for any other bytes', async () => {
  const { get, world, record } = await setUp()
  const address = `/${path}?v=${record.sha256.slice(0, 8)}`
  const pinned = await get(address)

  expect(pinned.status).toBe(200)
  expect(pinned.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  await world.publish(path, 'changed')
  expect((await get(address)).status).toBe(404)
})

test('a v that is no hash of at least eight digits means nothing', async () => {
  const { get } = await setUp()
  for (const v of ['2', 'abcdef1', 'latest', ''])
    expect((await get(`/${path}?v=${v}`)).headers.get('cache-control')).toStartWith(
      'public, max-age=60',
    )
})

test('an address with the commit answers the bytes of that commit for ever', async () => {
  const { get } = await setUp()
  const pinned = await get(`/@c0ffee0/${path}`)

  expect(pinned.status).toBe(200)
  expect(pinned.headers.get('cache-control')).toEndWith('immutable')
  expect((await get(`/@deadbeef/${path}`)).status).toBe(404)
  expect((await get(`/@c0ffee/${path}`)).status).toBe(404)
})

test('bytes that cannot be found are 503, not a crash', async () => {
  const { get, world, record } = await setUp()
  await world.blobs.remove(record.sha256)
  const answer = await get(`/${path}`)

  expect(answer.status).toBe(503)
  expect(answer.headers.get('retry-after')).toBe('5')
})

test('active content is boxed in; a picture is not', async () => {
  const { get, world } = await setUp()
  for (const name of ['a.svg', 'a.html', 'a.xml']) {
    await world.publish(`acme/v1/x/${name}`, '<x/>')
    const policy = (await get(`/acme/v1/x/${name}`)).headers.get('content-security-policy')
    expect(policy).toBe("default-src 'none'; style-src 'unsafe-inline'; sandbox")
  }
  expect((await get(`/${path}`)).headers.has('content-security-policy')).toBeFalse()
})

test('every answer is counted once, with the bytes of its body', async () => {
  const { get, tap, record } = await setUp()
  await get(`/${path}`)
  await get(`/${path}`)
  await get(`/${path}`, { method: 'HEAD' })
  await get(`/${path}`, { headers: { 'If-None-Match': `"${record.sha256}"` } })
  const refusal = await (await get('/acme/v1/none')).text()

  const rows = tap
    .drain()
    .map(({ country: _c, aborted: _a, isAsset: _i, ...row }) => row)
    .toSorted((a, b) => a.status - b.status || a.method.localeCompare(b.method))
    .toSorted((a, b) => Number(a.cache === 'HIT') - Number(b.cache === 'HIT'))
  const about = { zone: 'acme', path }
  expect(rows).toEqual([
    { ...about, method: 'GET', status: 200, cache: 'MISS', requests: 1, bytes: 7 },
    {
      zone: 'acme',
      path: 'acme/v1/none',
      method: 'GET',
      status: 404,
      cache: 'MISS',
      requests: 1,
      bytes: refusal.length,
    },
    { ...about, method: 'GET', status: 200, cache: 'HIT', requests: 1, bytes: 7 },
    { ...about, method: 'HEAD', status: 200, cache: 'HIT', requests: 1, bytes: 0 },
    { ...about, method: 'GET', status: 304, cache: 'HIT', requests: 1, bytes: 0 },
  ])
  expect(tap.drain()).toEqual([])
})

test('eight readers at once never get an older version than one that was there when they asked', async () => {
  const { get, world } = await setUp()
  const state = { published: 0, isDone: false }
  await world.publish(path, '0')
  const read = async (): Promise<void> => {
    while (!state.isDone) {
      const least = state.published
      const version = Number(await (await get(`/${path}`)).text())
      expect(version).toBeGreaterThanOrEqual(least)
    }
  }
  const readers = Array.from({ length: 8 }, read)
  for (let version = 1; version <= 200; version += 1) {
    await world.publish(path, String(version))
    state.published = version
    await Promise.resolve()
  }
  state.isDone = true
  await Promise.all(readers)
})

test('any number of addresses and hosts leaves the room as it is', async () => {
  const { get } = await setUp({ maxMemoryBytes: 100_000 })
  for (let made = 0; made < 2000; made += 1) {
    const answer = await get(`http://host-${made}.example/${path}?x=${made}`)
    expect(answer.status).toBe(200)
  }
  const hot = await get(`http://host-0.example/${path}`)
  expect(hot.headers.get('cache-status')).toContain('miss')
})

test('a 304 says whether the entry was there, and is counted as it says', async () => {
  const { get, tap, record } = await setUp()
  const headers = { 'If-None-Match': `"${record.sha256}"` }
  const said: (string | null)[] = []
  for (let time = 0; time < 2; time += 1)
    said.push((await get(`/${path}`, { headers })).headers.get('cache-status'))

  expect(said).toEqual(['sedge; fwd=uri-miss; stored', 'sedge; hit'])
  expect(tap.drain().map(({ status, cache }) => [status, cache])).toEqual([
    [304, 'MISS'],
    [304, 'HIT'],
  ])
})

test('once its memory is cleared, bytes are read anew', async () => {
  const { edge, get } = await setUp()
  await get(`/${path}`)
  edge.clearMemory()

  const again = await get(`/${path}`)
  expect(again.headers.get('cache-status')).toBe('sedge; fwd=uri-miss; stored')
  expect(await again.text()).toBe('picture')
})
