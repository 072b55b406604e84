import { expect, test } from 'bun:test'
import { createHash } from 'node:crypto'

import { PublishedWorld } from '../../../test/fixtures/published-world.ts'
import { ServiceError } from '../../domain/errors.ts'
import { createEdge, type EdgeDependencies } from './edge.ts'

const base = 'https://cdn.example'
const path = 'acme/v1/icons/a.svg'
const stored = `<svg>${'<script/>'.repeat(100)}</svg>`
const safe = '<svg></svg>'
const safeTag = `"${createHash('sha256').update(safe).digest('hex')}"`
const rules = '/acme/v1/icons/*\n X-Sanitize: svg'

async function setUp({ headers = rules, ...given }: SetUp = {}) {
  const world = new PublishedWorld()
  const record = await world.publish(path, stored)
  world.putRules('_headers', headers)
  const asked: string[] = []
  const edge = createEdge({
    manifest: world,
    feed: world,
    blobs: world.blobs,
    sanitise: async ({ sha256 }) => {
      asked.push(sha256)
      return new TextEncoder().encode(safe)
    },
    settings: { baseUrl: base },
    ...given,
  })
  const get = async (address = `/${path}`, init?: RequestInit) =>
    edge.fetch(new Request(new URL(address, base), init))
  return { world, record, edge, asked, get }
}

type SetUp = { readonly headers?: string } & Pick<
  Partial<EdgeDependencies>,
  'sanitise' | 'elsewhere'
>

test('a drawing for which a rule asks it is sent sanitised, as what it is', async () => {
  const { get, asked } = await setUp()
  for (const cache of ['miss', 'hit']) {
    const answer = await get(undefined, { headers: { 'Accept-Encoding': 'br, gzip' } })
    expect(answer.status).toBe(200)
    expect(await answer.text()).toBe(safe)
    expect(answer.headers.get('content-type')).toBe('image/svg+xml')
    expect(answer.headers.get('etag')).toBe(safeTag)
    expect(answer.headers.has('content-encoding')).toBeFalse()
    expect(answer.headers.get('cache-status')).toContain(cache)
  }
  expect(asked.length).toBe(1)
})

test('the field that asks is never sent, with whatever answer', async () => {
  const { get } = await setUp({ headers: '/*\n X-Sanitize: svg\n X: 1' })
  for (const address of [`/${path}`, '/acme/v1/none.svg', `/clients/${path}`]) {
    const { headers } = await get(address, { redirect: 'manual' })
    expect([headers.get('x'), headers.get('x-sanitize')]).toEqual(['1', null])
  }
})

test('its validators, ranges and digest are of the sanitised bytes', async () => {
  const { get, record } = await setUp()
  const part = await get(undefined, { headers: { Range: 'bytes=1-3', 'If-Range': safeTag } })
  expect([part.status, await part.text()]).toEqual([206, 'svg'])
  expect((await get(undefined, { headers: { 'If-None-Match': safeTag } })).status).toBe(304)
  const other = await get(undefined, { headers: { 'If-None-Match': `"${record.sha256}"` } })
  expect(other.status).toBe(200)
  const digest = await get(undefined, { headers: { 'Want-Repr-Digest': 'sha-256=1' } })
  expect(digest.headers.get('repr-digest')).toBe(
    `sha-256=:${createHash('sha256').update(safe).digest('base64')}:`,
  )
})

test('whoever has the stored bytes does not keep them for their date', async () => {
  const { get } = await setUp()
  const headers = { 'If-Modified-Since': new Date().toUTCString() }
  const answer = await get(undefined, { headers })
  expect([answer.status, answer.headers.get('last-modified')]).toEqual([200, null])
})

test('an address with the hash of the stored bytes does not promise them for ever', async () => {
  const { get, record } = await setUp()
  const answer = await get(`/${path}?v=${record.sha256.slice(0, 12)}`)
  expect(await answer.text()).toBe(safe)
  expect(answer.headers.get('cache-control')).not.toContain('immutable')
})

test('it follows the rules: what they ask now is sent from the next answer on', async () => {
  const { get, world } = await setUp()
  expect(await (await get()).text()).toBe(safe)
  world.putRules('_headers', '/acme/v1/icons/*\n X-Sanitize: html')
  expect(await (await get()).text()).toBe(stored)
  world.putRules('_headers', `${rules}\n/acme/v1/icons/a.svg\n ! X-Sanitize`)
  expect(await (await get()).text()).toBe(stored)
  world.putRules('_headers', rules)
  expect(await (await get()).text()).toBe(safe)
})

test('it is asked by the address that the client used', async () => {
  const { get, world } = await setUp()
  await world.publish('acme/v1/logos/b.svg', stored)
  world.putRules('_redirects', '/acme/v1/icons/b.svg /acme/v1/logos/b.svg 200')
  expect(await (await get('/acme/v1/icons/b.svg')).text()).toBe(safe)
  expect(await (await get('/acme/v1/logos/b.svg')).text()).toBe(stored)
})

test('a drawing is one by its name or by the type it is sent as; other files stay as they are', async () => {
  const { get, world } = await setUp({
    headers: '/*\n X-Sanitize: svg\n/*/typed.bin\n Content-Type: image/svg+xml',
  })
  await world.publish('acme/v1/icons/typed.bin', stored)
  await world.publish('acme/v1/icons/named.svg', stored, { contentType: 'text/html' })
  await world.publish('acme/v1/icons/a.html', stored)
  expect(await (await get('/acme/v1/icons/typed.bin')).text()).toBe(safe)
  const named = await get('/acme/v1/icons/named.svg')
  expect([await named.text(), named.headers.get('content-type')]).toEqual([safe, 'image/svg+xml'])
  expect(await (await get('/acme/v1/icons/a.html')).text()).toBe(stored)
})

test('what cannot be made safe is refused with 422 and not sent', async () => {
  const { get } = await setUp({
    sanitise: () => Promise.reject(new ServiceError('UnprocessableImage', 'The image is none')),
  })
  for (const method of ['GET', 'HEAD']) {
    const answer = await get(undefined, { method })
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([422, 'no-store'])
  }
})

test('an edge that cannot sanitise sends nothing, or leaves the answer to one that can', async () => {
  const without = { sanitise: undefined }
  expect((await (await setUp(without)).get()).status).toBe(503)
  const { get } = await setUp({ ...without, elsewhere: () => new Response('from elsewhere') })
  expect(await (await get()).text()).toBe('from elsewhere')
})

test('what is overwritten while it is made safe is answered as it is now', async () => {
  let overwrite = async (): Promise<unknown> => undefined
  const { get, world } = await setUp({
    sanitise: async ({ sizeBytes }) => {
      if (sizeBytes > 1) await overwrite()
      throw new ServiceError('UnprocessableImage', String(sizeBytes))
    },
  })
  overwrite = () => world.publish(path, 'x')
  expect(await (await get()).json()).toMatchObject({ HttpCode: 422, Message: '1' })
})
