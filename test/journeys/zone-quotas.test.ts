import { expect, test } from 'bun:test'

import { type InProcessService, openInProcess } from '../support/in-process-service.ts'
import { access, account } from '../support/service-process.ts'
import { tenantOf } from '../support/tenant.ts'

const limitMs = 60_000

interface Shown {
  readonly WhenUsedUp: string
  readonly Delivery: string
  readonly Quotas: readonly { Name: string; Limit: number | null; Used: number; Own: boolean }[]
}

const open = async (environment: Readonly<Record<string, string>> = {}) => {
  const service = await openInProcess({ environment })
  for (const zone of ['acme', 'bolt']) await service.createZone(zone)
  return service
}

async function bound(service: InProcessService, limits: object, more: object = {}): Promise<Shown> {
  const response = await service.core('PUT', 'zones/acme/quotas', { Quotas: limits, ...more })
  expect(response.status).toBe(200)
  return (await response.json()) as Shown
}

const put = (service: InProcessService, path: string, ...[body, headers = {}]: [string, object?]) =>
  service.storage('PUT', path, { body, headers: { ...headers } })

async function refusalOf(asked: Promise<Response>) {
  const response = await asked
  const { error } = (await response.json()) as {
    error: { code: string; target: string; Limit?: number; Used?: number }
  }
  return [response.status, error.code, error.target]
}

const full = (name: string) => [403, 'QuotaExceeded', name]

async function usedOf(service: InProcessService, name: string): Promise<number | undefined> {
  const response = await service.core('GET', 'zones/acme/quotas')
  const { Quotas } = (await response.json()) as Shown
  return Quotas.find((each) => each.Name === name)?.Used
}

const post = (service: InProcessService, path: string, body: object) =>
  service.fetch(path, { method: 'POST', headers: access, body: JSON.stringify(body) })

test(
  'a zone that stores what it may takes in no more, is told why, and others go on',
  async () => {
    await using service = await open()
    await bound(service, { bytes: 10 })
    expect((await put(service, 'acme/v1/a.txt', '12345678')).status).toBe(201)

    const refused = await put(service, 'acme/v1/b.txt', '123')
    expect(refused.status).toBe(403)
    expect(await refused.json()).toMatchObject({
      error: { code: 'QuotaExceeded', target: 'bytes' },
      Limit: 10,
      Used: 8,
    })
    expect((await put(service, 'acme/v1/b.txt', '12')).status).toBe(201)
    expect((await put(service, 'bolt/v1/b.txt', '1234567890123')).status).toBe(201)
    expect(await usedOf(service, 'bytes')).toBe(10)
  },
  limitMs,
)

test(
  'what is replaced counts once, and what does not grow is never refused',
  async () => {
    await using service = await open()
    await put(service, 'acme/v1/a.txt', '12345678')
    await put(service, 'acme/v1/b.txt', '12345678')
    await bound(service, { bytes: 10, files: 1 })

    expect((await put(service, 'acme/v1/a.txt', '1234567')).status).toBe(201)
    expect((await put(service, 'acme/v1/a.txt', 'abcdefg')).status).toBe(201)
    expect(await refusalOf(put(service, 'acme/v1/a.txt', '12345678'))).toEqual(full('bytes'))
    const removed = await service.storage('DELETE', 'acme/v1/b.txt')
    expect(removed.status).toBe(200)
    expect((await put(service, 'acme/v1/a.txt', '1234567890')).status).toBe(201)
    expect(await usedOf(service, 'files')).toBe(1)
  },
  limitMs,
)

test(
  'copies, batches, restorations and previews are held like a file that is stored',
  async () => {
    await using service = await open()
    await put(service, 'acme/v1/a.txt', '1234')
    await put(service, 'bolt/v1/a.txt', '123456789')
    await bound(service, { files: 1 })

    const copy = { From: 'acme/v1/a.txt', To: 'acme/v1/b.txt' }
    expect(await refusalOf(post(service, '/api/storage/copy', copy))).toEqual(full('files'))
    expect((await post(service, '/api/storage/move', copy)).status).toBe(200)
    const batch = { files: [{ path: 'acme/v1/c.txt', content: 'c', encoding: 'utf-8' }] }
    expect(await refusalOf(post(service, '/api/storage/batch', batch))).toEqual(full('files'))
    const removed = await post(service, '/api/storage/delete', { Paths: ['acme/v1/b.txt'] })
    const { Commit } = (await removed.json()) as { Commit: string }
    await put(service, 'acme/v1/c.txt', '1')
    const undo = post(service, '/api/assets/undo', { Commit })
    expect(await refusalOf(undo)).toEqual(full('files'))

    await service.core('POST', 'zones/acme/previews', { Name: 'spring' })
    const preview = { 'Sedge-Preview': 'spring' }
    expect(await refusalOf(put(service, 'acme/v1/d.txt', '1', preview))).toEqual(full('files'))
    expect((await put(service, 'acme/v1/c.txt', '2', preview)).status).toBe(201)
  },
  limitMs,
)

test(
  'a promotion is held by what is live then',
  async () => {
    await using service = await open()
    await service.core('POST', 'zones/acme/previews', { Name: 'spring' })
    await put(service, 'acme/v1/a.txt', '1234', { 'Sedge-Preview': 'spring' })
    await put(service, 'acme/v1/b.txt', '1234')
    await bound(service, { files: 1 })

    const promote = () => service.core('POST', 'zones/acme/previews/spring/promote', {})
    expect(await refusalOf(promote())).toEqual(full('files'))
    await bound(service, { files: 2 })
    expect((await promote()).status).toBe(200)
  },
  limitMs,
)

test(
  'of many writes at once no more get through than there is room for',
  async () => {
    await using service = await open()
    await bound(service, { files: 7 })
    const responses = await Promise.all(
      Array.from({ length: 25 }, (_, index) => put(service, `acme/v1/${index}.txt`, 'x')),
    )

    expect(responses.filter(({ status }) => status === 201)).toHaveLength(7)
    expect(responses.filter(({ status }) => status === 403)).toHaveLength(18)
    expect(await usedOf(service, 'files')).toBe(7)
  },
  limitMs,
)

test(
  'uploads of a month are counted however they come, and come back with time',
  async () => {
    await using service = await open()
    await put(service, 'acme/v1/a.txt', '1')
    await bound(service, { uploads: 3 })
    await put(service, 'acme/v1/a.txt', '2')
    const move = { From: 'acme/v1/a.txt', To: 'acme/v1/b.txt' }
    expect((await post(service, '/api/storage/move', move)).status).toBe(200)
    expect((await put(service, 'acme/v1/c.txt', '1')).status).toBe(201)

    const refused = await put(service, 'acme/v1/d.txt', '1')
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await refused.json()).toMatchObject({ error: 'limit_reached' })
    expect(await usedOf(service, 'uploads')).toBe(3)
  },
  limitMs,
)

test(
  'a tenant sees what it may have and changes no limit, but how delivery ends',
  async () => {
    await using service = await open({ ZONE_QUOTAS: 'bytes=5GB files=100' })
    await bound(service, { files: 5 })
    const tenant = await tenantOf(service, 'acme')

    const shown = (await (await tenant('GET', '/api/core/zones/acme/quotas')).json()) as Shown
    const named = (name: string) => shown.Quotas.find((each) => each.Name === name)
    expect(named('bytes')).toMatchObject({ Limit: 5_000_000_000, Own: false, Used: 0 })
    expect(named('files')).toMatchObject({ Limit: 5, Own: true })
    expect(named('traffic')).toMatchObject({ Limit: null })
    const path = '/api/core/zones/acme/quotas'
    expect((await tenant('PUT', path, { Quotas: { files: 9 } })).status).toBe(403)
    expect((await tenant('PUT', path, { WhenUsedUp: 'cut' })).status).toBe(200)
    expect((await tenant('GET', '/api/core/zones/bolt/quotas')).status).toBe(404)
    const listed = await bound(service, { files: 'default', bytes: null })
    expect(listed.WhenUsedUp).toBe('cut')
    const limits = new Map(listed.Quotas.map((each) => [each.Name, each.Limit]))
    expect([limits.get('files'), limits.get('bytes')]).toEqual([100, null])
  },
  limitMs,
)

test(
  'a zone that is made anew has nothing of what was said of the former one',
  async () => {
    await using service = await open()
    await bound(service, { files: 0 })
    expect(await refusalOf(put(service, 'acme/v1/a.txt', '1'))).toEqual(full('files'))
    expect((await service.core('DELETE', 'zones/acme')).status).toBe(200)
    await service.createZone('acme')

    expect((await put(service, 'acme/v1/a.txt', '1')).status).toBe(201)
  },
  limitMs,
)

test(
  'quotas that are no quotas are refused by name',
  async () => {
    await using service = await open()
    const set = (body: object) => service.core('PUT', 'zones/acme/quotas', body)

    for (const body of [
      {},
      { Quotas: { bytes: -1 } },
      { Quotas: { none: 1 } },
      { WhenUsedUp: 'x' },
    ])
      expect((await set(body)).status).toBe(400)
    const absent = await service.fetch('/api/core/zones/none/quotas', { headers: account })
    expect(absent.status).toBe(404)
  },
  limitMs,
)

test(
  'tokens of a zone are held by its own bounds of tokens, host names and webhooks',
  async () => {
    await using service = await open()
    const tenant = await tenantOf(service, 'acme')
    await bound(service, { tokens: 1, domains: 0, webhooks: 0, chats: 1, purges: 1 })
    const status = async (asked: Promise<Response>) => (await asked).status

    const token = { name: 'more', scopes: ['storage:read'], zones: ['acme'] }
    expect(await status(tenant('POST', '/api/tokens', token))).toBe(409)
    const domain = { Hostname: 'a.example.com' }
    expect(await status(tenant('POST', '/api/core/zones/acme/domains', domain))).toBe(409)
    const webhook = { url: 'https://example.com/', events: ['asset.created'], zones: ['acme'] }
    expect(await status(tenant('POST', '/api/webhooks', webhook))).toBe(409)
    const purge = { urls: ['/acme/v1/a.txt'] }
    expect(await status(tenant('POST', '/api/purge', purge))).toBe(200)
    expect(await status(tenant('POST', '/api/purge', purge))).toBe(429)
    expect(await usedOf(service, 'purges')).toBe(1)
  },
  limitMs,
)
