import { expect, test } from 'bun:test'

import { PublishedWorld } from '../../../test/fixtures/published-world.ts'
import type { WireResponse } from '../../http/wire/wire-response.ts'
import { createHitTap } from '../hits/hit-tap.ts'
import { createPurgeGenerations } from '../purge/purge-generations.ts'
import { createEdge, type EdgeSettings } from './edge.ts'

const base = 'http://cdn.example'
const first = 'acme/v1/logos/first.png'
const path = 'acme/v1/logos/a.png'
const second = 1_795_000_000

/** An edge that was asked for something of the zone before. */
async function setUp(settings: EdgeSettings = {}) {
  const world = new PublishedWorld()
  await world.publish(first, 'first')
  const record = await world.publish(path, 'picture', {
    changedAt: new Date('2026-04-01T12:00:00Z'),
  })
  const [tap, purges] = [createHitTap(), createPurgeGenerations()]
  const options = { baseUrl: base, ...settings }
  const sources = { manifest: world, feed: world, blobs: world.blobs, tap, purges }
  const edge = createEdge({ ...sources, settings: options })
  const fetched = async (url: string, headers = {}) =>
    await edge.fetch(new Request(base + url, { headers }))
  await fetched(`/${first}`)
  tap.drain()
  const wire = (url: string, headers = {}, method = 'GET') =>
    readWire(
      edge.onWire({
        url: base + url,
        method,
        headers: new Headers({ host: 'cdn.example', ...headers }),
        signal: AbortSignal.abort(),
        takesFiles: false,
      }),
    )
  const said = (url: string, headers = {}) => wire(url, headers)?.headers.get('cache-status')
  return { world, record, tap, purges, edge, fetched, wire, said }
}

function readWire(sent: WireResponse | undefined) {
  sent?.setDate(second)
  if (sent === undefined) return undefined
  const { status, bytes, headBytes } = sent
  const [line, ...fields] = Buffer.from(bytes.subarray(0, headBytes))
    .toString('latin1')
    .trimEnd()
    .split('\r\n')
  const headers = new Headers(
    fields.map((field): [string, string] => {
      const [name = '', ...value] = field.split(': ')
      return [name, value.join(': ')]
    }),
  )
  return { line, status, headers, body: Buffer.from(bytes.subarray(headBytes)).toString() }
}

const miss = 'sedge; fwd=uri-miss; stored'
const hit = 'sedge; hit'

test('what is small is sent from its bytes, first as a miss and then as a hit, as the full server sends it', async () => {
  const { wire, fetched, tap, edge } = await setUp()
  const [missed, found] = [wire(`/${path}`), wire(`/${path}`)]
  edge.clearMemory()
  for (const [sent, response] of [
    [missed, await fetched(`/${path}`)],
    [found, await fetched(`/${path}`)],
  ] as const) {
    expect(sent).toMatchObject({ line: 'HTTP/1.1 200 OK', status: 200, body: 'picture' })
    expect(await response.text()).toBe('picture')
    const { date, 'content-length': length, ...fields } = Object.fromEntries(sent?.headers ?? [])
    expect([date, length]).toEqual([new Date(second * 1000).toUTCString(), '7'])
    expect(fields).toEqual(Object.fromEntries(response.headers))
  }
  expect(tap.drain().map(({ cache, requests, bytes }) => [cache, requests, bytes])).toEqual([
    ['HIT', 2, 14],
    ['MISS', 2, 14],
  ])
})

test('each has its own tags, date and type, and what rules and the asset itself say', async () => {
  const { world, wire, fetched, edge } = await setUp()
  await world.publish('acme/v1/logos/b.png', 'b')
  await world.publish('acme/v1/icons/c.webp', 'c', { changedAt: new Date('2026-05-01T12:00:00Z') })
  await world.publish('acme/v1/icons/d.png', 'd', { metadata: { tags: ['spring'] } })
  const names = ['logos/b.png', 'icons/c.webp', 'icons/d.png']
  for (const rules of ['', '/acme/*\n  X-Seen: yes\n  Cache-Tag: more\n']) {
    world.putRules('_headers', rules)
    const sent = names.map((name) => wire(`/acme/v1/${name}`)?.headers)
    edge.clearMemory()
    for (const [at, name] of names.entries()) {
      const { headers } = await fetched(`/acme/v1/${name}`)
      for (const [field, value] of headers) expect(sent[at]?.get(field)).toBe(value)
    }
    edge.clearMemory()
  }
})

test('it is no longer sent once anything that it depends on has changed', async () => {
  const { world, wire, said, purges } = await setUp()
  expect([said(`/${path}`), said(`/${path}`)]).toEqual([miss, hit])

  await world.publish(path, 'another')
  expect(wire(`/${path}`)).toMatchObject({ body: 'another' })
  expect(said(`/${path}`)).toBe(hit)
  world.putRules('_headers', '/*\n  X-New: yes\n')
  expect(wire(`/${path}`)?.headers.get('x-new')).toBe('yes')
  world.putRules('_redirects', `/${path} /${first} 302\n`)
  expect(wire(`/${path}`)).toBeUndefined()
  world.putRules('_redirects', '')
  expect([said(`/${path}`), said(`/${path}`)]).toEqual([miss, hit])
  for (const purge of [{ tags: ['category-logos'] }, { urls: [`/${path}`] }, { zones: ['acme'] }]) {
    purges.purge(purge)
    expect([said(`/${path}`), said(`/${path}`)]).toEqual([miss, hit])
  }
  purges.purge({ tags: ['category-others'] })
  expect(said(`/${path}`)).toBe(hit)
  world.putZone('acme', { suspended: true })
  expect(wire(`/${path}`)).toBeUndefined()
  world.putZone('acme')
  expect(wire(`/${path}`)?.body).toBe('another')
  world.remove(path)
  expect(wire(`/${path}`)).toBeUndefined()
})

test('erased bytes are not sent, nor kept', async () => {
  const { world, wire, record, edge } = await setUp()
  expect(wire(`/${path}`)?.status).toBe(200)
  world.erase(record.sha256)
  expect(wire(`/${path}`)).toBeUndefined()
  edge.clearMemory()
  expect(wire(`/${path}`)).toBeUndefined()
})

test('who asks for more gets it from the same bytes', async () => {
  const { wire, fetched, record } = await setUp()
  const etag = `"${record.sha256}"`
  const wanted = [
    [{ 'if-none-match': etag }, 304, ''],
    [{ range: 'bytes=1-3' }, 206, 'ict'],
  ] as const
  for (const [headers, status, body] of wanted) {
    await fetched(`/${first}`)
    wire(`/${path}`)
    const sent = wire(`/${path}`, headers)
    expect(sent).toMatchObject({ status, body })
    expect(sent?.headers.get('cache-status')).toBe(hit)
  }
  expect(wire(`/${path}`, {}, 'HEAD')).toMatchObject({ status: 200, body: '' })
  const through = await fetched(`/${path}`)
  expect(through.headers.get('cache-status')).toBe(hit)
})

test('the full server has what was sent so at hand, once', async () => {
  const { wire, fetched, said } = await setUp()
  wire(`/${path}`)
  const response = await fetched(`/${path}`)
  expect([response.headers.get('cache-status'), await response.text()]).toEqual([hit, 'picture'])
  expect(said(`/${path}`)).toBe(hit)
})

test('what others have to decide about is left to them', async () => {
  const { world, wire } = await setUp()
  await world.publish('other/v1/a.png', 'of a zone that nobody has asked for')
  await world.publish('acme/v1/a.css', 'body {}')
  await world.publish('acme/v1/large.png', new Uint8Array(70_000))
  await world.publish('acme/v1/empty.png', '')
  const paths = ['other/v1/a.png', 'acme/v1/a.css', 'acme/v1/large.png', 'acme/v1/empty.png']
  for (const name of [...paths, 'acme/v1/none.png', `${path}?v=12345678`, `clients/${path}`])
    expect([name, wire(`/${name}`)]).toEqual([name, undefined])
  for (const headers of [{ range: 'bytes=0-1' }, { 'x-request-id': 'a' }, { 'if-match': '*' }])
    expect(wire(`/${path}`, headers)).toBeUndefined()
})

test('however many there are, no more is held than may be, and each is what it is', async () => {
  const { world, wire, said } = await setUp({ maxMemoryBytes: 200_000 })
  for (let at = 0; at < 400; at += 1) await world.publish(`acme/v1/n${at}.png`, `content ${at}`)
  for (let round = 0; round < 3; round += 1)
    for (let at = 0; at < 400; at += 1)
      expect(wire(`/acme/v1/n${at}.png`)?.body).toBe(`content ${at}`)
  expect(said('/acme/v1/n0.png')).toBe(miss)
  expect(said('/acme/v1/n399.png')).toBe(hit)
})
