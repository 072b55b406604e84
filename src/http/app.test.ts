import { expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { z } from 'zod'
import { ServiceError } from '../domain/errors.ts'
import type { Endpoint } from './operation.ts'
import { listeningLog, success, uncheckedApp, testEndpoint, testKeys } from './testing.ts'

const common = { summary: '', envelope: 'standard', access: 'public', responses: {} } as const

const operations: readonly Endpoint[] = [
  testEndpoint({
    ...common,
    id: 'getFile',
    plane: 'storage',
    method: 'get',
    path: '/api/storage/{path}',
    access: { keys: ['access'], scope: 'storage:read' },
    handle: async ({ params, caller }) => success(200, 'ok', { params, caller }),
  }),
  testEndpoint({
    ...common,
    id: 'putFile',
    plane: 'storage',
    method: 'put',
    path: '/api/storage/{path}',
    access: { keys: ['access'] },
    body: { kind: 'bytes', maxBytes: 10, description: '' },
    async handle({ body }) {
      return success(201, 'ok', { Length: (await new Response(body).bytes()).length })
    },
  }),
  testEndpoint({
    ...common,
    id: 'batch',
    plane: 'storage',
    method: 'post',
    path: '/api/storage/batch',
    body: { kind: 'json', schema: z.object({ files: z.array(z.object({ path: z.string() })) }) },
    handle: async ({ body }) => success(201, 'ok', { body }),
  }),
  testEndpoint({
    ...common,
    id: 'getZone',
    plane: 'core',
    method: 'get',
    path: '/api/core/zones/{id}',
    access: { keys: ['account'], session: true },
    handle: async ({ params }) => success(200, 'ok', { params }),
  }),
  testEndpoint({
    ...common,
    id: 'search',
    plane: 'ai',
    method: 'get',
    path: '/api/search',
    envelope: 'flat',
    rateLimits: ['search'],
    query: z.object({ q: z.string().min(1) }),
    handle: async ({ query }) => success(200, 'ok', { query }),
  }),
  testEndpoint({
    ...common,
    id: 'fail',
    plane: 'test',
    method: 'get',
    path: '/api/fail/{kind}',
    async handle({ params }) {
      const { kind } = params as unknown as { kind: string }
      if (kind === 'bug') throw new TypeError('secret detail of /srv/app.ts')
      if (kind === 'value') throw 'a thrown string'
      if (kind === 'busy') throw new ServiceError('Unavailable', 'the disk is full')
      if (kind === 'overload')
        throw new ServiceError('Unavailable', 'too many ask', { isOverload: true })
      throw new ServiceError('ChecksumMismatch', 'Checksum does not match', {
        target: 'Checksum',
        context: { Expected: 'a', Received: 'b', HttpCode: 7 },
      })
    },
  }),
  testEndpoint({
    ...common,
    id: 'big',
    plane: 'test',
    method: 'get',
    path: '/api/big',
    async handle() {
      return {
        json: { text: 'x'.repeat(5000) },
        headers: { ETag: '"v1"', 'Cache-Control': 'no-cache' },
      }
    },
  }),
  testEndpoint({
    ...common,
    id: 'page',
    plane: 'test',
    method: 'get',
    path: '/api/page',
    async handle() {
      const headers = { 'Content-Type': 'image/svg+xml', 'Cache-Control': 'private' }
      return new Response('<svg/>', { headers })
    },
  }),
]

const key = { AccessKey: testKeys.access }
const uuid = '0b0e9c3e-7f5e-4a3e-9a2b-1f6f0d2c9b11'

interface Asked extends RequestInit {
  readonly from?: string
}

async function ask(path: string, init: Asked = {}, app = uncheckedApp(operations)) {
  const request = new Request(`http://sedge.test${path}`, init)
  const response = await app.fetch(request, init.from ?? '192.0.2.1')
  const text = await response.clone().text()
  const isJson = response.headers.get('content-type') === 'application/json'
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into answers of any shape
  const json: any =
    isJson && text !== '' && !response.headers.has('content-encoding')
      ? JSON.parse(text)
      : undefined
  return { response, status: response.status, headers: response.headers, text, json }
}

test('a greedy path reaches its handler exactly as it was sent', async () => {
  for (const path of ['', 'a', 'a/b/', 'a%2Fb/%zz', 'a%20b%25', 'a//b', '%E2%82%AC'])
    expect((await ask(`/api/storage/${path}?q=/x`, { headers: key })).json.params).toEqual({ path })
})

test('other parameters are decoded', async () => {
  const headers = { AccountKey: testKeys.account }
  expect((await ask('/api/core/zones/a%20b', { headers })).json.params).toEqual({ id: 'a b' })
})

test('a fixed address wins over a greedy one, method by method', async () => {
  const post = { method: 'POST', body: '{"files":[]}' }
  expect((await ask('/api/storage/batch', post)).status).toBe(201)
  expect((await ask('/api/storage/batch', { headers: key })).json.params).toEqual({ path: 'batch' })
})

test('an unknown address is a standard 404 with every key', async () => {
  const { status, json, headers } = await ask('/api/nowhere', { headers: { 'X-Request-ID': uuid } })
  expect(status).toBe(404)
  expect(json).toEqual({
    error: {
      code: 'NotFound',
      message: json.message,
      target: null,
      details: [],
      innererror: null,
    },
    HttpCode: 404,
    Message: json.message,
    message: expect.any(String),
    requestId: uuid,
    timestamp: '2026-04-01T12:00:00.000Z',
    apiVersion: '2026-04-01',
  })
  expect(headers.get('x-request-id')).toBe(uuid)
  expect(headers.get('x-api-version')).toBe('2026-04-01')
})

test('a flat operation refuses in the flat envelope', async () => {
  const { status, json } = await ask('/api/search')
  expect(status).toBe(400)
  expect(json).toMatchObject({ error: 'q is required', Message: 'q is required', HttpCode: 400 })
  expect(json.message).toBe(json.error)
  expect(json.target).toBe('q')
})

test('what is allowed is of every path that matches, fixed ones and those with parameters', async () => {
  for (const method of ['PATCH', 'DELETE', 'PROPFIND']) {
    const { status, headers } = await ask('/api/storage/batch', { method })
    expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS, POST, PUT'])
  }
  const preflight = await ask('/api/storage/batch', { method: 'OPTIONS' })
  expect([preflight.status, preflight.headers.get('allow')]).toEqual([
    204,
    'GET, HEAD, OPTIONS, POST, PUT',
  ])
  expect((await ask('/api/nothing', { method: 'PROPFIND' })).status).toBe(404)
})

test('another method is 405 with those that are allowed', async () => {
  const { status, headers, json } = await ask('/api/storage/x', { method: 'PATCH' })
  expect(status).toBe(405)
  expect(json.error.code).toBe('MethodNotAllowed')
  expect(headers.get('allow')).toBe('GET, HEAD, OPTIONS, PUT')
})

test('OPTIONS answers 204 with the methods and headers of the plane', async () => {
  const { status, headers, text } = await ask('/api/storage/x', { method: 'OPTIONS' })
  expect(status).toBe(204)
  expect(text).toBe('')
  expect(headers.get('access-control-allow-methods')).toBe('GET, HEAD, OPTIONS, POST, PUT')
  expect(headers.get('access-control-allow-headers')).toContain('AccessKey')
  expect(headers.get('access-control-allow-headers')).toContain('Authorization')
  expect(headers.get('access-control-max-age')).toBe('86400')
  expect(headers.get('access-control-allow-origin')).toBe('*')
  expect(headers.get('x-request-id')).not.toBeNull()
})

test('what takes the session never allows every origin', async () => {
  const headers = { AccountKey: testKeys.account }
  for (const init of [{ headers }, { method: 'OPTIONS' }, {}]) {
    const answer = await ask('/api/core/zones/a', init)
    expect(answer.headers.has('access-control-allow-origin')).toBe(false)
  }
  expect((await ask('/api/search')).headers.get('access-control-allow-origin')).toBe('*')
})

test('HEAD answers as GET does, with the length and without the body', async () => {
  const get = await ask('/api/storage/x', { headers: key })
  const head = await ask('/api/storage/x', { headers: key, method: 'HEAD' })
  expect(head.status).toBe(200)
  expect(head.text).toBe('')
  expect(Number(head.headers.get('content-length'))).toBe(get.text.length)
})

test('a well-formed request id is kept and any other replaced', async () => {
  const replaced = '00000000-0000-4000-8000-000000000001'
  for (const [sent, answered] of [
    [uuid, uuid],
    [uuid.toUpperCase(), uuid.toUpperCase()],
    [`${uuid}x`, replaced],
    ['', replaced],
  ] as const) {
    const { headers } = await ask('/api/nowhere', { headers: { 'X-Request-ID': sent } })
    expect(headers.get('x-request-id')).toBe(answered)
  }
})

test('a trace is continued with a span of our own and reaches the caller', async () => {
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
  const { headers, json } = await ask('/api/storage/x', { headers: { ...key, traceparent } })
  expect(headers.get('traceparent')).toMatch(
    /^00-4bf92f3577b34da6a3ce929d0e0e4736-[\da-f]{16}-01$/u,
  )
  expect(headers.get('traceparent')).not.toBe(traceparent)
  expect(json.caller.trace.parentId).toBe('00f067aa0ba902b7')
})

test('an unknown version is refused by name, the known one taken', async () => {
  const known = { ...key, 'X-API-Version': '2026-04-01' }
  expect((await ask('/api/storage/x', { headers: known })).status).toBe(200)
  for (const path of ['/api/storage/x', '/api/nowhere']) {
    const { status, json } = await ask(path, { headers: { ...key, 'X-API-Version': '2027-01-01' } })
    expect(status).toBe(400)
    expect(json.error.code).toBe('UnsupportedApiVersion')
    expect(json.SupportedVersions).toEqual(['2026-04-01'])
    expect(json.Message).toContain('2026-04-01')
  }
})

test('an overlong address is 414', async () => {
  const { status, json } = await ask(`/api/storage/${'x'.repeat(8200)}`, { headers: key })
  expect(status).toBe(414)
  expect(json.MaxLength).toBe(8192)
})

test('members of a refusal stand beside the envelope and cannot replace its own', async () => {
  const { json } = await ask('/api/fail/refusal')
  expect(json).toMatchObject({ Expected: 'a', Received: 'b', HttpCode: 400 })
  expect(json.error.target).toBe('Checksum')
})

test('a bug is a 500 that says nothing, and the log says everything', async () => {
  for (const kind of ['bug', 'value']) {
    const { log, lines } = listeningLog()
    const { status, text, json } = await ask(
      `/api/fail/${kind}`,
      {},
      uncheckedApp(operations, { log }),
    )
    expect(status).toBe(500)
    expect(json.error.code).toBe('InternalError')
    expect(text).not.toContain('app.ts')
    expect(text).not.toContain('thrown')
    expect(JSON.stringify(lines)).toContain(kind === 'bug' ? 'secret detail' : 'a thrown string')
    expect(JSON.stringify(lines)).toContain(json.requestId)
  }
})

test('what a client breaks off is no fault of the service', async () => {
  const { log, lines } = listeningLog()
  const leaving = new AbortController()
  const waiting = testEndpoint({
    id: 'wait',
    plane: 'core',
    method: 'get',
    path: '/api/wait',
    summary: '',
    access: 'public',
    envelope: 'standard',
    responses: {},
    async handle({ request }) {
      leaving.abort()
      request.signal.throwIfAborted()
      return success(200, 'never', {})
    },
  })
  const request = new Request('https://sedge.test/api/wait', { signal: leaving.signal })
  const answer = await uncheckedApp([waiting], { log }).fetch(request, '192.0.2.1')

  expect(answer.status).toBe(400)
  expect(lines.map(({ level }) => level)).toEqual(['debug'])
})

test('that too many ask is a line of the log, and no fault with all its calls', async () => {
  const { log, lines } = listeningLog()
  const { status } = await ask('/api/fail/overload', {}, uncheckedApp(operations, { log }))
  expect(status).toBe(503)
  expect(lines.map(({ level }) => level)).toEqual(['warn'])
  expect(JSON.stringify(lines)).toContain('too many ask')
  expect(JSON.stringify(lines)).not.toContain('stack')
})

test('unavailable comes with the time to come back', async () => {
  const { status, headers } = await ask('/api/fail/busy')
  expect(status).toBe(503)
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
})

test('a used-up limit is flat, 429, and says when to come back; others are not touched', async () => {
  const app = uncheckedApp(operations)
  for (let count = 1; count <= 100; count += 1) {
    const { status, headers } = await ask('/api/search?q=a', {}, app)
    expect(status).toBe(200)
    expect(headers.get('ratelimit')).toBe(`"search";r=${100 - count};t=60`)
    expect(headers.get('ratelimit-policy')).toBe('"search";q=100;w=60')
  }
  const { status, headers, json } = await ask('/api/search?q=a', {}, app)
  expect(status).toBe(429)
  expect(json).toMatchObject({ error: 'limit_reached', Message: 'limit_reached', HttpCode: 429 })
  expect(json.limit).toBeUndefined()
  expect(headers.get('retry-after')).toBe('60')
  expect(headers.get('ratelimit')).toBe('"search";r=0;t=60')
  expect((await ask('/api/search?q=a', { from: '192.0.2.2' }, app)).status).toBe(200)
})

test('what is refused anyway costs nothing of a limit', async () => {
  const app = uncheckedApp(operations)
  for (let count = 0; count < 150; count += 1)
    expect((await ask('/api/search?q=', {}, app)).status).toBe(400)
  expect((await ask('/api/search?q=a', {}, app)).headers.get('ratelimit')).toContain('r=99')
})

test('large JSON is compressed for who takes it, and its entity-tag is then weak', async () => {
  for (const coding of ['gzip', 'br', 'zstd']) {
    const { headers } = await ask('/api/big', { headers: { 'Accept-Encoding': coding } })
    expect(headers.get('content-encoding')).toBe(coding)
    expect(headers.get('vary')).toBe('Accept-Encoding')
    expect(headers.get('etag')).toBe('W/"v1"')
  }
  const plain = await ask('/api/big', { headers: { 'Accept-Encoding': 'gzip;q=0' } })
  expect(plain.headers.has('content-encoding')).toBe(false)
  expect(plain.headers.get('vary')).toBe('Accept-Encoding')
  expect(plain.json.text).toHaveLength(5000)
})

test('JSON with an entity-tag answers 304 to who has it already', async () => {
  for (const tag of ['"v1"', 'W/"v1"']) {
    const { status, headers, text } = await ask('/api/big', { headers: { 'If-None-Match': tag } })
    expect(status).toBe(304)
    expect(text).toBe('')
    expect(headers.get('etag')).toBe('"v1"')
    expect(headers.get('cache-control')).toBe('no-cache')
  }
})

test('a handler keeps its own headers, and active content cannot run as a page of ours', async () => {
  const { headers } = await ask('/api/page')
  expect(headers.get('cache-control')).toBe('private')
  expect(headers.get('content-security-policy')).toContain('sandbox')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect((await ask('/api/big')).headers.get('content-security-policy')).toBeNull()
})

test('nothing of the interface can be made a service worker', async () => {
  expect((await ask('/api/page', { headers: { 'Service-Worker': 'script' } })).status).toBe(403)
})

const send = (headers: Record<string, string>, body: BodyInit) =>
  ask('/api/storage/x', { method: 'PUT', headers: { ...key, ...headers }, body })

test('an oversized body is 413 with MaxSize, announced or not', async () => {
  expect((await send({ 'Content-Length': '10' }, '0123456789')).json.Length).toBe(10)
  expect((await send({}, new Blob(['0123456789']).stream())).json.Length).toBe(10)
  for (const { status, json } of [
    await send({ 'Content-Length': '11' }, '01234567890'),
    await send({}, new Blob(['01234567890']).stream()),
    await send({ 'Content-Length': '5', 'Transfer-Encoding': 'chunked' }, '01234567890'),
  ]) {
    expect(status).toBe(413)
    expect(json.MaxSize).toBe(10)
  }
})

test('without a body there is an empty stream', async () => {
  expect((await ask('/api/storage/x', { method: 'PUT', headers: key })).json.Length).toBe(0)
})

const oddText = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      '/',
      '%',
      '%2F',
      '%zz',
      '%00',
      '%C3',
      '..',
      '?',
      '&',
      '=',
      '\\',
      ';',
      '*',
      'é',
      '😀',
    ),
    fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 1 }),
  ),
})
const fieldValue = fc.string({ unit: fc.constantFrom(...'aZ09 ,;=*/"\\:-_%'.split('')) })

test('whatever is asked, the answer is no fault of ours and has its headers', async () => {
  const app = uncheckedApp(operations)
  const path = fc
    .tuple(
      fc.constantFrom(
        '/api/storage/',
        '/api/storage/batch',
        '/api/core/zones/',
        '/api/search?q=',
        '/api/big',
        '/',
      ),
      oddText,
    )
    .map((parts) => parts.join(''))
  const names = [
    'X-Request-ID',
    'traceparent',
    'Accept-Encoding',
    'If-None-Match',
    'Content-Type',
    'X-Forwarded-For',
  ]
  const headers = fc.dictionary(fc.constantFrom(...names), fieldValue, { noNullPrototype: true })
  const method = fc.constantFrom('GET', 'HEAD', 'PUT', 'POST', 'PATCH', 'DELETE', 'OPTIONS', 'FOO')
  await fc.assert(
    fc.asyncProperty(
      path,
      method,
      fc.tuple(headers, fc.string()),
      async (url, verb, [extra, body]) => {
        const takesBody = verb !== 'GET' && verb !== 'HEAD'
        const request = new Request(`http://sedge.test${url}`, {
          method: verb,
          headers: { ...key, ...extra },
          ...(takesBody && { body }),
        })
        const response = await app.fetch(request, '192.0.2.1')
        await response.bytes()
        expect(response.status).toBeLessThan(500)
        expect(response.headers.get('x-request-id')).toMatch(/^[\da-fA-F-]{36}$/u)
        expect(response.headers.get('x-api-version')).toBe('2026-04-01')
      },
    ),
    { numRuns: 500 },
  )
})

test('lists and reports are told apart from what was read before, whenever that was', async () => {
  let names = ['a']
  const app = uncheckedApp([
    testEndpoint({
      ...listing,
      async handle() {
        return { json: { Names: names, DateFetched: new Date().toISOString() + Math.random() } }
      },
    }),
    testEndpoint({
      ...listing,
      id: 'public',
      path: '/api/public',
      access: 'public',
      handle: async () => ({ json: {} }),
    }),
  ])
  const poll = (path: string, headers: Record<string, string> = {}) =>
    app.fetch(
      new Request(`http://x${path}`, { headers: { AccessKey: testKeys.access, ...headers } }),
      '::1',
    )
  const first = await poll('/api/listing')
  const etag = first.headers.get('etag') ?? ''
  expect(etag).toMatch(/^W\/"[\w-]{22}"$/u)
  expect(first.headers.get('cache-control')).toBe('private, no-cache')
  const again = await poll('/api/listing', { 'If-None-Match': etag })
  expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag])
  names = ['a', 'b']
  const changed = await poll('/api/listing', { 'If-None-Match': etag })
  expect([changed.status, changed.headers.get('etag') === etag]).toEqual([200, false])
  expect((await poll('/api/public')).headers.has('etag')).toBe(false)
})

const listing = {
  id: 'listing',
  plane: 'core',
  method: 'get',
  path: '/api/listing',
  summary: '',
  access: { keys: ['access'] },
  envelope: 'standard',
  responses: {},
} as const

test('a request of the service is reported, and one that fills a cache in front is not', async () => {
  const reported: string[] = []
  const app = uncheckedApp(operations, {
    onResponse: ({ request, operation }) =>
      void reported.push(`${operation?.id} ${new URL(request.url).search}`),
  })
  const requestFor = (query: string) => new Request(`http://sedge.test/api/search${query}`)
  const filled = await app.fill(requestFor('?q=a'), '127.0.0.1')
  const fetched = await app.fetch(requestFor('?q=b'), '127.0.0.1')

  expect([filled.response.status, fetched.status]).toEqual([200, 200])
  expect(reported).toEqual(['search ?q=b'])
})
