import { expect, test } from 'bun:test'
import { z } from 'zod'
import { getOpenApiDocument, openApiDocument } from './openapi.ts'
import type { Endpoint } from '../operation.ts'
import { clampedInteger } from '../request/query.ts'
import { testApp, testEndpoint, uncheckedApp } from '../testing.ts'

const operations: readonly Endpoint[] = [
  testEndpoint({
    id: 'listThings',
    plane: 'things',
    method: 'get',
    path: '/api/things/{id}',
    summary: 'List things',
    access: { keys: ['access', 'purge'], scope: 'things:read', session: true },
    envelope: 'standard',
    query: z.object({ page: clampedInteger({ min: 1, max: 9, default: 2, description: 'Which' }) }),
    requestHeaders: { Checksum: 'The SHA-256' },
    responses: {
      200: { description: 'Things', schema: z.object({ Names: z.array(z.string()) }) },
      404: { description: 'No such thing' },
    },
    handle: async () => ({ json: {} }),
  }),
  testEndpoint({
    id: 'makeThing',
    plane: 'things',
    method: 'post',
    path: '/api/things',
    summary: 'Make a thing',
    access: 'public',
    envelope: 'flat',
    rateLimits: ['search'],
    body: { kind: 'json', schema: z.object({ Name: z.string().max(5) }) },
    responses: { 201: { description: 'Made', contentType: 'image/png' } },
    handle: async () => ({ json: {} }),
  }),
]

// oxlint-disable-next-line typescript/no-explicit-any -- a document of any shape is looked into
const document: any = openApiDocument({
  operations,
  webhooks: [
    { name: 'thing.made', summary: 'A thing was made', schema: z.object({ event: z.string() }) },
  ],
})

test('an operation is described from its value', () => {
  expect(document.openapi).toBe('3.1.0')
  const { get } = document.paths['/api/things/{id}']
  expect(get).toMatchObject({ operationId: 'listThings', summary: 'List things', tags: ['things'] })
  expect(get.security).toEqual([
    { AccessKey: [] },
    { PurgeKey: [] },
    { BearerToken: ['things:read'] },
    { Session: [] },
  ])
  expect(get.parameters).toContainEqual({
    name: 'page',
    in: 'query',
    required: false,
    description: 'Which; 1 to 9; what is beyond is moved into it',
    schema: { type: 'integer', default: 2 },
  })
  expect(get.parameters).toContainEqual(
    expect.objectContaining({ name: 'id', in: 'path', required: true }),
  )
  expect(get.parameters).toContainEqual(
    expect.objectContaining({ name: 'Checksum', in: 'header', required: false }),
  )
})

const schemaOf = (response: { content: Record<string, { schema: object }> }) =>
  response.content['application/json']?.schema

test('refusals are described by the envelope of the operation, a used-up limit always flat', () => {
  const { get } = document.paths['/api/things/{id}']
  const { post } = document.paths['/api/things']
  expect(schemaOf(get.responses['404'])).toEqual({ $ref: '#/components/schemas/StandardError' })
  expect(schemaOf(get.responses.default)).toEqual({ $ref: '#/components/schemas/StandardError' })
  expect(schemaOf(post.responses.default)).toEqual({ $ref: '#/components/schemas/FlatError' })
  expect(schemaOf(post.responses['429'])).toEqual({ $ref: '#/components/schemas/FlatError' })
  expect(Object.keys(document.components.schemas).toSorted()).toEqual([
    'FlatError',
    'StandardError',
  ])
})

test('bodies, other media types, public access and webhooks are described', () => {
  const { post } = document.paths['/api/things']
  expect(post.security).toEqual([])
  expect(post.requestBody.content['application/json'].schema.properties.Name.maxLength).toBe(5)
  expect(Object.keys(post.responses['201'].content)).toEqual(['image/png'])
  expect(document.webhooks['thing.made'].post.summary).toBe('A thing was made')
})

test('what a validator would refuse wrongly is not in the description', async () => {
  const { allOperations } = await import('../../planes/operations.ts')
  const whole = openApiDocument({ operations: allOperations })
  const schemas: Record<string, unknown>[] = []
  JSON.stringify(whole, (_, value: unknown) => {
    if (typeof value === 'object' && value !== null) schemas.push(value as never)
    return value
  })
  const patterns = schemas.flatMap(({ pattern }) => (typeof pattern === 'string' ? [pattern] : []))
  expect(patterns.length).toBeGreaterThan(0)
  for (const pattern of patterns) {
    expect(pattern).not.toEndWith('/u')
    expect(() => new RegExp(pattern, 'u')).not.toThrow()
  }
  expect(schemas.filter(({ items }) => Array.isArray(items))).toEqual([])
  const commit = schemas.find(({ pattern }) => pattern === '^[0-9a-f]{40}$')
  expect(commit).toBeDefined()

  // oxlint-disable-next-line typescript/no-explicit-any -- a document of any shape is looked into
  const paths = (whole as any).paths
  expect(Object.keys(paths['/api/chat'].post.responses['200'].content)).toEqual([
    'text/event-stream',
    'application/json',
  ])
  expect(Object.keys(paths['/api/storage/{path}'].get.responses['200'].content)).toContain('*/*')
  const published = paths['/api/assets/events'].get.responses['200'].content['text/event-stream']
  expect(published['x-events'].published.properties).toHaveProperty('changes')
  const part = paths['/api/edges/manifest/{part}'].get.responses['200'].content
  expect(part['application/x-ndjson']['x-lines']).toHaveProperty('anyOf')
  expect(paths['/api/storage/{path}'].head).toMatchObject({ operationId: 'headFile' })
  expect(Object.keys(paths['/api/storage/{path}'].put.responses)).toEqual(
    expect.arrayContaining(['201', '400', '401', '403', '413', '429']),
  )
  expect(schemaOf(paths['/dashboard/login'].post.responses['429'])).toEqual({
    $ref: '#/components/schemas/FlatError',
  })
  for (const path of ['/api/tokens', '/api/webhooks', '/api/passkeys', '/api/sessions'])
    expect(paths[path].delete.parameters).toMatchObject([{ name: 'id', required: true }])
  const transform = paths['/api/transform'].get.parameters as { name: string; schema: object }[]
  const named = (name: string) => transform.find((each) => each.name === name)?.schema
  expect(named('h')).toEqual({ type: 'integer', minimum: 1, maximum: 8192 })
  expect(named('fit')).toMatchObject({ enum: expect.arrayContaining(['cover', 'contain']) })
})

test('the document is served, describes itself, and is not sent twice', async () => {
  const all = [...operations, getOpenApiDocument]
  const app = testApp([getOpenApiDocument.endpoint({ operations: all })])
  const ask = (headers: Record<string, string> = {}) =>
    app.fetch(new Request('http://sedge.test/api/openapi.json', { headers }), '192.0.2.1')
  const response = await ask()
  expect(response.status).toBe(200)
  const served = (await response.json()) as { paths: object }
  expect(Object.keys(served.paths)).toEqual([
    '/api/things/{id}',
    '/api/things',
    '/api/openapi.json',
  ])
  const etag = response.headers.get('etag') ?? ''
  expect((await ask({ 'If-None-Match': etag })).status).toBe(304)
})

test('the error schemas accept what is really answered', async () => {
  const { errorSchemas } = await import('./error-schemas.ts')
  const app = uncheckedApp(operations)
  const ask = async (path: string, method: string) =>
    (await app.fetch(new Request(`http://sedge.test${path}`, { method }), '192.0.2.1')).json()
  expect(errorSchemas.standard.safeParse(await ask('/api/things/1', 'GET')).error).toBeUndefined()
  expect(errorSchemas.flat.safeParse(await ask('/api/things', 'POST')).error).toBeUndefined()
})
