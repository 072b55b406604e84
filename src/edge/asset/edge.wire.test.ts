import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'

import { PublishedWorld } from '../../../test/fixtures/published-world.ts'
import { ask, sendRaw, type RawResponse } from '../../../test/fixtures/raw-request.ts'
import { openDiskBlobStore } from '../../adapters/disk/disk-blob-store.ts'
import { createEdge } from './edge.ts'

/** Small bodies come from memory and large ones from files: every rule is held to both. */
const small = Buffer.from('0123456789abcdefghijklmnopqrstuvwxyz')
const large = Buffer.from(Array.from({ length: 200_000 }, (_, index) => index % 251))
const text = Buffer.from('body { color: rebeccapurple }\n'.repeat(200))
const lastModified = 'Sun, 01 Mar 2026 12:00:00 GMT'

const closing = new AsyncDisposableStack()
const etags = new Map<string, string>()
let port = 0

beforeAll(async () => {
  const directory = await mkdtemp(join(tmpdir(), 'sedge-edge-'))
  closing.defer(() => rm(directory, { recursive: true }))
  const world = new PublishedWorld(closing.use(await openDiskBlobStore({ directory })))
  for (const [name, bytes] of Object.entries({
    'small.png': small,
    'large.mp4': large,
    'a.css': text,
  }))
    etags.set(name, `"${(await world.publish(`acme/v1/x/${name}`, bytes)).sha256}"`)
  await world.publish('acme/v1/x/empty.png', '')
  const edge = createEdge({ manifest: world, feed: world, blobs: world.blobs })
  closing.use(edge)
  const server = Bun.serve({ port: 0, development: false, fetch: (request) => edge.fetch(request) })
  closing.defer(() => server.stop(true))
  port = server.port ?? 0
})

afterAll(() => closing.disposeAsync())

const get = (name: string, ...lines: readonly string[]) =>
  ask(port, `GET /acme/v1/x/${name} HTTP/1.1`, ...lines)
const field = (answer: RawResponse, name: string): string | undefined => {
  const values = answer.fields.get(name)
  expect(values?.length ?? 0).toBeLessThanOrEqual(1)
  return values?.[0]
}

const bodies = [
  ['small.png', small],
  ['large.mp4', large],
] as const

test.each(bodies)('%s arrives whole, with its length', async (name, bytes) => {
  const answer = await get(name)
  expect(answer.status).toBe(200)
  expect(answer.body.equals(bytes)).toBeTrue()
  expect(field(answer, 'content-length')).toBe(String(bytes.length))
  expect(field(answer, 'accept-ranges')).toBe('bytes')
})

test('an empty file is an empty answer', async () => {
  const answer = await get('empty.png')
  expect([answer.status, field(answer, 'content-length')]).toEqual([200, '0'])
})

test.each(bodies)('HEAD of %s has every field of GET, and no body', async (name) => {
  await get(name)
  const answers = [await get(name), await ask(port, `HEAD /acme/v1/x/${name} HTTP/1.1`)]
  const [got, head] = answers.map(({ fields }) => ({
    ...Object.fromEntries(fields),
    date: undefined,
    connection: undefined,
  }))
  expect(head).toEqual(got)
  expect(answers[1]?.body.length).toBe(0)
  expect(answers[1]?.fields.has('date')).toBeTrue()
})

const size = (name: string) => (name === 'small.png' ? small : large).length

for (const [name, bytes] of bodies) {
  const last = bytes.length - 1
  test.each([
    ['bytes=0-9', 0, 10],
    ['bytes=10-', 10, bytes.length],
    ['bytes=-5', bytes.length - 5, bytes.length],
    ['bytes=-99999999', 0, bytes.length],
    [`bytes=5-${'9'.repeat(40)}`, 5, bytes.length],
    ['BYTES=1-1', 1, 2],
    [' bytes=1-2 ', 1, 3],
    ['bytes=0-3,2-9', 0, 10],
    [`bytes=${last}-`, last, bytes.length],
  ])(`${name}: Range %p is a 206 of exactly those bytes`, async (range, start, end) => {
    const answer = await get(name, `Range: ${range}`)
    expect(answer.status).toBe(206)
    expect(field(answer, 'content-range')).toBe(`bytes ${start}-${end - 1}/${bytes.length}`)
    expect(field(answer, 'content-length')).toBe(String(end - start))
    expect(answer.body.equals(bytes.subarray(start, end))).toBeTrue()
  })

  test.each([
    ['lines=0-1', []],
    ['bytes=5-2', []],
    ['bytes=', []],
    ['bytes=a-b', []],
    ['bytes=0-1,x', []],
    ['bytes=-', []],
    [
      Array.from({ length: 40 }, (_, n) => `${n === 0 ? 'bytes=' : ''}${n * 2}-${n * 2}`).join(),
      [],
    ],
    ['bytes=0-9', ['If-Range: "other"']],
    ['bytes=0-9', ['If-Range: W/"x"']],
    ['bytes=0-9', ['If-Range: Sun, 01 Mar 2026 11:59:59 GMT']],
    ['bytes=0-9', ['If-Range: Mon, 02 Mar 2026 12:00:00 GMT']],
    ['bytes=0-9', ['If-Range: nonsense']],
  ])(`${name}: Range %p with %p is ignored and all is sent`, async (range, lines) => {
    if (name === 'small.png' && range.length > 100) return
    const answer = await get(name, `Range: ${range}`, ...lines)
    expect(answer.status).toBe(200)
    expect(answer.fields.has('content-range')).toBeFalse()
    expect(field(answer, 'content-length')).toBe(String(bytes.length))
    expect(answer.body.equals(bytes)).toBeTrue()
  })

  test(`${name}: a range beyond the end is 416 and says the size`, async () => {
    const answer = await get(name, `Range: bytes=${bytes.length}-`)
    expect([answer.status, field(answer, 'content-range')]).toEqual([
      416,
      `bytes */${bytes.length}`,
    ])
  })

  test(`${name}: If-Range with the ETag or the very date lets the range through`, async () => {
    for (const validator of [etags.get(name) ?? '', lastModified]) {
      const answer = await get(name, 'Range: bytes=0-1', `If-Range: ${validator}`)
      expect(answer.status).toBe(206)
    }
  })

  test(`${name}: several ranges come as typed parts`, async () => {
    const answer = await get(name, 'Range: bytes=0-1,10-12,-2')
    const type = field(answer, 'content-type') ?? ''
    const boundary = /^multipart\/byteranges; boundary=(?<boundary>\S+)$/u.exec(type)?.groups?.[
      'boundary'
    ]
    const partType = name === 'small.png' ? 'image/png' : 'video/mp4'
    const part = (start: number, end: number) =>
      `--${boundary}\r\nContent-Type: ${partType}\r\nContent-Range: bytes ${start}-${end - 1}/${bytes.length}\r\n\r\n${bytes.subarray(start, end).toString('latin1')}\r\n`
    const expected = [part(0, 2), part(10, 13), part(size(name) - 2, size(name))].join('')

    expect(answer.status).toBe(206)
    expect(answer.body.toString('latin1')).toBe(`${expected}--${boundary}--\r\n`)
    expect(answer.fields.has('content-range')).toBeFalse()
  })

  test(`${name}: Range means nothing to HEAD`, async () => {
    const answer = await ask(port, `HEAD /acme/v1/x/${name} HTTP/1.1`, 'Range: bytes=0-1')
    expect([answer.status, field(answer, 'content-length')]).toEqual([200, String(bytes.length)])
  })

  test.each([
    [200, ['If-None-Match: "other"']],
    [304, ['If-None-Match: ETAG']],
    [304, ['If-None-Match: W/ETAG']],
    [304, ['If-None-Match: "a", W/"b", ETAG']],
    [304, ['If-None-Match: "a"', 'If-None-Match: ETAG']],
    [304, ['If-None-Match: *']],
    [200, ['If-None-Match: "other"', `If-Modified-Since: ${lastModified}`]],
    [304, [`If-Modified-Since: ${lastModified}`]],
    [304, ['If-Modified-Since: Sunday, 01-Mar-26 12:00:00 GMT']],
    [304, ['If-Modified-Since: Sun Mar  1 12:00:00 2026']],
    [200, ['If-Modified-Since: Sun, 01 Mar 2026 11:59:59 GMT']],
    [200, ['If-Modified-Since: yesterday']],
    [412, ['If-Match: "other"']],
    [412, ['If-Match: W/ETAG']],
    [200, ['If-Match: "x", ETAG']],
    [200, ['If-Match: *']],
    [412, ['If-Unmodified-Since: Sun, 01 Mar 2026 11:59:59 GMT']],
    [200, [`If-Unmodified-Since: ${lastModified}`]],
    [200, ['If-Match: ETAG', 'If-Unmodified-Since: Sun, 01 Mar 2026 11:59:59 GMT']],
    [412, ['If-Match: "other"', 'If-None-Match: ETAG']],
    [304, ['If-Match: ETAG', 'If-None-Match: ETAG']],
    [304, ['If-None-Match: ETAG', 'Range: bytes=0-1']],
    [206, ['If-Match: ETAG', 'Range: bytes=0-1']],
    [412, ['If-Match: "other"', 'Range: bytes=0-1']],
  ])(`${name}: %p for %p`, async (status, lines) => {
    const etag = etags.get(name) ?? ''
    const answer = await get(name, ...lines.map((line) => line.replace('ETAG', etag)))
    expect(answer.status).toBe(status)
    if (status === 304) expect(answer.body.length).toBe(0)
  })

  test(`${name}: 304 and 206 carry what the 200 says of caching and validators`, async () => {
    const whole = await get(name)
    const names = [
      'etag',
      'cache-control',
      'vary',
      'last-modified',
      'cache-tag',
      'access-control-allow-origin',
    ]
    const said = (answer: RawResponse) => names.map((each) => field(answer, each))

    expect(said(await get(name, `If-None-Match: ${etags.get(name)}`))).toEqual(said(whole))
    expect(said(await get(name, 'Range: bytes=0-1'))).toEqual(said(whole))
  })
}

test('the amplification of many ranges is bounded', async () => {
  const many = Array.from({ length: 200 }, () => '0-').join()
  const answer = await get('large.mp4', `Range: bytes=${many}`)
  expect(answer.body.length).toBe(large.length)
})

test('a missing asset is the same 404 whatever the conditions', async () => {
  for (const line of ['If-None-Match: *', 'If-Match: *', 'If-Match: "x"', 'Range: bytes=0-1'])
    expect((await get('none.png', line)).status).toBe(404)
})

test.each([
  ['br', brotliDecompressSync],
  ['zstd', zstdDecompressSync],
  ['gzip', gunzipSync],
] as const)('text is sent as %s to a client that takes it', async (coding, decode) => {
  const answer = await get('a.css', `Accept-Encoding: ${coding}`)
  expect(field(answer, 'content-encoding')).toBe(coding)
  expect(field(answer, 'vary')).toBe('Accept-Encoding, Available-Dictionary')
  expect(field(answer, 'etag')).toBe(`${etags.get('a.css')?.slice(0, -1)}-${coding}"`)
  expect(field(answer, 'content-type')).toBe('text/css; charset=utf-8')
  expect(decode(answer.body).equals(text)).toBeTrue()
  expect(answer.body.length).toBeLessThan(text.length * 0.95)
})

test.each([
  ['gzip;q=0', undefined],
  ['gzip ; q=0.0', undefined],
  ['gzipp, xbr', undefined],
  ['GZIP', 'gzip'],
  ['x-gzip', 'gzip'],
  ['br;q=0.5, gzip;q=1', 'gzip'],
  ['identity;q=1, gzip;q=0.5', undefined],
  ['*;q=0, gzip', 'gzip'],
  ['identity', undefined],
  ['', undefined],
])('Accept-Encoding %p is answered with %p', async (accepted, coding) => {
  const answer = await get('a.css', `Accept-Encoding: ${accepted}`)
  expect(answer.status).toBe(200)
  expect(field(answer, 'content-encoding')).toBe(coding as string)
  expect(field(answer, 'vary')).toBe('Accept-Encoding, Available-Dictionary')
})

test('a client that refuses every form gets 406', async () => {
  expect((await get('a.css', 'Accept-Encoding: identity;q=0')).status).toBe(406)
  expect((await get('a.css', 'Accept-Encoding: *;q=0')).status).toBe(406)
})

test('what does not compress is not coded and does not vary', async () => {
  const answer = await get('small.png', 'Accept-Encoding: br, zstd, gzip')
  expect(answer.fields.has('content-encoding')).toBeFalse()
  expect(answer.fields.has('vary')).toBeFalse()
})

test('ranges and validators speak of the coded bytes', async () => {
  const whole = await get('a.css', 'Accept-Encoding: gzip')
  const etag = field(whole, 'etag') ?? ''
  const part = await get('a.css', 'Accept-Encoding: gzip', 'Range: bytes=0-9', `If-Range: ${etag}`)

  expect(part.status).toBe(206)
  expect(field(part, 'content-range')).toBe(`bytes 0-9/${whole.body.length}`)
  expect(part.body.equals(whole.body.subarray(0, 10))).toBeTrue()
  expect((await get('a.css', 'Accept-Encoding: gzip', `If-None-Match: ${etag}`)).status).toBe(304)
  expect((await get('a.css', `If-None-Match: ${etag}`)).status).toBe(200)
  expect((await get('a.css', 'Range: bytes=0-9', `If-Range: ${etag}`)).status).toBe(200)
})

const digestOf = (bytes: Buffer) =>
  `sha-256=:${new Bun.CryptoHasher('sha256').update(bytes).digest('base64')}:`
const asked = (name: string, ...lines: readonly string[]) =>
  get(name, 'Want-Repr-Digest: sha-512=3, sha-256=10', ...lines)

test('Repr-Digest is of the representation that is sent, and only on request', async () => {
  expect(field(await asked('a.css'), 'repr-digest')).toBe(digestOf(text))
  expect(field(await asked('a.css', 'Range: bytes=0-1'), 'repr-digest')).toBe(digestOf(text))
  const coded = await asked('a.css', 'Accept-Encoding: zstd')
  expect(field(coded, 'repr-digest')).toBe(digestOf(coded.body))
  for (const wish of ['sha-256=0', 'sha-512=1', '((', 'sha-256'])
    expect((await get('a.css', `Want-Repr-Digest: ${wish}`)).fields.has('repr-digest')).toBeFalse()
})

test('an absolute request target names the host', async () => {
  const answer = await ask(port, 'GET http://localhost/acme/v1/x/small.png HTTP/1.1')
  expect(answer.status).toBe(200)
})

test('HTTP/1.0 without Host is answered', async () => {
  const answer = await sendRaw(port, 'GET /acme/v1/x/small.png HTTP/1.0\r\n\r\n')
  expect(answer.status).toBe(200)
  expect(answer.body.equals(small)).toBeTrue()
})

test.each([
  ['Host: a\r\nHost: b'],
  ['Host: localhost\r\nHost: localhost'],
  ['Host: a, b'],
  ['Host: a b'],
  ['Host: user@localhost'],
  ['Host: localhost/x'],
  ['Host: localhost#x'],
  ['Host: localhost:99999'],
  ['Host:'],
])('%p is 400 with the standard envelope', async (host) => {
  const answer = await ask(port, 'GET /acme/v1/x/small.png HTTP/1.1', host)
  expect(answer.status).toBe(400)
  expect(JSON.parse(answer.body.toString())).toMatchObject({
    error: { code: 'InvalidParameter', target: 'Host' },
  })
})

/** What Bun's own parser refuses before we see it. It answers with a status line and nothing else. */
test.each([
  ['obs-fold', 'GET / HTTP/1.1\r\nHost: localhost\r\nA: b\r\n c\r\n\r\n', 400],
  ['a bare CR', 'GET / HTTP/1.1\r\nHost: localhost\r\nA: b\rc\r\n\r\n', 400],
  ['a blank before the colon', 'GET / HTTP/1.1\r\nHost : localhost\r\n\r\n', 400],
  ['HTTP/1.1 without Host', 'GET / HTTP/1.1\r\n\r\n', 400],
  [
    'Content-Length with Transfer-Encoding',
    'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    400,
  ],
  [
    'two Content-Lengths',
    'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
    400,
  ],
  [
    'a signed Content-Length',
    'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: +1\r\n\r\na',
    400,
  ],
  [
    'an unknown Transfer-Encoding',
    'POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n',
    400,
  ],
  [
    'chunked that is not last',
    'POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n',
    400,
  ],
  ['bare line feeds', 'GET / HTTP/1.1\nHost: localhost\n\n', 505],
  ['a control character in the target', 'GET /\u0001 HTTP/1.1\r\nHost: localhost\r\n\r\n', 505],
  ['HTTP/2.0 in clear text', 'GET / HTTP/2.0\r\nHost: localhost\r\n\r\n', 505],
  [
    'huge header fields',
    `GET / HTTP/1.1\r\nHost: localhost\r\nA: ${'b'.repeat(40_000)}\r\n\r\n`,
    431,
  ],
  [
    'very many header fields',
    `GET / HTTP/1.1\r\nHost: localhost\r\n${'A: b\r\n'.repeat(500)}\r\n`,
    431,
  ],
  ['a huge target', `GET /${'a'.repeat(40_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`, 431],
  ['an unknown method', 'FOO / HTTP/1.1\r\nHost: localhost\r\n\r\n', 0],
] as const)('%s is cut off by the server', async (_what, request, status) => {
  const answer = await sendRaw(port, request)
  expect(answer.status).toBe(status)
  expect((await get('small.png')).status).toBe(200)
})

/** Bun resolves dot segments as browsers do before anyone sees the path, so none can climb anywhere. */
test.each([
  ['/acme/v1/x/../x/small.png', 200],
  ['/acme/v1/y/%2e%2e/x/small.png', 200],
  ['/acme\\v1\\x\\small.png', 200],
  ['/../../acme/v1/x/small.png', 200],
  ['/acme/v1/x/..%2f..%2f..%2fetc/passwd', 404],
  ['/acme/v1/x/%2e%2e%2fsmall.png', 404],
  ['/acme/v1/x/small.png%00', 404],
  ['/acme/v1/x/small.png/', 404],
  ['/acme/v1/x/small.png%20', 404],
  ['/ACME/v1/x/small.png', 404],
  ['/acme/v1/x', 404],
  ['/', 404],
  ['/%', 400],
  ['/%c0%af', 400],
  ['/acme/v1/x/small.png#fragment', 200],
])('the path %p is %p', async (path, status) => {
  const answer = await ask(port, `GET ${path} HTTP/1.1`)
  expect(answer.status).toBe(status)
})

test('a path that is not canonical redirects to a path and never to another host', async () => {
  for (const path of [
    '//evil.example/%2e%2e',
    '//acme/v1/x/small.png',
    '/clients//evil.example/x',
  ]) {
    const answer = await ask(port, `GET ${path} HTTP/1.1`)
    const location = field(answer, 'location') ?? '/'
    expect(location).toMatch(/^\/(?!\/)/u)
  }
})

test.each(['TRACE', 'CONNECT'])('%s on an asset is 405', async (method) => {
  const answer = await ask(port, `${method} /acme/v1/x/small.png HTTP/1.1`)
  expect([answer.status, field(answer, 'allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
})

test('a request that carries a body where none belongs is answered and the next one too', async () => {
  const answer = await sendRaw(
    port,
    'GET /acme/v1/x/small.png HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello' +
      'HEAD /acme/v1/x/small.png HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
  )
  expect(answer.text.match(/HTTP\/1\.1 200 OK/gu)?.length).toBe(2)
})
