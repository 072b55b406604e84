import { connect } from 'node:net'

import { afterAll, beforeAll, expect, test } from 'bun:test'

import { chunked } from '../support/aws-chunked.ts'
import { type LocalService, openLocalService } from '../support/local-service.ts'
import {
  hmac,
  keyOf,
  openS3Client,
  presigned,
  type S3Client,
  signed,
} from '../support/s3-client.ts'
import { account, temporaryDirectory } from '../support/service-process.ts'

const world = new AsyncDisposableStack()
let service: LocalService
let client: S3Client

beforeAll(async () => {
  const { path } = world.use(await temporaryDirectory())
  service = world.use(await openLocalService({ dataDirectory: path }))
  for (const Name of ['acme', 'bolt']) {
    const body = JSON.stringify({ Name })
    await fetch(`${service.url}/api/core/zones`, { method: 'POST', headers: account, body })
  }
  client = await openS3Client(service, { zones: ['acme'] })
})

afterAll(() => world.disposeAsync())

interface Refusal {
  readonly status: number
  readonly code: string
  readonly text: string
}

/** Sees to it that each refusal is as S3 has them. */
async function refusalOf(response: Response): Promise<Refusal> {
  const { status, headers } = response
  const text = await response.text()
  const [, code = ''] = /^<\?xml [^>]+>\n<Error><Code>(\w+)<\/Code><Message>[^<]+/u.exec(text) ?? []
  expect([status, code, text]).toSatisfy(([, found]) => found !== '')
  expect(headers.get('content-type')).toBe('application/xml')
  expect(text).toContain(`<RequestId>${headers.get('x-amz-request-id')}</RequestId>`)
  expect(text).toContain(`<Resource>${new URL(response.url).pathname}</Resource>`)
  expect(text).not.toContain(client.credentials.secretAccessKey)
  return { status, code, text }
}

const codeOf = async (response: Response): Promise<string> => {
  if (response.ok) return 'taken'
  const { status, code } = await refusalOf(response)
  return `${status} ${code}`
}

/** A request signed as it is, and sent with changes. */
async function sent(method: string, path: string, changes: Sent = {}): Promise<Response> {
  const { body = '', headers = {}, credentials = {}, unsigned = {}, now } = changes
  const { url, headers: all } = signed(method, path, {
    origin: service.url,
    credentials: { ...client.credentials, ...credentials },
    headers,
    body,
    ...(now && { now: () => now }),
  })
  const asked = { method, headers: { ...all, ...unsigned }, ...(method === 'GET' ? {} : { body }) }
  return await fetch(url, asked)
}

interface Sent {
  readonly body?: Uint8Array<ArrayBuffer> | string
  readonly headers?: Readonly<Record<string, string>>
  readonly credentials?: Partial<S3Client['credentials']>
  /** Added after signing. */
  readonly unsigned?: Readonly<Record<string, string>>
  readonly now?: Date
}

test('who is not known, or is another, is refused in the words of S3', async () => {
  for (const [changes, code] of [
    [{}, 'taken'],
    [{ credentials: { secretAccessKey: 'other' } }, '403 SignatureDoesNotMatch'],
    [{ credentials: { accessKeyId: 'other' } }, '403 InvalidAccessKeyId'],
    [{ now: new Date(Date.now() - 20 * 60_000) }, '403 RequestTimeTooSkewed'],
    [{ now: new Date(Date.now() + 20 * 60_000) }, '403 RequestTimeTooSkewed'],
    [{ unsigned: { authorization: 'AWS a:b' } }, '400 InvalidRequest'],
    [{ unsigned: { authorization: 'AWS4-HMAC-SHA256 x' } }, '400 AuthorizationHeaderMalformed'],
    [{ unsigned: { 'x-amz-meta-a': '1' } }, '403 AccessDenied'],
    [{ unsigned: { 'x-amz-security-token': '1' } }, '400 InvalidToken'],
  ] as const)
    expect([
      changes,
      await codeOf(await sent('PUT', '/acme/a.txt', { body: 'a', ...changes })),
    ]).toEqual([changes, code])
  const elsewhere = await sent('PUT', '/bolt/a.txt', { body: 'a' })
  const nowhere = await sent('PUT', '/nowhere/a.txt', { body: 'a' })
  for (const response of [elsewhere, nowhere])
    expect(await codeOf(response)).toBe('403 AccessDenied')
  const wrong = await sent('GET', '/acme/a.txt', { credentials: { secretAccessKey: 'other' } })
  expect((await refusalOf(wrong)).text).toContain('<StringToSign>AWS4-HMAC-SHA256\n')
})

test('a key signs nothing any more once its token is revoked', async () => {
  const other = await openS3Client(service, { zones: ['acme'] })
  expect((await other.put('acme/b.txt', 'b')).status).toBe(200)
  const { accessKeyId } = other.credentials
  await fetch(`${service.url}/api/tokens/${accessKeyId}`, { method: 'DELETE', headers: account })
  expect(await codeOf(await other.get('acme/b.txt'))).toBe('403 InvalidAccessKeyId')
})

test('content that is not what was said is refused, and nothing of it is stored', async () => {
  const wrong = 'x-amz-checksum-'
  const decoded = { 'x-amz-decoded-content-length': '5' }
  const unsignedTrailer = { 'x-amz-content-sha256': 'STREAMING-UNSIGNED-PAYLOAD-TRAILER' }
  const framed = (text: string, trailer: readonly string[] = []) =>
    chunked(Buffer.from(text), { trailer })
  const announced = { ...unsignedTrailer, ...decoded, 'x-amz-trailer': 'x-amz-checksum-crc32' }
  for (const [body, headers, code] of [
    ['hello', { 'x-amz-content-sha256': '0'.repeat(64) }, '400 XAmzContentSHA256Mismatch'],
    ['hello', { 'x-amz-content-sha256': 'x' }, '400 InvalidArgument'],
    ['hello', { 'content-md5': 'AAAAAAAAAAAAAAAAAAAAAA==' }, '400 BadDigest'],
    ['hello', { 'content-md5': 'x' }, '400 InvalidDigest'],
    ['hello', { [`${wrong}crc32`]: 'AAAAAA==' }, '400 BadDigest'],
    ['hello', { [`${wrong}crc32c`]: 'AAAAAA==' }, '400 BadDigest'],
    ['hello', { [`${wrong}crc64nvme`]: 'AAAAAAAAAAA=' }, '400 BadDigest'],
    ['hello', { [`${wrong}sha1`]: 'AAAAAAAAAAAAAAAAAAAAAAAAAAA=' }, '400 BadDigest'],
    ['hello', { [`${wrong}crc32`]: 'x' }, '400 InvalidRequest'],
    [framed('hell'), { ...unsignedTrailer, ...decoded }, '400 IncompleteBody'],
    [framed('hello!'), { ...unsignedTrailer, ...decoded }, '400 IncompleteBody'],
    [framed('hello').subarray(0, -8), { ...unsignedTrailer, ...decoded }, '400 IncompleteBody'],
    [framed('hello'), unsignedTrailer, '411 MissingContentLength'],
    [framed('hello', ['x-amz-checksum-crc32:AAAAAA==']), announced, '400 BadDigest'],
    [framed('hello'), announced, '400 MalformedTrailerError'],
    ['hello', { ...unsignedTrailer, ...decoded }, '400 IncompleteBody'],
  ] as const) {
    const response = await sent('PUT', '/acme/never.txt', { body, headers })
    expect([headers, await codeOf(response)]).toEqual([headers, code])
    expect((await client.head('acme/never.txt')).status).toBe(404)
  }
  const right = framed('hello', ['x-amz-checksum-crc32:NhCmhg=='])
  expect(
    await codeOf(await sent('PUT', '/acme/once.txt', { body: right, headers: announced })),
  ).toBe('taken')
  expect(await (await client.get('acme/once.txt')).text()).toBe('hello')
})

/** What comes back for bytes that no client of HTTP would send. */
async function raw(text: string, body: string | Uint8Array = '', ends = true): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const socket = connect(service.port, '127.0.0.1', () => {
    socket.write(text.replaceAll('\n', '\r\n'))
    socket.write(body)
    if (ends) socket.end()
  })
  let received = ''
  socket.on('data', (bytes) => {
    received += bytes.toString('latin1')
    if (received.includes('</Error>')) socket.destroy()
  })
  socket.on('close', () => resolve(received))
  socket.on('error', reject)
  return await promise
}

const headText = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('')

test('a body without its length is refused, and so is one that breaks off', async () => {
  const options = { origin: service.url, credentials: client.credentials, body: 'hello' }
  const { headers, url } = signed('PUT', '/acme/never.txt', options)
  const head = `PUT ${url.pathname} HTTP/1.1\nHost: ${url.host}\n${headText(headers)}`
  expect(await raw(`${head}\n`, '', false)).toMatch(
    /^HTTP\/1\.1 411 .*<Code>MissingContentLength</su,
  )
  expect(await raw(`${head}Transfer-Encoding: chunked\n\n5\nhello\n0\n\n`, '', false)).toMatch(
    /^HTTP\/1\.1 411 .*<Code>MissingContentLength</su,
  )
  await raw(`${head}Content-Length: 5\n\n`, 'hel')
  expect((await client.head('acme/never.txt')).status).toBe(404)
})

test('a key with dot segments is refused, and no other one is meant by it', async () => {
  await client.put('acme/dots/secret.txt', 'kept')
  for (const path of [
    '/s3/acme/dots/./a.txt',
    '/s3/acme/x/../dots/secret.txt',
    '/s3/acme/%2e%2e/bolt/a',
  ]) {
    const response = await raw(
      `DELETE ${path} HTTP/1.1\nHost: localhost:${service.port}\n\n`,
      '',
      false,
    )
    expect(response).toMatch(/^HTTP\/1\.1 400 .*<Code>InvalidArgument<.*<ArgumentName>key</su)
  }
  expect(await (await client.get('acme/dots/secret.txt')).text()).toBe('kept')
})

test('a presigned URL is good again and again until it expires, for what it was made for', async () => {
  const { credentials } = client
  const origin = service.url
  const url = (method: string, more = {}) =>
    presigned(method, '/acme/presigned.txt', { origin, credentials, ...more })
  const put = url('PUT')
  for (const body of ['one', 'two'])
    expect((await fetch(put, { method: 'PUT', body })).status).toBe(200)
  const get = url('GET', { query: { 'response-content-type': 'text/x-other' } })
  for (const _ of [1, 2]) {
    const response = await fetch(get)
    expect(await response.text()).toBe('two')
    expect(response.headers.get('content-type')).toBe('text/x-other')
  }
  const changed = (from: string, to: string) => fetch(get.replace(from, to))
  expect(await codeOf(await changed('presigned.txt', 'b.txt'))).toBe('403 SignatureDoesNotMatch')
  expect(await codeOf(await changed('Expires=60', 'Expires=61'))).toBe('403 SignatureDoesNotMatch')
  expect(await codeOf(await changed('text%2Fx-other', 'text%2Fhtml'))).toBe(
    '403 SignatureDoesNotMatch',
  )
  expect(await codeOf(await fetch(`${get}&versionId=1`))).toBe('403 SignatureDoesNotMatch')
  expect(await codeOf(await fetch(get, { method: 'DELETE' }))).toBe('403 SignatureDoesNotMatch')
  const { headers } = signed('GET', '/acme/presigned.txt', { origin, credentials })
  expect(await codeOf(await fetch(get, { headers }))).toBe('400 InvalidArgument')
  for (const expiresSeconds of [0, 604_801])
    expect(await codeOf(await fetch(url('GET', { expiresSeconds })))).toBe(
      '400 AuthorizationQueryParametersError',
    )
  const ofYesterday = { now: new Date(Date.now() - 90_000), expiresSeconds: 60 }
  const { status, code, text } = await refusalOf(await fetch(url('GET', ofYesterday)))
  expect([status, code]).toEqual([403, 'AccessDenied'])
  expect(text).toContain('<Message>Request has expired</Message>')
  const early = { now: new Date(Date.now() + 1_200_000) }
  expect(await codeOf(await fetch(url('GET', early)))).toBe('403 AccessDenied')
  const week = { now: new Date(Date.now() - 604_000_000), expiresSeconds: 604_800 }
  expect((await fetch(url('GET', week))).status).toBe(200)
})

test('a form that somebody with a key signed stores its file, and nothing else', async () => {
  const time = new Date().toISOString().replace(/[-:]|\.\d{3}/gu, '')
  const scope = `${time.slice(0, 8)}/us-east-1/s3/aws4_request`
  const signing = {
    'x-amz-algorithm': 'AWS4-HMAC-SHA256',
    'x-amz-credential': `${client.credentials.accessKeyId}/${scope}`,
    'x-amz-date': time,
  }
  const expiration = new Date(Date.now() + 60_000).toISOString()
  const conditions = [
    { bucket: 'acme' },
    ['starts-with', '$key', 'posted/'],
    ['starts-with', '$Content-Type', 'text/'],
    ['content-length-range', 1, 20],
    ...Object.entries(signing).map(([name, value]) => ({ [name]: value })),
  ]
  const policy = Buffer.from(JSON.stringify({ expiration, conditions })).toString('base64')
  const signature = hmac(keyOf(client.credentials, scope), policy).toString('hex')
  const post = async (key: string, text: string) => {
    const form = new FormData()
    const fields = { key, 'Content-Type': 'text/x-posted', ...signing, policy }
    for (const [name, value] of Object.entries(fields)) form.append(name, value)
    form.append('x-amz-signature', signature)
    form.append('file', new Blob([text]), 'ü.txt')
    return await fetch(`${service.url}/s3/acme`, { method: 'POST', body: form })
  }
  expect((await post('posted/${filename}', 'hello')).status).toBe(204)
  const stored = await client.get('acme/posted/ü.txt')
  expect(await stored.text()).toBe('hello')
  expect(stored.headers.get('content-type')).toBe('text/x-posted')
  expect(stored.headers.get('etag')).toBe('"5d41402abc4b2a76b9719d911017c592"')
  expect(await codeOf(await post('other/a.txt', 'hello'))).toBe('403 AccessDenied')
  expect(await codeOf(await post('posted/b.txt', 'x'.repeat(21)))).toBe('400 EntityTooLarge')
  expect((await client.head('acme/posted/b.txt')).status).toBe(404)
  expect(await codeOf(await fetch(`${service.url}/s3/acme`, { method: 'POST', body: 'x' }))).toBe(
    '412 PreconditionFailed',
  )
})

test('nothing of all that was a fault of the service', () => {
  expect(service.lines.filter((line) => line.includes('"level":"error"'))).toEqual([])
})
