import { afterAll, beforeAll, expect, test } from 'bun:test'

import { type InProcessService, openInProcess } from '../support/in-process-service.ts'

let service: InProcessService

beforeAll(async () => {
  service = await openInProcess({ environment: { CNAME_TARGET: 'edge.cdn.example' } })
  for (const zone of ['acme', 'globex']) await service.createZone(zone)
}, 30_000)
afterAll(() => service[Symbol.asyncDispose]())

const add = (zone: string, Hostname: string) =>
  service.core('POST', `zones/${zone}/domains`, { Hostname })

test('the host names of all zones are one list, page by page', async () => {
  for (const [zone, name] of [
    ['globex', 'b.example.com'],
    ['acme', 'a.example.com'],
    ['acme', 'c.example.com'],
  ] as const)
    expect((await add(zone, name)).status).toBe(201)
  const first = await (await service.core('GET', 'domains?limit=2')).json()
  const second = await (await service.core('GET', `domains?limit=2&after=${first.Next}`)).json()
  const named = [first, second].map(({ Domains }) =>
    Domains.map(({ Zone, Hostname }: { Zone: string; Hostname: string }) => [Zone, Hostname]),
  )

  expect(named).toEqual([
    [
      ['acme', 'a.example.com'],
      ['globex', 'b.example.com'],
    ],
    [['acme', 'c.example.com']],
  ])
  expect(second.Next).toBeNull()
  expect(first.Domains[0].CnameTarget).toBe('edge.cdn.example')
})

test('a domain is looked at when somebody asks, and not again within seconds', async () => {
  await add('acme', 'now.example.com')
  const check = async () => {
    const response = await service.core('POST', 'zones/acme/domains/now.example.com/check')
    return [response.status, Date.parse((await response.json()).SslNextCheck)] as const
  }
  const [status, checked] = await check()
  expect(status).toBe(200)
  expect(checked).toBeLessThanOrEqual(Date.now())
  const foreign = await service.core('POST', 'zones/globex/domains/now.example.com/check')
  expect(foreign.status).toBe(404)
})
