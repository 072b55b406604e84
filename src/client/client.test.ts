import { expect, test } from 'bun:test'

import { createClientOn } from './client.ts'
import { SedgeConnectionError, SedgeError } from './errors.ts'
import type { ClientOptions } from './types.ts'

/** A client of responses made up here; nothing waits. */
function setUp(
  responses: readonly (() => Response | Promise<Response>)[],
  options: Partial<ClientOptions> = {},
) {
  const requests: Request[] = []
  const pauses: number[] = []
  const client = createClientOn(
    {
      async fetch(request) {
        requests.push(request)
        return await (responses[requests.length - 1]?.() ?? Response.json({}))
      },
      async wait(ms, signal) {
        signal?.throwIfAborted()
        pauses.push(ms)
      },
      random: () => 1,
      now: () => Date.parse('2026-01-01T00:00:00Z'),
    },
    { url: 'http://sedge.test/', ...options },
  )
  return { client, requests, pauses }
}

const refusal =
  (status: number, headers: Record<string, string> = {}) =>
  () =>
    Response.json(
      {
        error: { code: 'Unavailable', message: 'busy', target: null, details: [] },
        Message: 'busy',
      },
      { status, headers },
    )

test('a call sends the key its operation takes, and no other', async () => {
  const { client, requests } = setUp([], { accessKey: 'a', accountKey: 'c', purgeKey: 'p' })
  await client.listZones()
  await client.listAssets()
  await client.purge({ body: { tags: ['all-assets'] } })
  await client.getHealth()

  const sent = requests.map(({ headers }) =>
    ['accesskey', 'accountkey', 'x-api-key', 'authorization'].filter((name) => headers.has(name)),
  )
  expect(sent).toEqual([['accountkey'], ['accesskey'], ['x-api-key'], []])
})

test('a token takes the place of keys that are not there', async () => {
  const { client, requests } = setUp([], { accessKey: 'a', token: 'cdnsk_x' })
  await client.listZones()
  await client.listAssets()

  expect(requests.map(({ headers }) => headers.get('authorization'))).toEqual([
    'Bearer cdnsk_x',
    null,
  ])
})

test('parameters go where the operation has them', async () => {
  const { client, requests } = setUp([])
  await client.removeDomain({ id: 'acme', hostname: 'a b.test' })
  await client.getFile({ path: 'acme/v1/logos/ä #1.svg' })
  await client.listAssets({ q: 'a&b', page: 2 })

  expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'DELETE http://sedge.test/api/core/zones/acme/domains/a%20b.test',
    'GET http://sedge.test/api/storage/acme/v1/logos/%C3%A4%20%231.svg',
    'GET http://sedge.test/api/assets?q=a%26b&page=2',
  ])
})

test('no parameter can lead to another operation', async () => {
  const { client, requests } = setUp([])

  await expect(client.deleteFile({ path: '../core/zones/acme' })).rejects.toThrow(TypeError)
  await expect(client.deleteZone({ id: '..' })).rejects.toThrow(TypeError)
  await expect(client.deleteZone({ id: '' })).rejects.toThrow(TypeError)
  expect(requests).toEqual([])
})

test('429 and 503 are tried again, after longer and longer pauses', async () => {
  const { client, pauses } = setUp([refusal(503), refusal(429), refusal(503)])
  await client.listZones()

  expect(pauses).toEqual([500, 1000, 2000])
})

test('a pause is as long as the service asks for', async () => {
  const { client, pauses } = setUp([
    refusal(503, { 'Retry-After': '5' }),
    refusal(429, { 'Retry-After': 'Thu, 01 Jan 2026 00:00:07 GMT' }),
  ])
  await client.listZones()

  expect(pauses).toEqual([5000, 7000])
})

test('a service that wants to be left alone for long is not asked again', async () => {
  const { client, pauses } = setUp([refusal(429, { 'Retry-After': '3600' })])

  await expect(client.listZones()).rejects.toMatchObject({ status: 429, retryAfterSeconds: 3600 })
  expect(pauses).toEqual([])
})

test('tries come to an end, and no other refusal is tried again', async () => {
  const busy = setUp([refusal(503), refusal(503)], { retries: 1 })
  await expect(busy.client.listZones()).rejects.toBeInstanceOf(SedgeError)
  expect(busy.requests).toHaveLength(2)

  const broken = setUp([refusal(500)])
  await expect(broken.client.listZones()).rejects.toMatchObject({ status: 500 })
  expect(broken.requests).toHaveLength(1)
})

test('bytes are sent again whole; a stream only where it can be made again', async () => {
  const stream = () => new Blob(['hello']).stream()
  const asked = { path: 'acme/v1/a.txt' }
  const again = setUp([refusal(503)])
  await again.client.putFile({ ...asked, body: stream })
  expect(await Promise.all(again.requests.map((request) => request.text()))).toEqual([
    'hello',
    'hello',
  ])

  const once = setUp([refusal(503)])
  await expect(once.client.putFile({ ...asked, body: stream() })).rejects.toMatchObject({
    status: 503,
  })
})

test('both envelopes become the same error', async () => {
  const { client } = setUp([
    () =>
      Response.json(
        {
          error: {
            code: 'ZoneExists',
            message: 'Zone "acme" exists',
            target: 'Name',
            details: [{ message: 'x' }],
          },
          Message: 'Zone "acme" exists',
          requestId: 'id-1',
        },
        { status: 409 },
      ),
    () =>
      Response.json(
        { error: 'limit_reached', code: 'limit_reached', detail: 'Too many', invalid: ['a'] },
        { status: 429, headers: { 'Retry-After': '90', 'X-Request-ID': 'id-2' } },
      ),
    () => new Response('<html>', { status: 502, statusText: 'Bad Gateway' }),
  ])

  await expect(client.createZone({ body: { Name: 'acme' } })).rejects.toMatchObject({
    name: 'SedgeError',
    code: 'ZoneExists',
    message: 'Zone "acme" exists',
    target: 'Name',
    details: [{ message: 'x' }],
    requestId: 'id-1',
  })
  await expect(client.purge({ body: {} })).rejects.toMatchObject({
    code: 'limit_reached',
    message: 'Too many',
    requestId: 'id-2',
    retryAfterSeconds: 90,
    body: { invalid: ['a'] },
  })
  await expect(client.listZones()).rejects.toMatchObject({
    code: 'Unknown',
    status: 502,
    message: 'HTTP 502 Bad Gateway',
  })
})

test('a service that is not well says so in a response, not an error', async () => {
  const report = { status: 'degraded' }
  const { client } = setUp([() => Response.json(report, { status: 503 })])

  expect(await client.getHealth()).toMatchObject(report)
})

test('where nobody answers, the error says where', async () => {
  const { client } = setUp([() => Promise.reject(new TypeError('refused'))])

  const failed = client.listZones()
  await expect(failed).rejects.toBeInstanceOf(SedgeConnectionError)
  await expect(failed).rejects.toThrow('No service answers at http://sedge.test')
})

test('a signal ends the call between two tries, with its own reason', async () => {
  const controller = new AbortController()
  const { client, requests } = setUp([
    () => {
      controller.abort(new Error('enough'))
      return refusal(503)()
    },
  ])

  await expect(client.listZones({}, { signal: controller.signal })).rejects.toThrow('enough')
  expect(requests).toHaveLength(1)
})

test('assets come page after page, and no page is asked for too early', async () => {
  const page = (names: readonly string[]) => () =>
    Response.json({ Data: names.map((name) => ({ name })), TotalPages: 2 })
  const { client, requests } = setUp([page(['a', 'b']), page(['c'])])
  const assets = client.eachAsset({ project: 'acme' })[Symbol.asyncIterator]()
  await assets.next()
  await assets.next()
  expect(requests).toHaveLength(1)

  expect((await assets.next()).value).toEqual({ name: 'c' } as never)
  expect((await assets.next()).done).toBe(true)
  expect(requests.map(({ url }) => new URL(url).search)).toEqual([
    '?per_page=200&sort=path&project=acme&page=1',
    '?per_page=200&sort=path&project=acme&page=2',
  ])
})

test('log records are read from the events, wherever the chunks are cut', async () => {
  const text =
    ': open\n\nevent: log\ndata: {"message":"ä"}\n\nevent: other\ndata: 1\n\n: beat\n\nevent: log\r\ndata: {"message":"b"}\r\n\r\n'
  const bytes = new TextEncoder().encode(text)
  for (const size of [1, 7, bytes.length]) {
    const body = new ReadableStream({
      start(controller) {
        for (let at = 0; at < bytes.length; at += size)
          controller.enqueue(bytes.slice(at, at + size))
        controller.close()
      },
    })
    const { client } = setUp([() => new Response(body)])
    const messages: string[] = []
    for await (const { message } of client.followLogs()) messages.push(message)

    expect(messages).toEqual(['ä', 'b'])
  }
})

test('whoever stops reading ends the stream', async () => {
  const ended = Promise.withResolvers<void>()
  const body = new ReadableStream({
    start: (controller) =>
      controller.enqueue(new TextEncoder().encode('event: log\ndata: {"message":"a"}\n\n')),
    cancel: () => ended.resolve(),
  })
  const { client } = setUp([() => new Response(body)])
  for await (const _ of client.followLogs()) break

  await ended.promise
})
