import { afterAll, beforeAll, expect, test } from 'bun:test'

import { type InProcessService, openInProcess } from '../support/in-process-service.ts'
import { account, testKeys } from '../support/service-process.ts'

let service: InProcessService

beforeAll(async () => {
  service = await openInProcess({ environment: { BASE_URL: 'https://cdn.example.org' } })
  await service.createZone('acme')
  await service.core('POST', 'zones/acme/domains', { Hostname: 'images.acme.example' })
})

afterAll(() => service[Symbol.asyncDispose]())

const purge = async (body: unknown) => {
  const response = await service.fetch('/api/purge', {
    method: 'POST',
    headers: { 'x-api-key': testKeys.PURGE_KEY, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

test('a purge answers what was purged and how many are left today', async () => {
  const first = await purge({ tags: ['zone-acme', 'all-assets'] })
  expect(first.status).toBe(200)
  expect(first.body).toMatchObject({
    HttpCode: 200,
    Message: expect.any(String),
    success: true,
    purged: ['zone-acme', 'all-assets'],
    remaining_today: 99,
    DateCreated: expect.any(String),
  })
  expect((await purge({ purge_everything: true })).body).toMatchObject({
    purged: 'everything',
    remaining_today: 98,
  })
  const urls = [
    '/acme/v1/a.svg',
    'https://cdn.example.org/acme/v1/b.svg',
    'https://images.acme.example/v1/c.svg',
  ]
  expect((await purge({ urls })).body).toMatchObject({ purged: urls, remaining_today: 97 })
})

test('items that are no texts are told in invalid, as others are', async () => {
  const refused = await purge({ tags: ['a', 5, 'b b', null, { c: 1 }] })

  expect(refused.status).toBe(400)
  expect(refused.body).toMatchObject({ target: 'tags', invalid: [5, 'b b', null, { c: 1 }] })
  expect((await purge({ urls: [['/acme/v1/a.svg']] })).body).toMatchObject({
    invalid: [['/acme/v1/a.svg']],
  })
})

test.each([
  ['nothing', {}],
  ['two kinds', { tags: ['a'], urls: ['/x'] }],
  ['no tags', { tags: [] }],
  ['too many tags', { tags: Array.from({ length: 31 }, (_, index) => `t${index}`) }],
  ['tags that are no texts', { tags: [1] }],
  ['everything: false alone', { everything: false }],
])('%s is 400 in the flat envelope, and costs nothing', async (_what, body) => {
  const before = (await purge({ tags: ['probe'], dry_run: true })).body.remaining_today
  const refused = await purge(body)
  expect(refused.status).toBe(400)
  expect(refused.body).toMatchObject({ HttpCode: 400, error: expect.any(String) })
  expect((await purge({ tags: ['probe'], dry_run: true })).body.remaining_today).toBe(before)
})

test('bad items are named, and nothing is purged', async () => {
  expect((await purge({ tags: ['good', 'bad tag', 'ü'] })).body).toMatchObject({
    HttpCode: 400,
    invalid: ['bad tag', 'ü'],
  })
  const urls = ['/fine', 'https://elsewhere.example/x', '//evil/x', 'javascript:x']
  expect((await purge({ urls })).body).toMatchObject({ invalid: urls.slice(1) })
})

const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>'

test('a dry run says what would go, and what there is nothing of', async () => {
  await service.storage('PUT', 'clients/acme/v1/logos/a b.svg', { body: svg })
  await service.storage('PUT', 'clients/acme/v1/icons/c.svg', { body: svg })
  await service.core('POST', 'rules', {
    File: '_headers',
    Content: '/acme/*\n  Cache-Tag: campaign-1\n',
  })
  const matches = async (body: object) => (await purge({ ...body, dry_run: true })).body.matches
  const urls = [
    '/acme/v1/logos/a%20b.svg',
    'https://images.acme.example/v1/icons/c.svg?w=1',
    '/acme/v1/logos/*',
    '/nope/x',
    '/%zz',
    '/api/transform?url=/acme/v1/icons/c.svg&w=9',
  ]
  expect(await matches({ urls })).toEqual([
    { item: urls[0], exists: true, assets: 1 },
    { item: urls[1], exists: true, assets: 1 },
    { item: urls[2], exists: false, assets: 0 },
    { item: urls[3], exists: false, assets: 0 },
    { item: urls[4], exists: false, assets: 0 },
    { item: urls[5], exists: null, assets: null },
  ])
  const tags = ['ZONE-acme', 'zone-nope', 'category-logos', 'format-svg', 'all-assets']
  expect(
    await matches({ tags: [...tags, 'campaign-1', 'campaign-2', 'asset-0123456789ab'] }),
  ).toEqual([
    { item: 'ZONE-acme', exists: true, assets: 2 },
    { item: 'zone-nope', exists: false, assets: 0 },
    { item: 'category-logos', exists: true, assets: 1 },
    { item: 'format-svg', exists: true, assets: 2 },
    { item: 'all-assets', exists: true, assets: 2 },
    { item: 'campaign-1', exists: true, assets: null },
    { item: 'campaign-2', exists: false, assets: null },
    { item: 'asset-0123456789ab', exists: null, assets: null },
  ])
  expect((await purge({ everything: true, dry_run: true })).body).toMatchObject({ assets: 2 })
})

test('a dry run refuses what the purge would', async () => {
  const made = await service.fetch('/api/tokens', {
    method: 'POST',
    headers: account,
    body: JSON.stringify({ name: 'narrowed', scopes: ['purge:write'], zones: ['acme'] }),
  })
  const { token } = (await made.json()) as { readonly token: string }
  for (const dry_run of [true, false]) {
    const answer = await service.fetch('/api/purge', {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ tags: ['zone-other'], dry_run }),
    })
    expect(answer.status).toBe(403)
  }
})

test('the purge key alone opens it', async () => {
  for (const key of [undefined, 'wrong', testKeys.ANALYTICS_KEY]) {
    const headers = key === undefined ? {} : { 'x-api-key': key }
    const response = await service.fetch('/api/purge', { method: 'POST', headers, body: '{}' })
    expect([401, 403]).toContain(response.status)
  }
})

test('the day’s hundredth purge is the last, and says when more are to be had', async () => {
  let answer = await purge({ tags: ['x'] })
  while (answer.status === 200) answer = await purge({ tags: ['x'] })
  expect(answer.status).toBe(429)
  expect(answer.body).toMatchObject({ error: 'limit_reached', HttpCode: 429 })
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(answer.headers.get('ratelimit-policy')).toContain('"purge";q=100')
})
