import { afterAll, beforeAll, expect, test } from 'bun:test'

import { type InProcessService, openInProcess } from '../support/in-process-service.ts'
import { testKeys } from '../support/service-process.ts'

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
