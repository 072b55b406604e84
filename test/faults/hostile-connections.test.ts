import { afterAll, beforeAll, expect, test } from 'bun:test'
import { connect } from 'node:net'

import { ask, sendRaw } from '../fixtures/raw-request.ts'
import { openLocalService } from '../support/local-service.ts'
import { access, account, temporaryDirectory, testKeys } from '../support/service-process.ts'

const path = '/acme/v1/icons/a.css'
const content = 'body { color: teal }'
const opened = new AsyncDisposableStack()
let port = 0
let logged: readonly string[] = []

beforeAll(async () => {
  const directory = opened.use(await temporaryDirectory())
  const service = opened.use(await openLocalService({ dataDirectory: directory.path }))
  ;({ port, lines: logged } = service)
  const body = JSON.stringify({ Name: 'acme' })
  await fetch(`${service.url}/api/core/zones`, { method: 'POST', headers: account, body })
  const file = `${service.url}/api/storage${path}`
  await fetch(file, { method: 'PUT', headers: access, body: content })
})

afterAll(() => opened.disposeAsync())

const upload = `PUT /api/storage${path} HTTP/1.1\r\nHost: localhost\r\nAccessKey: ${testKeys.ACCESS_KEY}\r\n`
const post = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n`
const chunked = 'Transfer-Encoding: chunked\r\n'

/** What is left after a request must be the service as it was. */
async function expectUnharmed(): Promise<void> {
  const response = await ask(port, `GET ${path} HTTP/1.1`)
  expect([response.status, response.body.toString()]).toEqual([200, content])
  expect(logged.filter((line) => /InternalError|fatal/u.test(line))).toEqual([])
}

/** 505 is what Bun's parser says to whatever is no request line; nothing of ours is asked. */
test.each([
  ['a length said twice in one field', `${post}Content-Length: 1, 1\r\n\r\na`, [400]],
  ['a length below zero', `${post}Content-Length: -1\r\n\r\na`, [400]],
  ['a length beyond counting', `${post}Content-Length: ${'9'.repeat(30)}\r\n\r\na`, [400]],
  ['a length in hex', `${post}Content-Length: 0x1\r\n\r\na`, [400]],
  ['two codings', `${post}${chunked}${chunked}\r\n0\r\n\r\n`, [400]],
  ['a coding before chunked', `${post}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`, [400]],
  ['chunks in HTTP/1.0', `POST / HTTP/1.0\r\n${chunked}\r\n0\r\n\r\n`, [400]],
  ['a chunk that is no number', `${upload}${chunked}\r\nzz\r\nabc\r\n0\r\n\r\n`, [400]],
  ['a chunk below zero', `${upload}${chunked}\r\n-5\r\nabc\r\n0\r\n\r\n`, [400]],
  ['a chunk that goes on', `${upload}${chunked}\r\n3\r\nabcXX0\r\n\r\n`, [400]],
  ['a chunk beyond counting', `${upload}${chunked}\r\n${'f'.repeat(20)}\r\na\r\n0\r\n\r\n`, [400]],
  ['a chunk with a long extension', `${upload}${chunked}\r\n1;${'a'.repeat(99_999)}\r\n`, [413]],
  ['NUL in a field', `GET ${path} HTTP/1.1\r\nHost: localhost\r\nX: a\0b\r\n\r\n`, [400]],
  ['a bare line feed in a field', `GET / HTTP/1.1\r\nHost: localhost\r\nX: a\nY: b\r\n\r\n`, [400]],
  ['a field without a name', 'GET / HTTP/1.1\r\nHost: localhost\r\n: x\r\n\r\n', [400]],
  ['a bracket in a field name', 'GET / HTTP/1.1\r\nHost: localhost\r\nA(b): x\r\n\r\n', [400]],
  ['NUL in the target', 'GET /a\0b HTTP/1.1\r\nHost: localhost\r\n\r\n', [505]],
  ['a blank in the target', 'GET /a b HTTP/1.1\r\nHost: localhost\r\n\r\n', [505]],
  ['two blanks before the target', `GET  ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`, [400]],
  ['another scheme', `GET ftp://localhost${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`, [400]],
  ['a target without a slash', 'GET acme HTTP/1.1\r\nHost: localhost\r\n\r\n', [400]],
  ['a star for a target', 'OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n', [400]],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [400]],
  [
    'a TLS hello',
    `\u0016\u0003\u0001\u0002\0\u0001\0\u0001\u00fc\u0003\u0003${'a'.repeat(99)}`,
    [400],
  ],
] as const)('%s is refused, and the connection closed', async (_what, request, statuses) => {
  expect(statusesIn((await sendRaw(port, request)).text)).toEqual([...statuses])
  await expectUnharmed()
})

const statusesIn = (text: string): readonly number[] =>
  [...text.matchAll(/HTTP\/1\.1 (?<status>\d{3})/gu)].map(({ groups }) =>
    Number(groups?.['status']),
  )

test.each([
  ['[::1'],
  ['[zz]'],
  ['a:b:c'],
  ['localhost:-1'],
  ['localhost:1e2'],
  ['*'],
  ['a%2fb'],
  [':80'],
  ['a;b'],
  ['localhost, localhost'],
])('Host %p is 400 on every plane', async (host) => {
  const targets = [
    path,
    '/api/assets',
    `/api/transform?url=${path}`,
    `/api/signed?path=x`,
    '/dashboard/',
    '/watch/',
    '/none',
    '/api/storage/..',
    '/acme/../v1',
  ]
  for (const target of targets) {
    const response = await ask(port, `GET ${target} HTTP/1.1`, `Host: ${host}`)
    expect([target, response.status]).toEqual([target, 400])
    expect(JSON.parse(response.body.toString())).toMatchObject({ error: { target: 'Host' } })
  }
  await expectUnharmed()
})

test('two Host fields are 400 on every plane, whatever they say', async () => {
  const targets = [
    path,
    '/api/health',
    '/',
    '/docs/',
    '/api/assets',
    '/dashboard/',
    '/watch/',
    '/none',
  ]
  for (const target of targets)
    for (const second of ['localhost', 'other.example']) {
      const line = `GET ${target} HTTP/1.1`
      const response = await ask(port, line, 'Host: localhost', `Host: ${second}`)
      expect([target, response.status]).toEqual([target, 400])
      expect(JSON.parse(response.body.toString())).toMatchObject({ error: { target: 'Host' } })
    }
})

test('HTTP/1.0 without Host is answered on every plane', async () => {
  expect((await sendRaw(port, `GET ${path} HTTP/1.0\r\n\r\n`)).body.toString()).toBe(content)
  expect((await sendRaw(port, 'GET /api/health HTTP/1.0\r\n\r\n')).status).toBe(200)
  expect((await sendRaw(port, 'GET /api/transform HTTP/1.0\r\n\r\n')).status).toBe(400)
})

test('a name with a dot at its end is the same name', async () => {
  const response = await ask(port, `GET ${path} HTTP/1.1`, 'Host: localhost.')
  expect(response.status).toBe(200)
})

test('requests that are sent without waiting are all answered, in order', async () => {
  const targets = Array.from({ length: 50 }, (_, n) => (n % 2 === 0 ? path : `/none-${n}`))
  const requests = targets.map((target, n) => {
    const isLast = n === targets.length - 1
    return `GET ${target} HTTP/1.1\r\nHost: localhost\r\n${isLast ? 'Connection: close\r\n' : ''}\r\n`
  })
  const { text } = await sendRaw(port, requests.join(''))
  expect(statusesIn(text)).toEqual(targets.map((target) => (target === path ? 200 : 404)))
})

test('what follows a refused request on its connection is not taken for a request', async () => {
  const smuggled = `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`
  const clash = `${post}Content-Length: ${smuggled.length}\r\n${chunked}\r\n0\r\n\r\n${smuggled}`
  expect(statusesIn((await sendRaw(port, clash)).text)).toEqual([400])
})

test('a client that closes its half after asking gets its response', async () => {
  const text = await new Promise<string>((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () => {
      socket.end(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
    })
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.on('error', reject)
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()))
  })
  expect(statusesIn(text)).toEqual([200])
  await expectUnharmed()
})

test('an upload that is broken off is no fault of the service', async () => {
  await new Promise<void>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(`${upload}Content-Length: 1000000\r\n\r\nabc`, () => socket.destroy())
    })
    socket.on('close', () => resolve())
  })
  await expectUnharmed()
})

const longestRange = `bytes=${Array.from({ length: 1500 }, (_, n) => `${n}-${n}`).join(',')}`

test.each([
  [`Range: ${longestRange}`, 200],
  [`Range: bytes=${'0-,'.repeat(250)}0-`, 206],
  [`If-None-Match: ${'"x",'.repeat(2000)}`, 200],
  [`Accept-Encoding: ${'gzip;q=0.1,'.repeat(1000)}`, 200],
  [`Cookie: ${'a=b;'.repeat(3000)}`, 200],
  [`Want-Repr-Digest: ${'sha-256=1,'.repeat(1000)}`, 200],
] as const)(
  'a field as long as fits does not take the service down: %.30s',
  async (line, status) => {
    const response = await ask(port, `GET ${path} HTTP/1.1`, line)
    expect(response.status).toBe(status)
    expect(response.body.length).toBeLessThan(4 * content.length)
  },
)

test('clients that are slow with their header fields are cut off, and others served meanwhile', async () => {
  const begun = 'GET / HTTP/1.1\r\nHost: localhost\r\n'
  const cutOff = ['', begun, `${begun}X: a`].map(
    (first) =>
      new Promise<void>((resolve) => {
        const socket = connect(port, '127.0.0.1', () => void socket.write(first))
        const dripping = setInterval(() => socket.write(first === begun ? 'A: b\r\n' : 'a'), 500)
        socket.on('error', () => undefined)
        socket.on('close', () => {
          clearInterval(dripping)
          resolve()
        })
      }),
  )
  await expectUnharmed()
  await Promise.all(cutOff)
}, 30_000)
