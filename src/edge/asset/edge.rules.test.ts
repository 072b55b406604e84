import { expect, test } from 'bun:test'

import { PublishedWorld } from '../../../test/fixtures/published-world.ts'
import { createPurgeGenerations } from '../purge/purge-generations.ts'
import { createEdge } from './edge.ts'
import { createHitTap } from '../hits/hit-tap.ts'

const path = 'acme/v1/logos/a.png'
const base = 'https://cdn.example'

async function setUp({ headers = '', redirects = '' } = {}) {
  const world = new PublishedWorld()
  await world.publish(path, 'picture')
  await world.publish('acme/v1/logos/b.png', 'other picture')
  if (headers !== '') world.putRules('_headers', headers)
  if (redirects !== '') world.putRules('_redirects', redirects)
  const purges = createPurgeGenerations()
  const tap = createHitTap()
  const edge = createEdge({
    manifest: world,
    feed: world,
    blobs: world.blobs,
    purges,
    tap,
    settings: { baseUrl: base },
    countryOf: (request) => request.headers.get('x-country') ?? 'XX',
  })
  const get = async (url: string, init?: RequestInit) =>
    edge.fetch(new Request(new URL(url, base), { redirect: 'manual', ...init }))
  return { world, edge, purges, tap, get }
}

test('header rules apply to 200, HEAD, 304, 206, 404, and to redirects', async () => {
  const { get } = await setUp({ headers: '/*\n X: 1', redirects: '/old /new' })
  const etag = (await get(`/${path}`)).headers.get('etag') ?? ''
  const answers = [
    await get(`/${path}`),
    await get(`/${path}`, { method: 'HEAD' }),
    await get(`/${path}`, { headers: { 'If-None-Match': etag } }),
    await get(`/${path}`, { headers: { Range: 'bytes=0-1' } }),
    await get('/none'),
    await get('/old'),
    await get(`/clients/${path}`),
    await get(`/${path}`, { headers: { 'If-Match': '"x"' } }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 304, 206, 404, 302, 301, 412])
  expect(answers.map(({ headers }) => headers.get('x'))).toEqual(Array(8).fill('1'))
})

test('a fault of the service is left alone by rules', async () => {
  const { get, world } = await setUp({ headers: '/*\n X: 1' })
  await world.blobs.remove((await world.publish(path, 'gone')).sha256)
  const answer = await get(`/${path}`)
  expect([answer.status, answer.headers.get('x')]).toEqual([503, null])
})

test('no rule makes a refusal storable or changes what it is', async () => {
  const { get } = await setUp({
    headers: '/*\n Cache-Control: public, max-age=9\n Content-Type: text/html',
  })
  const answer = await get('/none')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.headers.get('content-type')).toStartWith('application/json')
})

test('a rule overrides and removes the server’s own fields', async () => {
  const { get } = await setUp({
    headers: '/*\n Cache-Control: no-cache\n Content-Type: text/x-own\n ! ETag\n ! Last-Modified',
  })
  const { headers } = await get(`/${path}`)
  expect(headers.get('cache-control')).toBe('no-cache')
  expect(headers.get('content-type')).toBe('text/x-own')
  expect(headers.has('etag')).toBeFalse()
  const conditional = await get(`/${path}`, {
    headers: { 'If-Modified-Since': new Date().toUTCString() },
  })
  expect(conditional.status).toBe(200)
})

test('tags from rules are added to the asset’s own, under both names', async () => {
  const { get } = await setUp({ headers: '/*\n Cache-Tag: spring, sale' })
  const { headers } = await get(`/${path}`)
  expect(headers.get('cache-tag')).toEndWith(',all-assets,spring,sale')
  expect(headers.get('surrogate-key')).toEndWith(' all-assets spring sale')
})

test('changed rules hold from the next answer on, also for a hot asset', async () => {
  const { get, world } = await setUp()
  await get(`/${path}`)
  world.putRules('_headers', '/*\n X: 1')
  expect((await get(`/${path}`)).headers.get('x')).toBe('1')
  world.putRules('_redirects', `/${path} /elsewhere 301`)
  expect((await get(`/${path}`)).headers.get('location')).toBe('/elsewhere')
  world.putRules('_redirects', '')
  expect((await get(`/${path}`)).status).toBe(200)
})

test('header rules look at the address that was asked for, not at what it was rewritten to', async () => {
  const { get } = await setUp({
    headers: '/short.png\n X: asked\n/acme/*\n X: target',
    redirects: `/short.png /${path} 200`,
  })
  const answer = await get('/short.png')
  expect(await answer.text()).toBe('picture')
  expect(answer.headers.get('x')).toBe('asked')
})

test('a redirect shadows an asset and takes the query along', async () => {
  const { get } = await setUp({ redirects: `/${path} /b.png 301` })
  const answer = await get(`/${path}?x=1`)
  expect([answer.status, answer.headers.get('location')]).toEqual([301, '/b.png?x=1'])
})

test('redirects answer any method', async () => {
  const { get } = await setUp({ redirects: '/old /new 308' })
  expect((await get('/old', { method: 'POST' })).status).toBe(308)
})

test('a rewrite is not followed by another rule, and its target missing is the plain 404', async () => {
  const { get } = await setUp({ redirects: `/a /b 200\n/b /${path} 200\n/c /none 200` })
  expect((await get('/a')).status).toBe(404)
  expect((await get('/b')).status).toBe(200)
  expect((await get('/c')).status).toBe(404)
})

test('a rewrite reaches neither private files nor, from a custom domain, another zone', async () => {
  const { get, world } = await setUp({
    redirects: '/p /acme/v1/private/x 200\n/o /other/v1/x/y 200\n/v1/o /other/v1/x/y 200',
  })
  await world.publish('acme/v1/private/x', 'secret')
  await world.publish('other/v1/x/y', 'foreign')
  world.putDomain('img.acme.example', 'acme')

  expect((await get('/p')).status).toBe(404)
  expect((await get('/o')).status).toBe(200)
  expect((await get('https://img.acme.example/v1/o')).status).toBe(404)
})

test('a rule can show an asset instead of what is gone: whole, with its status, kept by nobody', async () => {
  const { get, world } = await setUp({ redirects: '/gone/* /acme/v1/pages/gone.html 410' })
  await world.publish('acme/v1/pages/gone.html', '<p>gone</p>')
  for (const headers of [{}, { Range: 'bytes=0-1' }, { 'If-None-Match': '*' }]) {
    const answer = await get('/gone/1', { headers })
    expect([answer.status, await answer.text()]).toEqual([410, '<p>gone</p>'])
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.has('etag')).toBeFalse()
  }
  const head = await get('/gone/1', { method: 'HEAD' })
  expect([head.status, await head.text(), head.headers.get('content-length')]).toEqual([
    410,
    '',
    '11',
  ])
})

test('a rule that looks at the client is asked anew for each, and its answers stay private', async () => {
  const { get } = await setUp({
    redirects: `/x /${path} 200 Country=de\n/x /acme/v1/logos/b.png 200`,
  })
  const ask = (country: string) => get('/x', { headers: { 'x-country': country } })
  for (let round = 0; round < 3; round += 1) {
    const [german, french] = [await ask('DE'), await ask('FR')]
    expect([await german.text(), await french.text()]).toEqual(['picture', 'other picture'])
    expect(french.headers.get('cache-control')).toBe('private, no-cache')
  }
})

test('a rule that looks at the query does not change the answer without it', async () => {
  const { get } = await setUp({ redirects: `/${path} size=big /acme/v1/logos/b.png 200` })
  for (let round = 0; round < 3; round += 1) {
    expect(await (await get(`/${path}?size=big`)).text()).toBe('other picture')
    expect(await (await get(`/${path}`)).text()).toBe('picture')
    expect(await (await get(`/${path}?size=small`)).text()).toBe('picture')
  }
})

test('captures cannot inject a header or another host', async () => {
  const { get } = await setUp({ headers: '/x/*\n X: :splat', redirects: '/r/* /:splat' })
  expect((await get('/x/a%0d%0aSet-Cookie:%20b')).headers.get('x')).toBe('a%0d%0aSet-Cookie:%20b')
  expect((await get('/r//evil.example')).headers.get('location')).toBe('/evil.example')
  expect((await get('/r/%5cevil.example')).headers.get('location')).toStartWith('/%5c')
})

test('rules say nothing about requests that name no host of ours', async () => {
  const { get } = await setUp({ headers: '/*\n X: 1', redirects: '/* /x' })
  const answer = await get('https://stranger.example/y')
  expect([answer.status, answer.headers.get('x')]).toEqual([404, null])
})

test('what is purged is forgotten, and nothing else', async () => {
  const { get, purges } = await setUp()
  const statusOf = async (name: string) =>
    (await get(`/acme/v1/logos/${name}.png`)).headers.get('cache-status')
  await statusOf('a')
  await statusOf('b')
  purges.purge({ urls: [`${base}/${path}`] })
  expect([await statusOf('a'), await statusOf('b')]).toEqual([
    'sedge; fwd=uri-miss; stored',
    'sedge; hit',
  ])
  purges.purge({ tags: ['zone-acme'] })
  expect(await statusOf('b')).toBe('sedge; fwd=uri-miss; stored')
  expect(await statusOf('b')).toBe('sedge; hit')
})
