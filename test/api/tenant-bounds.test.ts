import { afterAll, beforeAll, expect, test } from 'bun:test'

import { type InProcessService, openInProcess } from '../support/in-process-service.ts'
import { access, account } from '../support/service-process.ts'
import { tenantOf } from '../support/tenant.ts'

let service: InProcessService

beforeAll(async () => {
  service = await openInProcess({ environment: { WEBHOOK_ALLOW_PRIVATE: 'true' } })
})
afterAll(() => service[Symbol.asyncDispose]())

const asOperator = (method: string, path: string, body: unknown) =>
  service.fetch(path, { method, headers: account, body: JSON.stringify(body) })

const webhook = (zone?: string) => ({
  url: 'http://127.0.0.1:9/hook',
  events: ['*'],
  ...(zone !== undefined && { zones: [zone] }),
})

const token = (zone: string) => ({ name: 'more', scopes: ['storage:read'], zones: [zone] })

const codeOf = async (answer: Response) =>
  ((await answer.json()) as { readonly error?: { readonly code: string } }).error?.code

test('a tenant neither suspends its zone nor ends its suspension, and changes nothing meanwhile', async () => {
  const zone = 'paused'
  await service.createZone(zone)
  const path = `${zone}/v1/logos/a.txt`
  await service.storage('PUT', path, { body: 'one' })
  await service.storage('PUT', path, { body: 'two' })
  const tenant = await tenantOf(service, zone)
  expect((await tenant('PATCH', `/api/core/zones/${zone}`, { Suspended: true })).status).toBe(403)
  expect((await tenant('PATCH', `/api/core/zones/${zone}`, { Enabled: false })).status).toBe(200)
  expect((await tenant('PATCH', `/api/core/zones/${zone}`, { Enabled: true })).status).toBe(200)
  await service.core('POST', `zones/${zone}/domains`, { Hostname: 'here.example' })
  const made = await tenant('POST', '/api/webhooks', webhook(zone))
  const { id } = (await made.json()) as { readonly id: string }
  const history = await tenant('GET', `/api/assets/history?path=${path}`)
  const { Versions } = (await history.json()) as {
    readonly Versions: readonly { readonly Commit: string }[]
  }
  const commit = Versions[1]?.Commit

  await service.core('PATCH', `zones/${zone}`, { Suspended: true })
  for (const [method, url, body] of [
    ['PATCH', `/api/core/zones/${zone}`, { Suspended: false }],
    ['PATCH', `/api/core/zones/${zone}`, { Enabled: false }],
    ['DELETE', `/api/core/zones/${zone}`],
    ['PUT', `/api/storage/${path}`, {}],
    ['DELETE', `/api/storage/${path}`],
    ['PATCH', `/api/assets/metadata?path=${path}`, { FocalPoint: { x: 0.5, y: 0.5 } }],
    ['POST', '/api/assets/restore', { path, commit }],
    ['POST', `/api/core/zones/${zone}/domains`, { Hostname: 'new.example' }],
    ['PATCH', `/api/core/zones/${zone}/domains/here.example`, { HttpsRedirect: false }],
    ['DELETE', `/api/core/zones/${zone}/domains/here.example`],
    ['POST', '/api/webhooks', webhook(zone)],
    ['PATCH', `/api/webhooks/${id}`, { active: false }],
    ['POST', `/api/webhooks/${id}/test`],
    ['POST', '/api/tokens', token(zone)],
  ] as const) {
    const answer = await tenant(method, url, body)
    expect({ method, url, status: answer.status }).toEqual({
      method,
      url,
      status: 403,
    })
  }
  const { Suspended } = (await (await service.core('GET', `zones/${zone}`)).json()) as {
    readonly Suspended: boolean
  }
  expect(Suspended).toBe(true)
  expect((await tenant('DELETE', `/api/webhooks/${id}`)).status).toBe(200)
  expect((await service.core('PATCH', `zones/${zone}`, { Suspended: false })).status).toBe(200)
  expect((await tenant('DELETE', `/api/core/zones/${zone}`)).status).toBe(200)
})

test('nobody writes to a suspended zone, whatever the key', async () => {
  await service.createZone('closed')
  await service.storage('PUT', 'closed/v1/logos/a.txt', { body: 'a' })
  await service.core('PATCH', 'zones/closed', { Suspended: true })
  for (const answer of [
    await service.fetch('/api/assets/metadata?path=closed/v1/logos/a.txt', {
      method: 'PATCH',
      headers: access,
      body: JSON.stringify({ FocalPoint: null }),
    }),
    await service.core('POST', 'zones/closed/domains', { Hostname: 'closed.example' }),
  ])
    expect(await codeOf(answer)).toBe('ZoneSuspended')
})

test('a tenant makes so many webhooks for its zone, all tenants leave some to the operator', async () => {
  const made: Response[] = []
  for (const zone of ['w1', 'w2', 'w3', 'w4', 'w5']) {
    await service.createZone(zone)
    const tenant = await tenantOf(service, zone)
    for (let count = 0; count < 5; count += 1)
      made.push(await tenant('POST', '/api/webhooks', webhook(zone)))
    if (zone !== 'w1') continue
    const sixth = await tenant('POST', '/api/webhooks', webhook(zone))
    expect(sixth.status).toBe(409)
    expect(await sixth.json()).toMatchObject({ error: { code: 'LimitExceeded' }, Limit: 5 })
  }

  expect(made.slice(0, 20).every(({ status }) => status === 201)).toBe(true)
  expect(made.slice(20).every(({ status }) => status === 409)).toBe(true)
  const operators: number[] = []
  for (let count = 0; count < 6; count += 1)
    operators.push((await asOperator('POST', '/api/webhooks', webhook())).status)
  expect(operators).toEqual([201, 201, 201, 201, 201, 409])
})

test('a tenant makes so many tokens for its zone, and the operator as many as wanted', async () => {
  await service.createZone('many')
  const tenant = await tenantOf(service, 'many')
  const statuses: number[] = []
  for (let count = 0; count < 100; count += 1)
    statuses.push((await tenant('POST', '/api/tokens', token('many'))).status)

  // The one that asks is among them.
  expect(statuses).toEqual([...Array.from({ length: 99 }, () => 201), 409])
  expect((await asOperator('POST', '/api/tokens', token('many'))).status).toBe(201)
})
