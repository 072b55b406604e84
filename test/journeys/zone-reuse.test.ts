import { afterAll, beforeAll, expect, test } from 'bun:test'

import type { Scope } from '../../src/domain/access/tokens/scopes.ts'
import { type InProcessService, openInProcess } from '../support/in-process-service.ts'
import { access, account } from '../support/service-process.ts'

let service: InProcessService

beforeAll(async () => {
  service = await openInProcess()
})
afterAll(() => service[Symbol.asyncDispose]())

const scopes: readonly Scope[] = [
  'storage:read',
  'storage:write',
  'assets:read',
  'insights:read',
  'analytics:read',
  'zones:read',
  'logs:read',
]

/** What a tenant is given: a bearer token for its own zone. */
async function tenantOf(zone: string) {
  const response = await service.fetch('/api/tokens', {
    method: 'POST',
    headers: account,
    body: JSON.stringify({ name: 'tenant', scopes, zones: [zone] }),
  })
  const { token } = (await response.json()) as { readonly token: string }
  const headers = { Authorization: `Bearer ${token}` }
  return (path: string, init: RequestInit = {}) => service.fetch(path, { ...init, headers })
}

/** A zone with a private file and some traffic is deleted, and somebody else is given its name. */
async function reusedZone(zone: string) {
  await service.createZone(zone)
  await service.storage('PUT', `${zone}/v1/private/contract.txt`, { body: 'the former one’s' })
  await service.storage('PUT', `${zone}/v1/logos/a.txt`, { body: 'a' })
  await service.fetch(`/${zone}/v1/logos/a.txt`)
  await service.fetch(`/${zone}/v1/logos/none.txt`)
  await service.fetch('/api/analytics', {
    method: 'POST',
    body: JSON.stringify({ path: `/${zone}/v1/logos/a.txt` }),
  })
  await service.core('DELETE', `zones/${zone}`)
  await service.createZone(zone)
  return { path: `${zone}/v1/private/contract.txt`, tenant: await tenantOf(zone) }
}

const commitsOf = async (response: Response) =>
  ((await response.json()) as { readonly Versions: readonly { readonly Commit: string }[] })
    .Versions

test('a tenant is told no version of a file of the former zone of its name', async () => {
  const { path, tenant } = await reusedZone('history')

  expect((await tenant(`/api/assets/history?path=${path}`)).status).toBe(404)
  const former = await commitsOf(
    await service.fetch(`/api/assets/history?path=${path}`, { headers: access }),
  )
  expect(former).toHaveLength(2)
  for (const { Commit: commit } of former) {
    expect((await tenant(`/api/assets/version?path=${path}&commit=${commit}`)).status).toBe(404)
    const body = JSON.stringify({ path, commit })
    expect((await tenant('/api/assets/restore', { method: 'POST', body })).status).toBe(404)
  }
})

test('of a path that both used a tenant is told its own versions alone', async () => {
  const { path, tenant } = await reusedZone('both')
  await service.storage('PUT', path, { body: 'mine' })

  const [mine, ...others] = await commitsOf(await tenant(`/api/assets/history?path=${path}`))
  expect(others).toEqual([])
  const version = await tenant(`/api/assets/version?path=${path}&commit=${mine?.Commit}`)
  expect(await version.text()).toBe('mine')
})

test('the audit log of a tenant begins with its own zone', async () => {
  const { path, tenant } = await reusedZone('audited')
  await service.storage('PUT', path, { body: 'mine' })

  const response = await tenant('/api/core/audit-logs')
  const { Entries } = (await response.json()) as { readonly Entries: readonly { action: string }[] }
  expect(Entries.map(({ action }) => action)).toEqual([
    'storage.put',
    'token.create',
    'zone.create',
  ])
  const puts = await tenant('/api/core/audit-logs?action=storage.put')
  expect(await puts.json()).toMatchObject({ Count: 1 })
})

test('reports of a tenant count nothing of the former zone, and sums of all lose nothing', async () => {
  const before = await summaryOfAll()
  const { tenant } = await reusedZone('counted')
  await service.storage('PUT', 'counted/v1/logos/a.txt', { body: 'a' })
  await service.fetch('/counted/v1/logos/a.txt')

  expect(await bodyOf(tenant('/api/insights/summary?zone=counted'))).toMatchObject({
    TotalRequests: 1,
  })
  expect(await bodyOf(tenant('/api/insights/top-assets'))).toMatchObject({
    Assets: [{ Path: 'counted/v1/logos/a.txt', Requests: 1 }],
  })
  expect(await bodyOf(tenant('/api/insights/errors'))).toMatchObject({ Errors: [] })
  expect(await bodyOf(tenant('/api/insights/asset?path=counted/v1/logos/a.txt'))).toMatchObject({
    TotalRequests: 1,
  })
  expect(await bodyOf(tenant('/api/analytics?days=1'))).toMatchObject({
    data: [{ hits: 1, beacons: { hits: 0 } }],
  })
  expect(await bodyOf(tenant('/api/core/statistics'))).toMatchObject({ requests: 1 })
  expect(await summaryOfAll()).toBe(before + 3)
})

test('the log of a tenant tells of its own zone alone', async () => {
  const zone = 'logged'
  await service.createZone(zone)
  await service.fetch(`/${zone}/v1/logos/former.txt`)
  await service.fetch(`/api/transform?url=/${zone}/v1/logos/former.txt`)
  await service.core('DELETE', `zones/${zone}`)
  await service.createZone(zone)
  const tenant = await tenantOf(zone)

  expect(await (await tenant('/api/logs')).text()).not.toContain('former.txt')
})

const bodyOf = async (response: Promise<Response>) => (await (await response).json()) as unknown

async function summaryOfAll(): Promise<number> {
  const response = await service.fetch('/api/insights/summary', { headers: access })
  return ((await response.json()) as { readonly TotalRequests: number }).TotalRequests
}

test('no zone is made that reports could not tell from all zones together', async () => {
  const response = await service.core('POST', 'zones', { Name: 'all' })

  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({
    error: { code: 'InvalidParameter', target: 'Name' },
  })
})
