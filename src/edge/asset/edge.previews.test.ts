import { expect, test } from 'bun:test'

import { PublishedWorld } from '../../../test/fixtures/published-world.ts'
import { createPins } from '../../domain/content/past/pins.ts'
import { stateOfPreview } from '../../domain/content/past/version-names.ts'
import { assetAt } from '../../ports/content/publication-store.contract.ts'
import { previewAt } from '../../ports/previews/preview-store.contract.ts'
import type { AssetRecord } from '../../ports/records/asset.ts'
import type { PreviewRecord } from '../../ports/records/preview.ts'
import { createPurgeGenerations } from '../purge/purge-generations.ts'
import { createEdge } from './edge.ts'

const base = 'https://cdn.example'
const page = 'acme/v1/site/page.html'
const style = 'acme/v1/site/style.css'
const [first, second] = ['1'.repeat(40), '2'.repeat(40)]
const host = 'spring--acme.previews.example'

/** A zone with a preview, of which the test says what each of its commits has. */
async function setUp() {
  const world = new PublishedWorld()
  for (const path of [page, style]) await world.publish(path, 'live')
  const clock = { now: new Date('2026-03-01T12:00:00Z') }
  const now = () => clock.now
  const assets = new Map<string, AssetRecord>()
  const lookedUp: string[] = []
  const put = async (head: string, path: string, text: string) => {
    await using incoming = await world.blobs.receive(new TextEncoder().encode(text))
    const { sha256, sizeBytes } = await incoming.keep()
    const contentType = path.endsWith('.css') ? 'text/css' : 'text/html'
    assets.set(
      `${stateOfPreview({ name: 'spring', headCommitId: head })} ${path}`,
      assetAt(path, { sha256, sizeBytes, contentType, commitId: head }),
    )
  }
  const pins = createPins({
    source: {
      assets: async (commitId, paths) => {
        lookedUp.push(...paths)
        return { commitId, assets: paths.map((path) => assets.get(`${commitId} ${path}`)) }
      },
      commitAt: async () => undefined,
    },
    charge: () => {},
    now,
  })
  const purges = createPurgeGenerations()
  world.subscribe((entries) => purges.applyFeed(entries))
  const edge = createEdge({
    manifest: world,
    feed: world,
    blobs: world.blobs,
    purges,
    past: {
      known: (zone, commit, path) => pins.known(zone, commit, path),
      knownMoment: (zone, moment) => pins.knownMoment(zone, moment),
      learn: async (wanted) =>
        'moment' in wanted
          ? await pins.learnMoment(wanted, 'here')
          : await pins.learn(wanted, 'here'),
    },
    settings: { baseUrl: base, previewHost: 'previews.example' },
    now,
  })
  const show = (headCommitId: string, more: Partial<PreviewRecord> = {}) =>
    world.putPreview(
      previewAt('acme', 'spring', {
        headCommitId,
        expiresAt: new Date('2026-04-01T00:00:00Z'),
        ...more,
      }),
    )
  const get = async (url: string, init?: RequestInit) =>
    await edge.fetch(new Request(new URL(url, base), { redirect: 'manual', ...init }))
  const told = async (url: string) => {
    const response = await get(url)
    return [response.status, await response.text()] as const
  }
  await put(first, page, 'one')
  await put(first, style, 'one')
  await put(second, page, 'two')
  show(first)
  return { world, clock, lookedUp, put, show, get, told }
}

test('a preview is shown below its name and at its host, with its own freshness', async () => {
  const { get, world, lookedUp } = await setUp()
  for (const url of [`/@~spring/${page}`, `https://${host}/v1/site/page.html`]) {
    const response = await get(url)
    const fields = Object.fromEntries(response.headers)
    expect([response.status, await response.text()]).toEqual([200, 'one'])
    expect(fields).toMatchObject({
      'cache-control': 'private, no-cache',
      'x-robots-tag': 'noindex',
      'content-type': 'text/html; charset=utf-8',
    })
    const unchanged = await get(url, { headers: { 'If-None-Match': fields['etag'] ?? '' } })
    expect([unchanged.status, unchanged.headers.get('cache-status')]).toEqual([304, 'sedge; hit'])
    expect((await get(url, { headers: { Range: 'bytes=0-1' } })).status).toBe(206)
    expect((await get(url, { method: 'POST' })).status).toBe(405)
  }
  expect(lookedUp).toEqual([page])
  expect(world.preview('acme', 'spring')?.headCommitId).toBe(first)
  expect(await (await get(`/${page}`)).text()).toBe('live')
})

test('what is written to a preview is seen at once, and what is live stays as it is', async () => {
  const { get, told, show, world, lookedUp } = await setUp()
  expect(await told(`/@~spring/${page}`)).toEqual([200, 'one'])
  expect(await told(`/@~spring/${style}`)).toEqual([200, 'one'])
  expect(await told(`/${style}`)).toEqual([200, 'live'])
  show(second)

  // What is live is as it was prepared.
  expect((await get(`/${style}`)).headers.get('cache-status')).toBe('sedge; hit')
  expect(await told(`/@~spring/${page}`)).toEqual([200, 'two'])
  expect((await told(`/@~spring/${style}`))[0]).toBe(404)
  show(first)
  expect(await told(`/@~spring/${page}`)).toEqual([200, 'one'])
  expect(lookedUp).toEqual([page, style, page, style])
  await world.publish(page, 'newer')
  expect(await told(`/@~spring/${page}`)).toEqual([200, 'one'])
  expect(await told(`/${page}`)).toEqual([200, 'newer'])
  world.erase(world.asset(page)?.sha256 ?? '')
  expect(await told(`/@~spring/${page}`)).toEqual([200, 'one'])
})

test('a preview that is unknown, over or signed is not shown, nor what is hidden in it', async () => {
  const { get, show, clock, world } = await setUp()
  const statuses = async (path = page) =>
    await Promise.all(
      [`/@~spring/${path}`, `https://${host}/${path}`].map(async (url) => (await get(url)).status),
    )
  expect(await statuses()).toEqual([200, 200])
  expect(await statuses('acme/v1/private/a.txt')).toEqual([404, 404])
  show(first, { isSigned: true })
  expect(await statuses()).toEqual([404, 404])
  show(first)
  world.putZone('acme', { suspended: true })
  expect(await statuses()).toEqual([403, 403])
  world.putZone('acme', { enabled: false })
  expect(await statuses()).toEqual([404, 404])
  world.putZone('acme')
  expect(await statuses()).toEqual([200, 200])
  clock.now = new Date('2026-04-01T00:00:00Z')
  expect(await statuses()).toEqual([404, 404])
  const refused = await get(`/@~spring/${page}`)
  expect(await refused.text()).toContain('There is no such preview, its time is over')
})

test('what is erased is given by no preview', async () => {
  const { get, world } = await setUp()
  const etag = (await get(`/@~spring/${page}`)).headers.get('etag') ?? ''
  world.erase(etag.replaceAll('"', ''))

  expect((await get(`/@~spring/${page}`)).status).toBe(451)
})

test('names that are none are refused, however they are written', async () => {
  const { get, told } = await setUp()
  for (const name of [
    '',
    '..',
    '.',
    'Spring',
    'spr--ing',
    '-a',
    'a'.repeat(41),
    'a'.repeat(10_000),
  ])
    expect((await told(`/@~${name}/${page}`))[0]).toBe(404)
  for (const path of [
    `/@~spring`,
    `/@~spring/`,
    `/@~spring/@~spring/${page}`,
    `/@~spring/@${first}/${page}`,
    `/@${first}/@~spring/${page}`,
    `/@${first}/${page}`,
    `/@~spring:${first}/${page}`,
    `/@~spring%3A${first}/${page}`,
    `/@~other/${page}`,
    `https://${host}/@~other/${page}`,
    `https://${host}/@${first}/${page}`,
    `https://${host}/bolt/v1/a.txt`,
    `https://spring--none.previews.example/v1/a.txt`,
    `https://other--acme.previews.example/${page}`,
  ])
    expect([path, (await told(path))[0]]).toEqual([path, 404])
  for (const hostname of ['spring.previews.example', 'a.spring--acme.previews.example'])
    expect((await told(`https://${hostname}/${page}`))[0]).toBe(404)
  for (const path of [`/%40~spring/${page}`, `/@%7Espring/${page}`, `/@~spring//${page}`]) {
    const response = await get(path)
    expect([response.status, response.headers.get('location')]).toEqual([307, `/@~spring/${page}`])
  }
  expect((await told(`/@~spring%00/${page}`))[0]).toBe(404)
  expect((await told(`/@~%ff/${page}`))[0]).toBe(400)
  const clients = await get(`/@~spring/clients/${page}`)
  expect([clients.status, clients.headers.get('location')]).toEqual([301, `/@~spring/${page}`])
  expect(await told(`https://${host}/@~spring/${page}`)).toEqual([200, 'one'])
})

test('a hash in the query names these bytes or none, and a moment nothing', async () => {
  const { get } = await setUp()
  const etag = (await get(`/@~spring/${page}`)).headers.get('etag') ?? ''
  const named = await get(`/@~spring/${page}?v=${etag.slice(1, 13)}`)

  expect([named.status, named.headers.get('cache-control')]).toEqual([200, 'private, no-cache'])
  expect((await get(`/@~spring/${page}?v=${'0'.repeat(12)}`)).status).toBe(404)
  expect((await get(`https://${host}/v1/site/page.html?at=2026-01-01T00:00:00Z`)).status).toBe(200)
})

test('rules act as they do on what is live, within the preview', async () => {
  const { world, get, told } = await setUp()
  world.putRules(
    '_headers',
    '/acme/v1/site/*\n  X-Own: yes\n  Cache-Control: public, max-age=600\n',
  )
  world.putRules(
    '_redirects',
    [
      '/acme/v1/site/old/* /acme/v1/site/:splat 302',
      '/acme/v1/site/away https://other.example/ 302',
      '/acme/v1/app/* /acme/v1/site/page.html 200',
    ].join('\n'),
  )
  const response = await get(`/@~spring/${page}`)
  expect(response.headers.get('x-own')).toBe('yes')
  expect(response.headers.get('cache-control')).toBe('private, no-cache')
  const to = async (url: string) => (await get(url)).headers.get('location')
  expect(await to(`/@~spring/acme/v1/site/old/a.css`)).toBe('/@~spring/acme/v1/site/a.css')
  expect(await to(`https://${host}/acme/v1/site/old/a.css`)).toBe('/@~spring/acme/v1/site/a.css')
  expect(await to(`/@~spring/acme/v1/site/away`)).toBe('https://other.example/')
  for (const url of [`/@~spring/acme/v1/app/any`, `https://${host}/v1/app/any`])
    expect([url, ...(await told(url))]).toEqual([url, 200, 'one'])
  expect(await told('/acme/v1/app/any')).toEqual([200, 'live'])
})
