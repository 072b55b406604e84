import { expect, test } from 'bun:test'

import { success, uncheckedApp, testEndpoint, testKeys } from '../testing.ts'

const common = { summary: '', envelope: 'standard', responses: {} } as const
const handle = async () => success(200, 'ok', {})
const app = uncheckedApp(
  [
    testEndpoint({
      ...common,
      id: 'read',
      plane: 'core',
      method: 'get',
      path: '/api/thing',
      access: { keys: ['account'], scope: 'zones:read', session: true },
      handle,
    }),
    testEndpoint({
      ...common,
      id: 'report',
      plane: 'core',
      method: 'post',
      path: '/api/thing',
      access: 'public',
      handle,
    }),
    testEndpoint({
      ...common,
      id: 'passkeys',
      plane: 'passkeys',
      method: 'get',
      path: '/api/passkeys',
      access: { keys: ['account'], session: true },
      handle,
    }),
  ],
  { corsOrigins: new Set(['https://app.example']) },
)

const ours = 'https://app.example'
const stranger = 'https://evil.example'

async function ask(path: string, fields: Record<string, string>, method = 'GET') {
  const request = new Request(`http://sedge.test${path}`, { method, headers: fields })
  const { status, headers } = await app.fetch(request, '192.0.2.1')
  return {
    status,
    origin: headers.get('access-control-allow-origin'),
    varies: headers.get('vary')?.includes('Origin') ?? false,
    credentials: headers.get('access-control-allow-credentials'),
    exposes: headers.get('access-control-expose-headers')?.includes('X-Request-ID') ?? false,
  }
}

const key = { AccountKey: testKeys.account }

test('a page of an origin that is named reads answers, and what was refused, but not with credentials', async () => {
  const granted = { origin: ours, varies: true, credentials: null, exposes: true }
  expect(await ask('/api/thing', { ...key, Origin: ours })).toEqual({ status: 200, ...granted })
  expect(await ask('/api/thing', { Origin: ours })).toEqual({ status: 401, ...granted })
})

test('a preflight names the origin', async () => {
  const fields = { Origin: ours, 'Access-Control-Request-Method': 'GET' }
  expect(await ask('/api/thing', fields, 'OPTIONS')).toEqual({
    status: 204,
    origin: ours,
    varies: true,
    credentials: null,
    exposes: false,
  })
})

test('no other origin is named, and caches keep them apart', async () => {
  for (const fields of [{ Origin: stranger }, { Origin: 'null' }, {}]) {
    const answer = await ask('/api/thing', { ...key, ...fields })
    expect([answer.status, answer.origin, answer.varies]).toEqual([200, null, true])
    const preflight = await ask(
      '/api/thing',
      { ...fields, 'Access-Control-Request-Method': 'GET' },
      'OPTIONS',
    )
    expect([preflight.origin, preflight.varies]).toEqual([null, true])
  }
})

test('what is for pages of the service alone is for no other origin', async () => {
  expect((await ask('/api/passkeys', { ...key, Origin: ours })).origin).toBeNull()
  expect((await ask('/api/passkeys', { Origin: ours }, 'OPTIONS')).origin).toBeNull()
})

test('what is public stays open to all, also beside what is not', async () => {
  expect((await ask('/api/thing', { Origin: stranger }, 'POST')).origin).toBe('*')
  const about = (method: string) => ({ Origin: stranger, 'Access-Control-Request-Method': method })
  expect((await ask('/api/thing', about('POST'), 'OPTIONS')).origin).toBe('*')
  expect((await ask('/api/thing', about('HEAD'), 'OPTIONS')).origin).toBeNull()
})
