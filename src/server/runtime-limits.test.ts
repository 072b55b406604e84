import { afterAll, expect, test } from 'bun:test'

import { ask, sendRaw } from '../../test/fixtures/raw-request.ts'

/**
 * What Bun answers before anything of ours is asked, or does not let us answer as we would. Documented in
 * docs/operating.md: where one of these fails, a newer Bun does better, and so can we.
 */
const asked: string[] = []
const hasBegun = Promise.withResolvers<void>()
const server = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  development: false,
  fetch(request) {
    asked.push(request.url)
    const body = new ReadableStream<Uint8Array>({
      async start(controller) {
        controller.enqueue(new Uint8Array(5))
        await hasBegun.promise
        controller.enqueue(new Uint8Array(5))
        controller.close()
      },
    })
    const isStream = request.url.endsWith('/stream')
    return isStream
      ? new Response(body, { headers: { 'Content-Length': '10' } })
      : new Response('a')
  },
})
afterAll(() => server.stop(true))
const port = server.port ?? 0

test.each([
  ['an unregistered method', 'BREW / HTTP/1.1\r\nHost: a\r\n\r\n', ''],
  ['a blank line first', '\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n', '400 Bad Request'],
  ['a star', 'OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n', '400 Bad Request'],
  ['malformed HTTP', 'GET / HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n', '400 Bad Request'],
  [
    'more than 16 KB before the body',
    `GET /${'a'.repeat(17_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
    '431 Request Header Fields Too Large',
  ],
])('Bun answers %s by itself, without a field or a body', async (_what, request, status) => {
  asked.length = 0
  const { text } = await sendRaw(port, request)
  expect(text).toBe(status === '' ? '' : `HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`)
  expect(asked).toEqual([])
})

test('Bun does not tell the authority of an absolute target, and names Host instead', async () => {
  asked.length = 0
  await ask(port, 'GET http://ours.example/a HTTP/1.1', 'Host: other.example')
  expect(asked).toEqual(['http://other.example/a'])
})

test('Bun tells an address with dot segments resolved', async () => {
  asked.length = 0
  await ask(port, String.raw`GET /a/../b/%2e%2e/c\d HTTP/1.1`, 'Host: a')
  expect(asked).toEqual(['http://a/c/d'])
})

test('Bun sends no interim response of ours, such as 104 of resumable uploads', () => {
  expect(() => new Response(null, { status: 104 })).toThrow(RangeError)
})

test('Bun leaves out the length of a stream, whatever it is said to be', async () => {
  const response = await fetch(new URL('/stream', server.url))
  expect(response.headers.get('content-length')).toBeNull()
  hasBegun.resolve()
  expect((await response.bytes()).length).toBe(10)
})
