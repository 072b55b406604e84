import { expect, test } from 'bun:test'

import { ServiceError } from '../domain/errors.ts'
import type { Protocol } from './protocol.ts'
import { testApp, testEndpoint, testKeys } from './testing.ts'

const spoken: Protocol = {
  headers: { 'Protocol-Version': '1' },
  takesMethodOverride: true,
  refusal: ({ code }) =>
    code === 'PathConflict'
      ? {
          status: 460,
          headers: { 'Spoken-Offset': '7' },
          problem: {
            type: 'https://problems.example/offset',
            title: 'Wrong',
            'expected-offset': 7,
          },
        }
      : {},
}
const plain = {
  plane: 'storage',
  summary: '',
  envelope: 'standard',
  access: { keys: ['access'], session: true },
  responses: { 204: { description: '' } },
} as const
const common = { ...plain, protocol: spoken }
const bare = () => new Response(null, { status: 204 })
const app = testApp(
  [
    testEndpoint({
      ...common,
      id: 'begin',
      method: 'post',
      path: '/api/spoken',
      requestHeaders: { 'Spoken-Length': 'How much' },
      responseHeaders: { 'Spoken-Offset': 'How far' },
      handle: async () => {
        throw new ServiceError('PathConflict', 'no')
      },
    }),
    testEndpoint({
      ...common,
      id: 'go',
      method: 'patch',
      path: '/api/spoken/{id}',
      body: { kind: 'bytes', description: '' },
      handle: async ({ body }) =>
        new Response(null, {
          status: 204,
          headers: { Took: String((await new Response(body).bytes()).length) },
        }),
    }),
    testEndpoint({
      ...plain,
      id: 'elsewhere',
      method: 'post',
      path: '/api/other',
      handle: async () => bare(),
    }),
  ].map((each) => ({ ...each, discovery: { 'Protocol-Max': '9' } })),
  { corsOrigins: new Set(['https://app.example']) },
)

const ask = (path: string, method: string, headers: Record<string, string> = {}) =>
  app.fetch(
    new Request(`http://sedge.test${path}`, {
      method,
      headers: { AccessKey: testKeys.access, ...headers },
      ...(path.endsWith('/a') && { body: 'abc' }),
    }),
    '192.0.2.1',
  )

test('what a protocol says of every response is said of each refusal too', async () => {
  const statuses: number[] = []
  for (const response of [
    await ask('/api/spoken', 'POST'),
    await ask('/api/spoken', 'POST', { AccessKey: 'wrong' }),
    await ask('/api/spoken', 'PUT'),
    await ask('/api/spoken', 'OPTIONS'),
    await ask('/api/spoken/a', 'PATCH'),
  ]) {
    statuses.push(response.status)
    expect(response.headers.get('protocol-version')).toBe('1')
  }
  expect(statuses).toEqual([460, 401, 405, 204, 204])
  expect((await ask('/api/other', 'POST')).headers.get('protocol-version')).toBeNull()
})

test('a refusal has the status, the fields and the problem of the protocol, and is an envelope all the same', async () => {
  const response = await ask('/api/spoken', 'POST')
  expect(response.headers.get('content-type')).toBe('application/problem+json')
  expect(response.headers.get('spoken-offset')).toBe('7')
  expect(await response.json()).toMatchObject({
    type: 'https://problems.example/offset',
    title: 'Wrong',
    status: 460,
    detail: 'no',
    'expected-offset': 7,
    HttpCode: 460,
    error: { code: 'PathConflict' },
  })
})

test('OPTIONS tells what the endpoint has to tell', async () => {
  expect((await ask('/api/spoken', 'OPTIONS')).headers.get('protocol-max')).toBe('9')
})

test('pages of other origins may send and read the fields that an operation names', async () => {
  const Origin = 'https://app.example'
  const preflight = await ask('/api/spoken', 'OPTIONS', {
    Origin,
    'Access-Control-Request-Method': 'POST',
  })
  expect(preflight.headers.get('access-control-allow-headers')).toContain('Spoken-Length')
  const response = await ask('/api/spoken', 'POST', { Origin })
  expect(response.headers.get('access-control-expose-headers')).toContain('Spoken-Offset')
})

test('X-HTTP-Method-Override says the method where a protocol takes it, and nowhere else', async () => {
  const override = (path: string, method: string, sent = 'POST') =>
    ask(path, sent, { 'X-HTTP-Method-Override': method })
  const went = await override('/api/spoken/a', 'PATCH')
  expect([went.status, went.headers.get('took')]).toEqual([204, '3'])
  expect((await override('/api/spoken/a', 'patch')).status).toBe(204)
  expect((await override('/api/spoken/a', 'POST', 'PATCH')).status).toBe(405)
  for (const unknown of ['BREW', 'TRACE', 'CONNECT', 'a b', ''])
    expect((await override('/api/spoken/a', unknown)).status).toBe(405)
  expect((await override('/api/other', 'DELETE')).status).toBe(204)
})
