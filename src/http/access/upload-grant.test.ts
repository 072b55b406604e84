import { expect, test } from 'bun:test'

import { createMemoryRateWindows, createRateLimits } from './rate-limits.ts'
import { success, testKeys, uncheckedApp, testEndpoint } from '../testing.ts'
import { grantRateLimit, withGrantOf } from './upload-grant.ts'

const now = () => new Date('2026-04-01T12:00:00.000Z')
const asked: unknown[] = []
const common = {
  plane: 'uploads',
  summary: '',
  envelope: 'standard',
  responses: {},
  method: 'post',
} as const
const app = uncheckedApp(
  [
    testEndpoint({
      ...common,
      id: 'upload',
      path: '/api/upload',
      access: { keys: ['access'], scope: 'storage:write', session: true, grant: true },
      handle: async ({ caller }) =>
        success(200, 'ok', {
          credential: caller.credentialId,
          path: caller.grantedPath ?? null,
          zones: caller.zones && [...caller.zones],
        }),
    }),
    testEndpoint({
      ...common,
      id: 'granted',
      path: '/api/granted',
      access: { keys: [], grant: true },
      handle: async () => success(200, 'ok', {}),
    }),
    testEndpoint({
      ...common,
      id: 'other',
      path: '/api/other',
      access: { keys: ['access'], session: true },
      handle: async () => success(200, 'ok', {}),
    }),
  ],
  {
    corsOrigins: new Set(['https://app.example']),
    async findGrant(grant, context) {
      asked.push({ grant, ...context })
      if (grant !== 'good') return undefined
      const path = 'acme/v1/up/'
      return { kind: 'grant', id: 'grant:1', zones: new Set(['acme']), path }
    },
    rateLimits: createRateLimits({
      rows: [{ name: grantRateLimit, quota: 8, window: 60, per: 'client' }],
      windows: createMemoryRateWindows(),
      now,
    }),
  },
)

let clients = 0
/** Each from a network of its own, unless it is said which. */
const send = (path: string, headers: Readonly<Record<string, string>> = {}, method = 'POST') =>
  app.fetch(
    new Request(`http://sedge.test/api/${path}`, { method, headers }),
    `192.0.2.${(clients += 1)}`,
  )
const originOf = ({ headers }: Response) => headers.get('access-control-allow-origin')

test('a grant opens what takes one, and says what it is for', async () => {
  const response = await send('upload?grant=good', { Origin: 'https://shop.example' })

  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({
    credential: 'grant:1',
    path: 'acme/v1/up/',
    zones: ['acme'],
  })
  expect(asked.at(-1)).toEqual({ grant: 'good', origin: 'https://shop.example' })
  expect((await send('granted?grant=good')).status).toBe(200)
})

test('what takes no grant looks for none', async () => {
  const before = asked.length
  expect((await send('other?grant=good')).status).toBe(401)
  expect(originOf(await send('other?grant=good'))).toBeNull()
  expect(asked).toHaveLength(before)
})

test('a wrong grant opens nothing, and leaves a key as good as it is', async () => {
  const refused = await send('granted?grant=bad')
  expect(refused.status).toBe(401)
  expect(refused.headers.get('www-authenticate')).toBe('UploadGrant realm="sedge"')
  expect((await send('granted')).status).toBe(401)
  expect((await send('granted?grant=good', { AccessKey: 'x' })).status).toBe(200)
  expect((await send('granted?grant=bad', { AccessKey: testKeys.access })).status).toBe(403)
  const keyed = await send('upload?grant=bad', { AccessKey: testKeys.access })
  expect(await keyed.json()).toMatchObject({ credential: 'access-key', path: null })
})

test('pages of any origin may use a grant, and read why it is refused', async () => {
  for (const [path, origin] of [
    ['upload?grant=good', '*'],
    ['upload?grant=bad', '*'],
    ['granted?grant=bad', '*'],
    ['upload', null],
  ] as const) {
    const headers = { Origin: 'https://shop.example', 'Access-Control-Request-Method': 'POST' }
    expect(originOf(await send(path, headers))).toBe(origin)
    expect(originOf(await send(path, headers, 'OPTIONS'))).toBe(origin)
  }
})

test('each request with a grant is charged to its network, a wrong one too', async () => {
  const statuses: number[] = []
  for (let place = 0; place < 9; place += 1) {
    const request = new Request('http://sedge.test/api/upload?grant=bad', { method: 'POST' })
    statuses.push((await app.fetch(request, '203.0.113.7')).status)
  }
  expect(statuses).toEqual([...Array<number>(8).fill(401), 429])
  const keyed = new Request('http://sedge.test/api/upload', {
    method: 'POST',
    headers: { AccessKey: testKeys.access },
  })
  expect((await app.fetch(keyed, '203.0.113.7')).status).toBe(200)
})

test('who comes with a grant is led on with it', () => {
  const url = (path: string) => ({ url: `http://sedge.test/${path}` })
  expect(withGrantOf(url('a?grant=g1.a_-.b'), '/b')).toBe('/b?grant=g1.a_-.b')
  expect(withGrantOf(url('a?grant=x'), '/b?c=d')).toBe('/b?c=d&grant=x')
  expect(withGrantOf(url('a?path=x'), '/b')).toBe('/b')
})
