import { afterAll, beforeAll, expect, test } from 'bun:test'

import { type InProcessService, openInProcess } from '../support/in-process-service.ts'
import { access, account, testKeys } from '../support/service-process.ts'
import { tenantOf } from '../support/tenant.ts'

/**
 * Fifty strangers and four tenants use up whatever they can, and the operator's own calls go on.
 * Limits are small, so that all of them are reached in seconds.
 */
const readers = Array.from({ length: 50 }, (_, place) => `198.51.100.${place + 1}`)
const operatorsNetwork = '192.0.2.250'
const zones = ['acme', 'bolt', 'cask', 'dune']
const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><path d="M0 0h9v9z"/></svg>'

let service: InProcessService
const seen = new Map<string, number[]>()

beforeAll(async () => {
  service = await openInProcess({
    environment: {
      BASE_URL: 'https://cdn.example',
      WEBHOOK_ALLOW_PRIVATE: 'true',
      SEARCHES_PER_MINUTE: '3',
      BEACONS_PER_MINUTE: '3',
      PASSKEY_CALLS_PER_MINUTE: '3',
      CHATS_PER_MINUTE: '3',
      CHATS_PER_MONTH: '120',
      TRANSFORMS_PER_MINUTE: '3',
      TRANSFORMS_PER_MONTH: '120',
      TOKENS_PER_ZONE: '5',
      DOMAINS_PER_ZONE: '1',
    },
  })
  for (const zone of zones) {
    await service.createZone(zone)
    await service.storage('PUT', `${zone}/v1/icons/a.svg`, { body: svg })
  }
  expect((await signIn(testKeys.DASHBOARD_PASSWORD, operatorsNetwork)).status).toBe(303)
})
afterAll(() => service[Symbol.asyncDispose]())

const json = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify(body),
})

const signIn = (password: string, url: string) =>
  service.fetch('/dashboard/login', json({ password }), url)

let width = 0
const newVariant = (zone: string, headers: Record<string, string>, url: string) => {
  width += 1
  const path = `/api/transform?url=/${zone}/v1/icons/a.svg&w=${width}&format=png`
  return service.fetch(path, { headers }, url)
}

const say = (headers: Record<string, string>, url: string) =>
  service.fetch(
    '/api/chat',
    json({ message: 'How many icons does acme have?' }, { Accept: 'application/json', ...headers }),
    url,
  )

/** Each of what anybody may do, more often than a network may. */
async function exhaust(url: string): Promise<void> {
  const zone = zones[Number(url.split('.').at(-1)) % zones.length] ?? 'acme'
  const note = async (what: string, response: Promise<Response>) =>
    void seen.set(what, [...(seen.get(what) ?? []), (await response).status])
  for (let count = 0; count < 4; count += 1) {
    await note('search', service.fetch('/api/search?q=icon', {}, url))
    await note('beacon', service.fetch('/api/analytics', json({ path: '/acme/v1/a' }), url))
    await note('passkey', service.fetch('/api/passkeys/auth/begin', json({}), url))
    await note('chat', say({}, url))
    await note('transform', newVariant(zone, {}, url))
  }
  for (let count = 0; count < 2; count += 1) await note('password', signIn('wrong', url))
}

/** Whatever a token for one zone may make, until it may no more. */
async function exhaustZone(zone: string): Promise<readonly number[]> {
  const tenant = await tenantOf(service, zone)
  const attempts = [
    () => tenant('POST', '/api/purge', { tags: [`zone-${zone}`] }),
    () =>
      tenant('POST', '/api/webhooks', { url: 'http://127.0.0.1:9/', events: ['*'], zones: [zone] }),
    () => tenant('POST', '/api/tokens', { name: 'more', scopes: ['storage:read'], zones: [zone] }),
    () => {
      width += 1
      return tenant('POST', `/api/core/zones/${zone}/domains`, { Hostname: `w${width}.example` })
    },
  ]
  return await Promise.all(
    attempts.map(async (attempt) => {
      for (let count = 0; count < 60; count += 1) {
        const { status } = await attempt()
        if (status !== 200 && status !== 201) return status
      }
      return 0
    }),
  )
}

test('with every limit at its edge, readers read and the operator’s own calls go on', async () => {
  await Promise.all(readers.map((url) => exhaust(url)))
  for (const statuses of await Promise.all(zones.map((zone) => exhaustZone(zone))))
    expect(statuses).toEqual([429, 409, 409, 409])
  for (const [what, statuses] of seen)
    expect({ what, isRefused: statuses.some((status) => [401, 429].includes(status)) }).toEqual({
      what,
      isRefused: true,
    })
  expect([...seen.values()].flat().filter((status) => status >= 500)).toEqual([])

  const reads = readers.flatMap((url) => [
    service.fetch('/acme/v1/icons/a.svg', {}, url),
    service.fetch('/api/transform?url=/acme/v1/icons/a.svg&w=1&format=png', {}, url),
  ])
  for (const { status } of await Promise.all(reads)) expect(status).toBe(200)

  const asOperator = (path: string, body: unknown) =>
    service.fetch(path, json(body, account), operatorsNetwork)
  const calls: Readonly<Record<string, () => Promise<Response>>> = {
    'sign in': () => signIn(testKeys.DASHBOARD_PASSWORD, operatorsNetwork),
    'sign in from elsewhere': () => signIn(testKeys.DASHBOARD_PASSWORD, '203.0.113.77'),
    'begin with a passkey': () =>
      service.fetch('/api/passkeys/auth/begin', json({}), operatorsNetwork),
    'make a zone': () => asOperator('/api/core/zones', { Name: 'new-zone' }),
    'make a webhook': () =>
      asOperator('/api/webhooks', { url: 'http://127.0.0.1:9/', events: ['*'] }),
    'make a token': () =>
      asOperator('/api/tokens', { name: 't', scopes: ['storage:read'], zones: ['acme'] }),
    'add a host name': () =>
      asOperator('/api/core/zones/acme/domains', { Hostname: 'www.acme.example' }),
    'store a file': () => service.storage('PUT', 'acme/v1/icons/b.svg', { body: svg }),
    'make a variant': () => newVariant('acme', access, operatorsNetwork),
    'ask a question': () => say(access, operatorsNetwork),
    search: () => service.fetch('/api/search?q=icon', {}, operatorsNetwork),
    'see the limits': () =>
      service.fetch('/api/limits?zone=acme', { headers: account }, operatorsNetwork),
    purge: () =>
      service.fetch(
        '/api/purge',
        json({ purge_everything: true }, { 'x-api-key': testKeys.PURGE_KEY }),
        operatorsNetwork,
      ),
  }
  for (const [call, ask] of Object.entries(calls)) {
    const { status } = await ask()
    expect({ call, isWell: status < 400, status }).toMatchObject({ isWell: true })
  }
}, 120_000)
