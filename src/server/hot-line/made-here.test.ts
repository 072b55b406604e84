import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'

import { openHttpLine } from '../../../test/support/http-line.ts'
import { temporaryDirectory } from '../../../test/support/service-process.ts'
import {
  blobWhereTaken,
  DirectRequest,
  heldWhereTaken,
  HeldResponse,
} from '../../http/wire/held-response.ts'
import { sliceOf, wholeFile } from '../../lib/files/file-spans.ts'
import { type Listener, openListener } from '../listener.ts'

const large = new Uint8Array(3_000_000).fill(0x61)
const requests: Request[] = []
let listener: Listener
let directory: Awaited<ReturnType<typeof temporaryDirectory>>
const numbered = Uint8Array.from({ length: 1_000_000 }, (_, place) => (place / 7) % 251)
const pathOf = (name: string) => join(directory.path, name)

beforeAll(async () => {
  directory = await temporaryDirectory()
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
      if (pathname === '/api/plain') return heldWhereTaken(request, 'held', {})
      if (pathname.startsWith('/api/file/')) return fileOf(request, pathname.slice(10))
      if (pathname === '/api/large') return heldWhereTaken(request, large, {})
      if (pathname.startsWith('/api/coming/')) return comingOf(Number(pathname.slice(12)))
      if (pathname === '/api/echo') return new Response(await request.bytes())
      if (pathname !== '/api/stream') return new Response('ours alone')
      keepOpen(request)
      return new Response(untilLeft(request.signal))
    },
  })
})
afterAll(async () => {
  await listener.stop(0)
  await directory[Symbol.asyncDispose]()
})

/** The file, or a part of it where the request has a Range. */
function fileOf(request: Request, name: string): Response {
  const range = request.headers.get('range')?.split('-').map(Number)
  const [start = 0, end = numbered.length] = range ?? []
  const part = sliceOf(wholeFile(pathOf(name), numbered.length), range && { start, end })
  return blobWhereTaken(request, part, { headers: { 'Content-Type': 'image/png' } })
}

const pieces = 300
const piece = Buffer.alloc(10_000, 'piece ')
let piecesMade = 0
const cancelled = Promise.withResolvers<void>()

/** A body that is said to have so many bytes, whatever it has. */
function comingOf(sizeBytes: number): Response {
  piecesMade = 0
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (piecesMade === pieces) return controller.close()
        piecesMade += 1
        controller.enqueue(piece)
      },
      cancel: () => cancelled.resolve(),
    },
    { highWaterMark: 0 },
  )
  return new Response(body, { headers: { 'Content-Length': String(sizeBytes) } })
}

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

test('a file, and a part of one, is asked for here, once, and sent from the disk', async () => {
  await Bun.write(pathOf('a.png'), numbered)
  requests.length = 0
  using line = await openHttpLine(listener.port)
  const part = get('/api/file/a.png').replace('\r\n\r\n', '\r\nRange: 5-900000\r\n\r\n')
  const little = part.replace('900000', '50')
  const asked = [get('/api/file/a.png'), part, little]
  await line.send([...asked, get('/api/plain'), ...asked].join(''))
  const whole = Buffer.from(numbered)
  const files = [whole, whole.subarray(5, 900_000), whole.subarray(5, 50)]
  for (const body of [...files, Buffer.from('held'), ...files]) {
    const response = await line.next('GET')
    expect(response?.fields.get('content-length')).toBe(String(body.length))
    expect(response?.body.equals(body)).toBe(true)
  }
  expect(requests).toHaveLength(7)
})

test('a file that has become another one is not sent under its length', async () => {
  await Bun.write(pathOf('shorter.png'), numbered.subarray(0, 500_000))
  using line = await openHttpLine(listener.port)
  await line.send(get('/api/file/shorter.png'))
  const response = await line.next('GET')
  expect(response?.body.length ?? 500_000).toBe(500_000)
})

test('a body that comes in pieces is sent as it comes, where its length is told', async () => {
  requests.length = 0
  using line = await openHttpLine(listener.port)
  const path = `/api/coming/${pieces * piece.length}`
  await line.send(get(path) + get('/api/plain') + get(path))
  for (const body of ['piece', 'held', 'piece']) {
    const response = await line.next('GET')
    expect(response?.fields.get('content-length')).toBe(String(response?.body.length))
    expect(response?.body.subarray(0, body.length).toString()).toBe(body)
  }
  expect(requests).toHaveLength(3)
})

test.each([pieces * piece.length - 1, pieces * piece.length + 1])(
  'a body of another length than was told (%d bytes) ends its connection',
  async (sizeBytes) => {
    using line = await openHttpLine(listener.port)
    await line.send(get(`/api/coming/${sizeBytes}`))
    await line.closed
  },
)

test('no more of a body is made than the client takes, and none once the client has left', async () => {
  const socket = await Bun.connect({
    hostname: '127.0.0.1',
    port: listener.port,
    socket: { data: (it) => it.pause() },
  })
  socket.write(get(`/api/coming/${pieces * piece.length}`).repeat(20))
  const other = await fetch(`${listener.url}api/plain`)
  expect(await other.text()).toBe('held')
  expect(piecesMade).toBeLessThan(pieces)
  socket.terminate()
  await cancelled.promise
})

test('what is not in memory is asked for once too, and sent by the full server', async () => {
  requests.length = 0
  using line = await openHttpLine(listener.port)
  await line.send(get('/api/other') + get('/api/text'))
  expect((await line.next('GET'))?.body.toString()).toBe('ours alone')
  expect((await line.next('GET'))?.body.toString()).toBe('héld')
  expect(requests).toHaveLength(2)
})

test.each([0, 5, 3_000_000])(
  'whoever has sent a body of %d bytes is asked for here again after it',
  async (length) => {
    requests.length = 0
    using line = await openHttpLine(listener.port)
    const post = `POST /api/echo HTTP/1.1\r\nHost: sedge.test\r\nContent-Length: ${length}\r\n\r\n`
    await line.send(get('/api/text') + post)
    await line.send(Buffer.concat([large.subarray(0, length), Buffer.from(get('/api/text'))]))
    expect((await line.next('GET'))?.body.toString()).toBe('héld')
    expect((await line.next('POST'))?.body.length).toBe(length)
    expect((await line.next('GET'))?.body.toString()).toBe('héld')
    expect(requests.map((request) => request instanceof DirectRequest)).toEqual([true, false, true])
  },
)

test('what was passed on is heard of before the full server stops', async () => {
  const stopping = openListener({
    port: 0,
    hostname: '127.0.0.1',
    sharesPort: false,
    respondOnWire: () => undefined,
    respond: async (request) =>
      request.method === 'GET'
        ? heldWhereTaken(request, 'held', {})
        : new Response(await request.bytes()),
  })
  using line = await openHttpLine(stopping.port)
  using other = await openHttpLine(stopping.port)
  await line.send('POST /api/echo HTTP/1.1\r\nHost: sedge.test\r\nContent-Length: 8\r\n\r\nhalf')
  await other.send(get('/api/plain'))
  await other.next('GET')
  const stopped = stopping.stop(5_000)
  await line.send('half')
  expect((await line.next('POST'))?.body.toString()).toBe('halfhalf')
  await stopped
})

test('paths that may be read in two ways are left to the full server', async () => {
  requests.length = 0
  using line = await openHttpLine(listener.port)
  for (const path of ['/api/%74ext', '/api//text', '/api/a/../text', '/text'])
    await line.send(get(path))
  for (let time = 0; time < 4; time += 1) await line.next('GET')
  expect(requests).toHaveLength(4)
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
