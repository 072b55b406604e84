import { afterAll, beforeAll, expect, test } from 'bun:test'

import { type InProcessService, openInProcess } from '../support/in-process-service.ts'
import { access, account, testKeys } from '../support/service-process.ts'
import { tenantOf } from '../support/tenant.ts'

let service: InProcessService

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><path d="M0 0h9v9z"/></svg>'

beforeAll(async () => {
  service = await openInProcess({
    environment: {
      TRANSFORMS_PER_MONTH: '10',
      TRANSFORMS_ZONE_SHARE: '60',
      TRANSFORMS_PER_MINUTE: '4',
      CHATS_PER_MONTH: '30',
      CHATS_PER_MINUTE: '4',
      CHATS_PER_DAY: '6',
      PURGES_PER_DAY: '10',
      PURGES_PER_ZONE: '3',
      PURGES_RESERVED: '5',
      OPERATOR_RESERVE: '20',
    },
  })
  for (const zone of ['acme', 'bolt', 'cask']) {
    await service.createZone(zone)
    await service.storage('PUT', `${zone}/v1/icons/a.svg`, { body: svg })
  }
})
afterAll(() => service[Symbol.asyncDispose]())

let width = 1
/** Never asked for before. */
const newVariant = (zone: string, url: string, headers: Record<string, string> = {}) => {
  width += 1
  return service.fetch(
    `/api/transform?url=/${zone}/v1/icons/a.svg&w=${width}&format=png`,
    { headers },
    url,
  )
}

const statusesOf = async (count: number, ask: (place: number) => Promise<Response>) => {
  const statuses: number[] = []
  for (let place = 0; place < count; place += 1) statuses.push((await ask(place)).status)
  return statuses
}

interface Limit {
  readonly Name: string
  readonly Scope: string
  readonly Zone: string | null
  readonly Setting: string
}

async function limitsOf(answer: Response): Promise<readonly Limit[]> {
  expect(answer.status).toBe(200)
  return ((await answer.json()) as { readonly Limits: readonly Limit[] }).Limits
}

const limitCalled = async (setting: string, query = '') =>
  (await limitsOf(await service.fetch(`/api/limits${query}`, { headers: account }))).find(
    (each) => each.Setting === setting,
  )

test('a network has so many new variants made in a minute, and what is made already is free', async () => {
  const [first, second] = ['198.51.100.1', '198.51.100.2']
  expect(await statusesOf(5, () => newVariant('acme', first))).toEqual([200, 200, 200, 200, 429])
  const made = `/api/transform?url=/acme/v1/icons/a.svg&w=2&format=png`
  expect((await service.fetch(made, {}, first)).status).toBe(200)
  const refused = await newVariant('acme', first)
  expect(refused.headers.get('ratelimit-policy')).toBe('"transform";q=4;w=60')
  expect(await refused.json()).toMatchObject({ error: 'limit_reached' })
  expect((await newVariant('acme', second)).status).toBe(200)
})

test('a zone has a share of the month, another zone what is left, and the operator goes on', async () => {
  // Five of six are used up.
  expect(await statusesOf(2, () => newVariant('acme', '198.51.100.3'))).toEqual([200, 429])
  expect(await statusesOf(4, () => newVariant('bolt', '198.51.100.4'))).toEqual([
    200, 200, 200, 200,
  ])
  expect((await newVariant('cask', '198.51.100.5')).status).toBe(429)
  const operators = await statusesOf(3, () => newVariant('acme', '198.51.100.1', access))
  expect(operators).toEqual([200, 200, 429])
  expect(await limitCalled('TRANSFORMS_PER_MONTH')).toMatchObject({
    Name: 'transforms',
    Scope: 'all',
    Window: 'month',
    Limit: 10,
    Reserved: 2,
    Used: 12,
    Remaining: 0,
    Resets: expect.stringMatching(/-01T00:00:00\.000Z$/u),
  })
  expect(await limitCalled('TRANSFORMS_ZONE_SHARE', '?zone=bolt')).toMatchObject({
    Zone: 'bolt',
    Limit: 6,
    Used: 4,
    Remaining: 2,
  })
})

const say = (url: string, headers: Record<string, string> = {}) =>
  service.fetch(
    '/api/chat',
    {
      method: 'POST',
      headers: { Accept: 'application/json', ...headers },
      body: JSON.stringify({ message: 'How many icons does acme have?' }),
    },
    url,
  )

test('a network sends so many messages a minute and a day, others are not concerned', async () => {
  expect(await statusesOf(5, () => say('203.0.113.1'))).toEqual([200, 200, 200, 200, 429])
  const other = await say('203.0.113.2')
  expect(other.status).toBe(200)
  expect(other.headers.get('ratelimit')).toMatch(/^"chat";r=3;t=\d+, "chat-day";r=5;t=\d+$/u)
})

test('the month of messages ends for everybody, and not for the operator', async () => {
  const used = 5
  const statuses = await statusesOf(30 - used + 1, (place) => say(`192.0.2.${place}`))
  expect(statuses.filter((status) => status === 200)).toHaveLength(30 - used)
  expect(statuses.at(-1)).toBe(429)
  expect((await say('192.0.2.200', access)).status).toBe(200)
})

test('a tenant purges so often, all tenants leave some to the operator', async () => {
  const purge = async (zone: string) => {
    const tenant = await tenantOf(service, zone)
    return () => tenant('POST', '/api/purge', { tags: [`zone-${zone}`] })
  }
  expect(await statusesOf(4, await purge('acme'))).toEqual([200, 200, 200, 429])
  expect(await statusesOf(3, await purge('bolt'))).toEqual([200, 200, 429])
  const operators = await statusesOf(6, () =>
    service.fetch('/api/purge', {
      method: 'POST',
      headers: { 'x-api-key': testKeys.PURGE_KEY },
      body: JSON.stringify({ purge_everything: true }),
    }),
  )
  expect(operators).toEqual([200, 200, 200, 200, 200, 429])
  expect(await limitCalled('PURGES_PER_DAY')).toMatchObject({ Used: 10, Limit: 5, Reserved: 5 })
})

test('the operator is told once four fifths of a limit are used up', () => {
  const warnings = service.logged
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ msg }) => msg === 'four fifths of a limit are used up')
  const told = (what: string, zone?: string) =>
    warnings.filter((each) => each['what'] === what && each['zone'] === zone)

  expect(told('transform')).toHaveLength(1)
  expect(told('transform', 'acme')).toHaveLength(1)
  expect(told('chat')).toHaveLength(1)
})

test('a token sees what its own zones and its network have, and nothing of others', async () => {
  const tenant = await tenantOf(service, 'acme')
  const limits = await limitsOf(await tenant('GET', '/api/limits'))
  expect(new Set(limits.map(({ Scope }) => Scope))).toEqual(new Set(['zone', 'network']))
  expect(new Set(limits.flatMap(({ Zone }) => Zone ?? []))).toEqual(new Set(['acme']))
  expect(limits).toContainEqual(expect.objectContaining({ Name: 'purges', Zone: 'acme', Used: 3 }))
  for (const zone of ['bolt', 'void'])
    expect((await tenant('GET', `/api/limits?zone=${zone}`)).status).toBe(404)
  expect((await service.fetch('/api/limits')).status).toBe(401)
})

test('unfinished uploads are shown of the zone and of the network, and what lies there of them', async () => {
  const begun = await service.fetch(
    '/api/uploads/tus',
    {
      method: 'POST',
      headers: {
        ...access,
        'Tus-Resumable': '1.0.0',
        'Upload-Length': '9',
        'Upload-Metadata': `path ${btoa('cask/v1/films/film.mp4')}`,
        'Content-Type': 'application/offset+octet-stream',
      },
      body: 'four',
    },
    '203.0.113.9',
  )
  expect(begun.status).toBe(201)
  const shown = async (zone: string, address: string): Promise<readonly unknown[]> => {
    const query = `/api/limits?zone=${zone}`
    const limits = await limitsOf(await service.fetch(query, { headers: account }, address))
    return limits.filter(({ Name }) => Name.endsWith('unfinished uploads'))
  }
  const common = { Window: null, Reserved: null, Resets: null }
  const uploads = { ...common, Name: 'unfinished uploads' }
  const bytes = { ...common, Name: 'bytes of unfinished uploads', Setting: 'MAX_STAGED_GB' }
  const [ofZone, ofNetwork] = [
    { ...uploads, Scope: 'zone', Setting: 'UPLOADS_PER_ZONE', Limit: 1000 },
    { ...uploads, Scope: 'network', Zone: null, Setting: 'UPLOADS_PER_NETWORK', Limit: 500 },
  ]
  expect(await shown('cask', '203.0.113.9')).toEqual([
    { ...ofZone, Zone: 'cask', Used: 1, Remaining: 999 },
    {
      ...bytes,
      Scope: 'zone',
      Zone: 'cask',
      Limit: 20 * 2 ** 30,
      Used: 4,
      Remaining: 20 * 2 ** 30 - 4,
    },
    { ...ofNetwork, Used: 1, Remaining: 499 },
  ])
  expect(await shown('bolt', '203.0.113.8')).toMatchObject([{ Used: 0 }, { Used: 0 }, { Used: 0 }])
})

test('every limit names a setting that is documented', async () => {
  const documented = await Bun.file('docs/configuration.md').text()
  const limits = await limitsOf(await service.fetch('/api/limits?zone=acme', { headers: account }))
  for (const { Setting } of limits) expect(documented).toContain(`\`${Setting}\``)
})
