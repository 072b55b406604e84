import { afterEach, expect, test } from 'bun:test'
import { createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'

import { NodeWebhookSender, type NodeWebhookSenderOptions } from './node-webhook-sender.ts'

const undo: (() => unknown)[] = []
afterEach(async () => {
  for (const step of undo.splice(0)) await step()
})

function openSender(options: Partial<NodeWebhookSenderOptions> = {}): NodeWebhookSender {
  const sender = new NodeWebhookSender({
    allowPrivate: true,
    monotonicMs: () => performance.now(),
    timeoutMs: 5_000,
    ...options,
  })
  undo.push(() => sender[Symbol.asyncDispose]())
  return sender
}

const requestTo = (url: string) => ({ url, headers: { 'X-Test': 'yes' }, body: '{"ä":1}' })

/** A receiver that is told of each connection once something arrived on it. */
async function listen(onData: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('data', () => onData(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  undo.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  return address !== null && typeof address === 'object' ? address.port : 0
}

const answering = (text: string) => listen((socket) => void socket.write(text))

function flood(socket: Socket, head: string, chunk: string): void {
  socket.write(head)
  const more = () => {
    while (!socket.destroyed && socket.write(chunk));
    if (!socket.destroyed) socket.once('drain', more)
  }
  more()
}

test('the body arrives as given, at the path, under the name, and the answer comes back', async () => {
  const seen: unknown[] = []
  using server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      seen.push([
        request.method,
        `${pathname}${search}`,
        request.headers.get('host'),
        request.headers.get('x-test'),
        await request.text(),
      ])
      return new Response('taken', { status: 202 })
    },
  })
  const sender = openSender({ resolve: async () => ['127.0.0.1'] })
  const answer = await sender.send(requestTo(`http://hooks.example:${server.port}/a/b?c=d#e`))

  expect(answer).toMatchObject({ status: 202, error: undefined, body: 'taken' })
  expect(answer.durationMs).toBeGreaterThan(0)
  expect(seen).toEqual([['POST', '/a/b?c=d', `hooks.example:${server.port}`, 'yes', '{"ä":1}']])
})

const fixture = (name: string) => Bun.file(join(import.meta.dir, 'fixtures', name)).text()

async function secureServer(hostname: string) {
  const [key, cert] = [await fixture('receiver-key.pem'), await fixture('receiver-certificate.pem')]
  const server = Bun.serve({
    port: 0,
    hostname,
    tls: { key, cert },
    fetch: (request) => new Response(request.headers.get('host')),
  })
  undo.push(() => server.stop(true))
  return { port: server.port, cert }
}

test('over TLS the certificate must be for the name, though the address is connected to', async () => {
  const { port, cert } = await secureServer('127.0.0.1')
  const sender = openSender({
    resolve: async () => ['127.0.0.1'],
    certificateAuthority: cert,
  })
  const send = (host: string) => sender.send(requestTo(`https://${host}:${port}/`))

  expect(await send('receiver.test')).toMatchObject({ status: 200, body: `receiver.test:${port}` })
  // On a connection that was kept it would pass.
  expect(await send('other.test')).toMatchObject({
    status: undefined,
    error: expect.stringContaining('certificate'),
  })
  expect(await send('127.0.0.1')).toMatchObject({ status: undefined })
  expect(await send('receiver.test')).toMatchObject({ status: 200 })
})

test('a certificate nobody vouches for is not accepted', async () => {
  const { port } = await secureServer('127.0.0.1')
  const sender = openSender({ resolve: async () => ['127.0.0.1'] })

  expect(await sender.send(requestTo(`https://receiver.test:${port}/`))).toMatchObject({
    status: undefined,
    error: expect.stringContaining('certificate'),
  })
})

test('no redirect is followed', async () => {
  let connections = 0
  const port = await listen((socket) => {
    connections += 1
    socket.end(
      `HTTP/1.1 307 Temporary\r\nLocation: http://127.0.0.1:${port}/\r\nContent-Length: 0\r\n\r\n`,
    )
  })

  expect(await openSender().send(requestTo(`http://127.0.0.1:${port}/`))).toMatchObject({
    status: 307,
  })
  expect(connections).toBe(1)
})

test('a receiver that never answers is left after the time', async () => {
  const port = await listen(() => {})
  const sender = openSender({ timeoutMs: 100 })

  expect(await sender.send(requestTo(`http://127.0.0.1:${port}/`))).toMatchObject({
    status: undefined,
    error: 'no whole answer came in time',
  })
})

test('a receiver that answers a byte at a time is left after the time', async () => {
  const port = await listen((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    const timer = setInterval(() => socket.write('x'), 10)
    undo.push(() => clearInterval(timer))
  })
  const sender = openSender({ timeoutMs: 200 })

  expect(await sender.send(requestTo(`http://127.0.0.1:${port}/`))).toMatchObject({
    status: undefined,
    error: 'no whole answer came in time',
  })
})

test('an answer without end is read no further than the limit, and its status counts', async () => {
  let ended = Promise.withResolvers<void>()
  const port = await listen((socket) => {
    socket.once('close', () => ended.resolve())
    flood(socket, 'HTTP/1.1 200 OK\r\n\r\n', 'x'.repeat(10_000))
  })
  ended = Promise.withResolvers<void>()
  const answer = await openSender().send(requestTo(`http://127.0.0.1:${port}/`))
  await ended.promise

  expect(answer).toMatchObject({ status: 200, error: expect.stringContaining('longer') })
  expect(answer.body).toBe('x'.repeat(1024))
})

test('a compressed answer is not blown up', async () => {
  const zipped = Bun.gzipSync(new Uint8Array(20_000_000))
  const port = await listen((socket) => {
    socket.write(
      `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${zipped.length}\r\n\r\n`,
    )
    socket.write(zipped)
  })

  expect(await openSender().send(requestTo(`http://127.0.0.1:${port}/`))).toMatchObject({
    status: 200,
    body: expect.stringMatching(/^\u001f/u),
  })
})

const faults: Readonly<Record<string, (socket: Socket) => unknown>> = {
  'closes at once': (socket) => socket.destroy(),
  resets: (socket) => socket.resetAndDestroy(),
  'dies within the head': (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-'),
  'dies within the body': (socket) =>
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nhalf'),
  'speaks no HTTP': (socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n\r\n'),
  'sends headers without end': (socket) =>
    flood(socket, 'HTTP/1.1 200 OK\r\n', `a: ${'x'.repeat(1000)}\r\n`),
  'sends interim answers without end': (socket) =>
    flood(socket, '', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(10)),
  'changes the protocol': (socket) =>
    socket.write('HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
}
for (const [name, act] of Object.entries(faults))
  test(`a receiver that ${name} gives no status, and a reason in plain words`, async () => {
    const port = await listen(act)
    const answer = await openSender().send(requestTo(`http://127.0.0.1:${port}/`))

    expect(answer).toMatchObject({ status: undefined, body: '' })
    expect(answer.error).toMatch(/^(?:the connection|what came back)/u)
  })

test('a connection that went stale while it was kept is replaced', async () => {
  let requests = 0
  const port = await listen((socket) => {
    requests += 1
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
    // Answered and closed without a word, as servers do with idle connections.
    setTimeout(() => socket.destroy(), 20)
  })
  const sender = openSender()
  for (let round = 0; round < 5; round += 1) {
    expect(await sender.send(requestTo(`http://127.0.0.1:${port}/`))).toMatchObject({ status: 200 })
    await Bun.sleep(25)
  }
  expect(requests).toBe(5)
})

test('another address of the host is tried where one cannot be reached', async () => {
  const port = await answering('HTTP/1.1 204 No Content\r\n\r\n')
  const sender = openSender({ resolve: async () => ['127.0.0.2', '127.0.0.1'] })

  expect(await sender.send(requestTo(`http://hooks.example:${port}/`))).toMatchObject({
    status: 204,
  })
})

test('what is told to end ends', async () => {
  const port = await listen(() => {})
  const ending = new AbortController()
  const sending = openSender().send(requestTo(`http://127.0.0.1:${port}/`), ending.signal)
  setTimeout(() => ending.abort(), 20)

  expect(await sending).toMatchObject({ status: undefined })
})

test('a name that cannot be looked up is a reason in plain words, in time', async () => {
  const missing = Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' })
  const sender = openSender({ allowPrivate: false, resolve: () => Promise.reject(missing) })
  expect(await sender.send(requestTo('https://hooks.example/'))).toMatchObject({
    error: 'the host name cannot be looked up',
  })
  expect(await sender.refusalOf('https://hooks.example/')).toBeUndefined()

  const slow = openSender({
    allowPrivate: false,
    timeoutMs: 50,
    resolve: () => Promise.withResolvers<readonly string[]>().promise,
  })
  expect(await slow.send(requestTo('https://hooks.example/'))).toMatchObject({
    error: 'no whole answer came in time',
  })
})
