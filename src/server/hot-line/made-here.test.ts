import { afterAll, beforeAll, expect, test } from 'bun:test'

import { openHttpLine } from '../../../test/support/http-line.ts'
import { DirectRequest, heldWhereTaken, HeldResponse } from '../../http/wire/held-response.ts'
import { type Listener, openListener } from '../listener.ts'

const large = new Uint8Array(3_000_000).fill(0x61)
const requests: Request[] = []
let listener: Listener

beforeAll(() => {
  listener = openListener({
    port: 0,
    hostname: '127.0.0.1',
    sharesPort: false,
    respondOnWire: () => undefined,
    respond: async (request, _peerAddress, keepOpen) => {
      requests.push(request)
      const { pathname } = new URL(request.url)
      await Promise.resolve()
      if (pathname === '/api/text') return heldWhereTaken(request, 'héld', { status: 201 })
      if (pathname === '/api/large') return heldWhereTaken(request, large, {})
      if (pathname !== '/api/stream') return new Response('ours alone')
      keepOpen(request)
      return new Response(untilLeft(request.signal))
    },
  })
})
afterAll(() => listener.stop(0))

const left = Promise.withResolvers<void>()
const untilLeft = (signal: AbortSignal) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(Buffer.from('begun'))
      signal.addEventListener('abort', () => left.resolve())
    },
  })

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: sedge.test\r\n\r\n`

test('what is in memory is asked for here, once, and sent from there', async () => {
  requests.length = 0
  using line = await openHttpLine(listener.port)
  await line.send(get('/api/text') + get('/api/text'))
  for (let time = 0; time < 2; time += 1) {
    const response = await line.next('GET')
    expect(response?.status).toBe(201)
    expect(response?.fields.get('content-length')).toBe('5')
    expect(response?.body.toString()).toBe('héld')
  }
  expect(requests.map((request) => request instanceof DirectRequest)).toEqual([true, true])
})

test('a large body goes to a client that reads slowly as the client takes it', async () => {
  using line = await openHttpLine(listener.port)
  await line.send(get('/api/large').repeat(6))
  for (let time = 0; time < 6; time += 1)
    expect((await line.next('GET'))?.body.equals(large)).toBe(true)
})

test('what is not in memory is asked for once too, and sent by the full server', async () => {
  requests.length = 0
  using line = await openHttpLine(listener.port)
  await line.send(get('/api/other') + get('/api/text'))
  expect((await line.next('GET'))?.body.toString()).toBe('ours alone')
  expect((await line.next('GET'))?.body.toString()).toBe('héld')
  expect(requests).toHaveLength(2)
})

test('paths that may be read in two ways are left to the full server', async () => {
  requests.length = 0
  using line = await openHttpLine(listener.port)
  for (const path of ['/api/%74ext', '/api//text', '/api/a/../text', '/api/storage/a', '/text'])
    await line.send(get(path))
  for (let time = 0; time < 5; time += 1) await line.next('GET')
  expect(requests).toHaveLength(5)
  expect(requests.some((request) => request instanceof DirectRequest)).toBe(false)
})

test('whoever was asked hears that the client has left, wherever the response comes from', async () => {
  const line = await openHttpLine(listener.port)
  await line.send(get('/api/stream'))
  line[Symbol.dispose]()
  await left.promise
})

test('nobody else is given a response without its body', async () => {
  const response = heldWhereTaken(new Request('http://sedge.test/'), 'text', {})
  expect(response).not.toBeInstanceOf(HeldResponse)
  expect(await response.text()).toBe('text')
})
