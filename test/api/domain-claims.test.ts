import { afterAll, beforeAll, expect, test } from 'bun:test'

import { type LocalService, openLocalService } from '../support/local-service.ts'
import { access, account, temporaryDirectory } from '../support/service-process.ts'

const undo = new AsyncDisposableStack()
let service: LocalService

beforeAll(async () => {
  const directory = undo.use(await temporaryDirectory())
  service = undo.use(
    await openLocalService({
      dataDirectory: directory.path,
      environment: {
        BASE_URL: 'https://cdn.example',
        SEARCH_BY_NAME_ONLY: 'true',
        // Nobody answers there.
        DNS_SERVERS: '127.0.0.1:9',
      },
    }),
  )
  for (const zone of ['acme', 'bolt']) {
    await core('POST', 'zones', { Name: zone })
    const path = `/api/storage/${zone}/v1/logos/a.txt`
    await ask(path, { method: 'PUT', headers: access, body: zone })
  }
})
afterAll(() => undo.disposeAsync())

const ask = (path: string, init: RequestInit = {}) => fetch(`${service.url}${path}`, init)

const core = (method: string, path: string, body: unknown) =>
  ask(`/api/core/${path}`, { method, headers: account, body: JSON.stringify(body) })

async function tenantOf(zone: string) {
  const answer = await ask('/api/tokens', {
    method: 'POST',
    headers: account,
    body: JSON.stringify({ name: 't', scopes: ['domains:write', 'zones:read'], zones: [zone] }),
  })
  const { token } = (await answer.json()) as { readonly token: string }
  return (method: string, path: string, body?: unknown) =>
    ask(`/api/core/zones/${zone}/domains${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
}

const isAllowed = async (hostname: string) =>
  (await ask(`/api/core/domains/allowed?domain=${hostname}`)).status

const delivered = async (hostname: string) =>
  await ask('/v1/logos/a.txt', { headers: { Host: hostname } })

test('a host name that a tenant claims is neither served nor allowed, and the answer says what to set', async () => {
  const hostname = 'www.victim.example'
  const acme = await tenantOf('acme')
  const added = await acme('POST', '', { Hostname: hostname })

  expect(added.status).toBe(201)
  expect(await added.json()).toMatchObject({
    CnameTarget: 'cdn.example',
    Verified: false,
    Verification: {
      Type: 'TXT',
      Name: `_sedge.${hostname}`,
      Value: expect.stringMatching(/^sedge-zone=acme-[0-9a-f]{32}$/u),
    },
    Note: expect.stringContaining('TXT'),
  })
  expect(await isAllowed(hostname)).toBe(404)
  expect((await delivered(hostname)).status).toBe(404)
  expect(await (await acme('GET', `/${hostname}`)).json()).toMatchObject({ Verified: false })

  const bolt = await tenantOf('bolt')
  const refused = await bolt('POST', '', { Hostname: hostname })
  expect(refused.status).toBe(409)
  expect(await refused.text()).toContain(`_sedge.${hostname} TXT sedge-zone=bolt-`)

  const taken = await core('POST', 'zones/bolt/domains', { Hostname: hostname })
  expect(await taken.json()).toMatchObject({ Zone: 'bolt', Verified: true })
  expect(await isAllowed(hostname)).toBe(200)
  expect(await (await delivered(hostname)).text()).toBe('bolt')
  expect((await acme('GET', `/${hostname}`)).status).toBe(404)
})

test('the service’s own name is given to nobody', async () => {
  const acme = await tenantOf('acme')

  expect((await acme('POST', '', { Hostname: 'cdn.example' })).status).toBe(409)
  expect((await core('POST', 'zones/acme/domains', { Hostname: 'cdn.example' })).status).toBe(409)
})

test('a suspended zone takes no host name', async () => {
  await core('POST', 'zones', { Name: 'paused' })
  await core('PATCH', 'zones/paused', { Suspended: true })
  const paused = await tenantOf('paused')

  for (const answer of [
    await paused('POST', '', { Hostname: 'new.example' }),
    await core('POST', 'zones/paused/domains', { Hostname: 'new.example' }),
  ]) {
    expect(answer.status).toBe(403)
    expect(await answer.text()).toContain('ZoneSuspended')
  }
})
