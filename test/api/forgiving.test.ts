import { afterAll, beforeAll, expect, test } from 'bun:test'

import { type InProcessService, openInProcess } from '../support/in-process-service.ts'
import { access, testKeys } from '../support/service-process.ts'

/** Where a client would stumble although nothing is broken. */
let service: InProcessService

beforeAll(async () => {
  service = await openInProcess({ environment: { ACCOUNT_KEY_IS_ADMIN: 'true' } })
  await service.createZone('acme')
  await service.storage('PUT', 'acme/v1/logos/a.svg', {
    body: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8"/></svg>',
  })
})

afterAll(() => service[Symbol.asyncDispose]())

const jsonType = { 'Content-Type': 'application/json' }

test.each([
  [
    'as navigator.sendBeacon sends it',
    { body: '{"path":"/a","bytes":5}' },
    'text/plain;charset=UTF-8',
  ],
  ['without a body', {}, undefined],
  ['as JSON', { body: '{"path":"/a"}' }, 'application/json'],
])('a hit is reported %s', async (_how, init, type) => {
  const response = await service.fetch('/api/analytics', {
    method: 'POST',
    ...init,
    headers: type === undefined ? {} : { 'Content-Type': type },
  })
  expect(await response.json()).toMatchObject({ ok: true, HttpCode: 200 })
})

test('a hit that is no JSON is still refused', async () => {
  const response = await service.fetch('/api/analytics', { method: 'POST', body: 'path=/a' })
  expect(response.status).toBe(400)
})

test('where it stands for every key, the account key is taken wherever a key is sent', async () => {
  const { ACCOUNT_KEY: key } = testKeys
  const tags = JSON.stringify({ tags: ['a'] })
  const purge = { method: 'POST', body: tags, headers: { ...jsonType, 'x-api-key': key } }
  expect((await service.fetch('/api/purge', purge)).status).toBe(200)
  expect((await service.fetch('/api/assets', { headers: { AccessKey: key } })).status).toBe(200)
  expect((await service.fetch('/api/analytics', { headers: { 'x-api-key': key } })).status).toBe(
    200,
  )
  const wrong = { headers: { AccessKey: testKeys.PURGE_KEY } }
  expect((await service.fetch('/api/assets', wrong)).status).toBe(401)
})

test('a write to a disabled zone says that edges serve nothing of it', async () => {
  const put = () => service.storage('PUT', 'acme/v1/logos/b.txt', { body: crypto.randomUUID() })
  await service.core('PATCH', 'zones/acme', { Enabled: false })
  expect((await (await put()).json()).EdgeNote).toContain('the zone is disabled')
  const batch = await service.storage('POST', 'batch', {
    body: JSON.stringify({ files: [{ path: 'acme/v1/logos/c.txt', content: '' }] }),
  })
  expect((await batch.json()).EdgeNote).toContain('the zone is disabled')
  await service.core('PATCH', 'zones/acme', { Enabled: true })
  expect((await (await put()).json()).EdgeNote).toContain('within seconds')
})

test('a focal point may be written with small members or with capitals', async () => {
  for (const FocalPoint of [
    { x: 0.25, y: 0.5 },
    { X: 0.25, Y: 0.5 },
  ]) {
    const response = await service.fetch('/api/assets/metadata?path=acme/v1/logos/a.svg', {
      method: 'PATCH',
      headers: { ...access, ...jsonType },
      body: JSON.stringify({ FocalPoint }),
    })
    expect((await response.json()).FocalPoint).toEqual({ x: 0.25, y: 0.5 })
  }
})

test('a dry run is one in the query and in the body, in either spelling', async () => {
  const rules = { File: '_headers', Content: '/*\n  X-Test: 1\n' }
  for (const [query, body] of [
    ['?dry_run=true', {}],
    ['?dryRun=1', {}],
    ['', { DryRun: true }],
    ['', { dry_run: true }],
  ] as const) {
    const changed = await service.core('POST', `rules${query}`, { ...rules, ...body })
    expect(await changed.json()).toMatchObject({ DryRun: true, dry_run: true, Commit: '' })
    const purged = await service.fetch(`/api/purge${query}`, {
      method: 'POST',
      headers: { ...jsonType, 'x-api-key': testKeys.PURGE_KEY },
      body: JSON.stringify({ tags: ['a'], ...body }),
    })
    expect(await purged.json()).toMatchObject({ DryRun: true, dry_run: true })
  }
  expect((await (await service.core('GET', 'rules')).json()).Headers).toBeNull()
})

test('words agree with their numbers', async () => {
  const message = async (path: string) =>
    (await (await service.fetch(path, { headers: access })).json()).Message
  expect(await message('/api/assets?q=a.svg')).toBe('1 asset')
  expect(await message('/api/search?q=a.svg&limit=1')).toMatch(/^1 asset$/u)
  const nameless = await service.fetch('/api/tokens', {
    method: 'POST',
    headers: { ...jsonType, AccountKey: testKeys.ACCOUNT_KEY },
    body: JSON.stringify({ name: '', scopes: ['assets:read'] }),
  })
  expect((await nameless.json()).Message).toBe('name must have at least 1 character')
})

test('a transform without its url, or with none in it, says that it is required', async () => {
  for (const query of ['', '?url=', '?url=&w=10']) {
    const response = await service.fetch(`/api/transform${query}`)
    expect([response.status, (await response.json()).error]).toEqual([400, 'url is required'])
  }
  const missing = await service.fetch('/api/transform?url=/acme/v1/none.png')
  expect(await missing.json()).toMatchObject({ HttpCode: 404, target: 'url' })
})
