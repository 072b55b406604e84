import { afterAll, beforeAll, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { join } from 'node:path'
import { Upload } from 'tus-js-client'

import { type LocalService, openLocalService } from '../support/local-service.ts'
import { curl, have } from '../support/needs.ts'
import { access, account, temporaryDirectory } from '../support/service-process.ts'

const hasCurl = have('uploads by curl with a grant', curl)
const undo = new AsyncDisposableStack()
let directory: string
let service: LocalService

beforeAll(async () => {
  directory = undo.use(await temporaryDirectory()).path
  service = undo.use(
    await openLocalService({
      dataDirectory: join(directory, 'data'),
      environment: { GRANT_REQUESTS_PER_MINUTE: '100000', UPLOADS_PER_NETWORK: '2000' },
    }),
  )
  for (const Name of ['acme', 'bolt'])
    await fetch(at('/api/core/zones'), {
      method: 'POST',
      headers: account,
      body: JSON.stringify({ Name }),
    })
}, 60_000)
afterAll(() => undo.disposeAsync())

const at = (path: string) => `${service.url}${path}`
const png = new Uint8Array(Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'))

interface Grant {
  readonly Id: string
  readonly Url: string
  readonly TusUrl: string
  readonly ResumableUrl: string
  readonly Grant: Readonly<Record<string, unknown>>
}

async function grant(terms: object, headers: Readonly<Record<string, string>> = access) {
  const response = await fetch(at('/api/uploads/grants'), {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(terms),
  })
  expect(response.status).toBe(201)
  return (await response.json()) as Grant
}

/** The URL with the name of a file below the directory of its grant. */
const named = (url: string, name: string) => url.replace('/granted/', `/granted/${name}`)
const put = (url: string, body: BodyInit, init: RequestInit = {}) =>
  fetch(url, { method: 'PUT', body, ...init })

async function storedAt(path: string) {
  const response = await fetch(at(`/api/storage/${path}`), { headers: access })
  return response.status === 200 ? await response.text() : undefined
}

let count = 0
/** A path that nothing is at. */
const fresh = (extension = 'txt') => `acme/v1/titles/file-${(count += 1)}.${extension}`

test('a phone without a key stores a file, once', async () => {
  const path = fresh()
  const { Url: url, Id: id } = await grant({ Path: path })
  const stored = await put(url, 'hello')

  expect(stored.status).toBe(201)
  expect(stored.headers.get('access-control-allow-origin')).toBe('*')
  expect(await stored.json()).toMatchObject({ Path: `clients/${path}`, Length: 5 })
  expect(await storedAt(path)).toBe('hello')
  const again = await put(url, 'again')
  expect(again.status).toBe(403)
  const history = await fetch(at(`/api/assets/history?path=${path}`), { headers: access })
  expect(await history.text()).toContain(`grant:${id}`)
})

test('what the grant says of the file is known of it', async () => {
  const path = fresh()
  const Metadata = { Title: 'From a guest', Tags: ['guest'], Custom: { order: 7 } }
  const { Url: url, Id: id, Grant: created } = await grant({ Path: path, Metadata })
  expect(created).toMatchObject({ Metadata })
  expect((await put(url, 'hello')).status).toBe(201)
  const known = await fetch(at(`/api/assets/metadata?path=${path}`), { headers: access })
  expect(await known.json()).toMatchObject({ Metadata })

  const { Id: plain } = await grant({ Path: fresh() })
  const listed = await fetch(at('/api/uploads/grants?per_page=200'), { headers: access })
  const { Grants: grants } = (await listed.json()) as {
    Grants: { Id: string; Metadata: object | null }[]
  }
  const metadataOf = (wanted: string) => grants.find((each) => each.Id === wanted)?.Metadata
  expect([metadataOf(id), metadataOf(plain)]).toEqual([Metadata, null])
})

test('a page of any origin may ask, and no session counts with a grant', async () => {
  const { Url: url, TusUrl: tusUrl } = await grant({ Path: fresh() })
  for (const [target, method] of [
    [url, 'PUT'],
    [tusUrl, 'POST'],
  ] as const) {
    const preflight = await fetch(target, {
      method: 'OPTIONS',
      headers: { Origin: 'https://a.example', 'Access-Control-Request-Method': method },
    })
    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
  }
  const withoutGrant = await fetch(at('/api/uploads/tus'), {
    method: 'OPTIONS',
    headers: { Origin: 'https://a.example', 'Access-Control-Request-Method': 'POST' },
  })
  expect(withoutGrant.headers.get('access-control-allow-origin')).toBeNull()
  const refused = await put(url.replace(/.$/u, '_'), 'hello', {
    headers: { Origin: 'https://a.example', Cookie: 'cdn_session=s1' },
  })
  expect(refused.status).toBe(401)
  expect(refused.headers.get('access-control-allow-origin')).toBe('*')
})

test('below a directory the phone names the file, and the bytes say what it is', async () => {
  const { Url: url } = await grant({
    Prefix: 'acme/v1/banners/up',
    Types: ['image/*'],
    Times: 3,
  })
  expect((await put(named(url, 'photo.jpg'), png)).status).toBe(201)
  expect((await put(named(url, 'deep/photo.png'), png)).status).toBe(201)
  const delivered = await fetch(at('/acme/v1/banners/up/photo.jpg'))
  expect(delivered.headers.get('content-type')).toBe('image/png')

  const page = '<!doctype html><script>alert(1)</script>'
  const refused = await put(named(url, 'page.png'), page, {
    headers: { 'Content-Type': 'image/png' },
  })
  expect(refused.status).toBe(415)
  expect(await storedAt('acme/v1/banners/up/page.png')).toBeUndefined()
  // What was refused has given its use back.
  expect((await put(named(url, 'last.png'), png)).status).toBe(201)
})

test('names that would lead elsewhere are refused', async () => {
  const { Url: url } = await grant({ Prefix: 'acme/v1/banners/', Times: 100 })
  for (const name of [
    '..%2flogos%2fa.png',
    'a%2f..%2f..%2flogos%2fa.png',
    '%2fetc%2fpasswd',
    '..%5clogos',
    'a%00b',
    '.git%2fconfig',
    '%ff',
    '',
  ]) {
    const { status } = await put(named(url, name), 'x')
    expect({ name, status }).toEqual({ name, status: 400 })
  }
  // There it is just a long name.
  expect((await put(named(url, 'bolt/v1/logos/a.png'), 'x')).status).toBe(201)
  expect(await storedAt('bolt/v1/logos/a.png')).toBeUndefined()
  expect((await put(named((await grant({ Path: fresh() })).Url, 'other.txt'), 'x')).status).toBe(
    403,
  )
})

test('what is too large is refused before it is sent, or when it is', async () => {
  const path = fresh()
  const { Url: url } = await grant({ Path: path, MaxBytes: 1000 })
  expect((await put(url, 'x'.repeat(1001))).status).toBe(413)
  const { port } = new URL(url)
  const announced = await raw(Number(port), [
    `PUT ${new URL(url).pathname}${new URL(url).search} HTTP/1.1`,
    'Host: localhost',
    'Content-Length: 99999999999999',
    '',
    '',
  ])
  expect(announced).toStartWith('HTTP/1.1 413')
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array(400)),
  })
  expect((await put(url, endless)).status).toBe(413)
  expect(await storedAt(path)).toBeUndefined()
  expect((await put(url, 'x'.repeat(1000))).status).toBe(201)
})

/** What comes back at once, while the body that was announced does not come. */
async function raw(port: number, lines: readonly string[]): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const socket = connect(port, 'localhost')
  socket.on('error', reject)
  socket.on('data', (bytes) => resolve(bytes.toString()))
  socket.write(lines.join('\r\n'))
  try {
    return await promise
  } finally {
    socket.destroy()
  }
}

test('a thousand uses at once of a grant for five store five files', async () => {
  const { Url: url, Id: id } = await grant({ Prefix: 'acme/v1/icons/', Times: 5 })
  const statuses = await Promise.all(
    Array.from({ length: 1000 }, async (_, place) => {
      const { status } = await put(named(url, `${place}.txt`), 'x')
      return status
    }),
  )

  expect(statuses.filter((status) => status === 201)).toHaveLength(5)
  expect(new Set(statuses)).toEqual(new Set([201, 403]))
  const listed = await fetch(at('/api/uploads/grants?zone=acme&per_page=200'), { headers: access })
  const { Grants: grants } = (await listed.json()) as { Grants: { Id: string }[] }
  expect(grants.find(({ Id }) => Id === id)).toMatchObject({ Stored: 5, InProgress: 0, Times: 5 })
}, 60_000)

const form = (fields: Readonly<Record<string, string>>, name = 'a.txt', text = 'hello') => {
  const data = new FormData()
  for (const [field, value] of Object.entries(fields)) data.set(field, value)
  data.set('file', new Blob([text]), name)
  return data
}
const post = (url: string, body: BodyInit, headers: Readonly<Record<string, string>> = {}) =>
  fetch(url, { method: 'POST', body, headers, redirect: 'manual' })

test('a form stores its file, under its own name or the one it says', async () => {
  const { Url: url } = await grant({ Prefix: 'acme/v1/titles/forms/', Times: 2 })
  const first = await post(url, form({}, 'first.txt'))
  expect(first.status).toBe(201)
  expect(await first.json()).toMatchObject({ Path: 'clients/acme/v1/titles/forms/first.txt' })
  expect((await post(url, form({ path: 'sub/second.txt' }))).status).toBe(201)
  expect(await storedAt('acme/v1/titles/forms/sub/second.txt')).toBe('hello')
})

test('a form leads on to a page of the service or of the grant, and to no other', async () => {
  const { Url: url } = await grant({
    Prefix: 'acme/v1/titles/led/',
    Times: 2,
    Origins: ['https://shop.example'],
  })
  const to = (page: string) => form({ success_action_redirect: page }, `${(count += 1)}.txt`)
  for (const page of ['https://shop.example/thanks?a=1', `${service.url}/thanks`]) {
    const response = await post(url, to(page))
    expect(response.status).toBe(303)
    const { origin, searchParams } = new URL(response.headers.get('location') ?? '')
    expect(origin).toBe(new URL(page).origin)
    expect(searchParams.get('path')).toStartWith('acme/v1/titles/led/')
  }
  const { Url: other } = await grant({ Prefix: 'acme/v1/titles/led/' })
  for (const page of [
    'https://evil.example/',
    'javascript:alert(1)',
    '//evil.example',
    '/thanks',
    'https://shop.example.evil.example/',
  ])
    expect((await post(other, to(page))).status).toBe(400)
  expect((await post(url, form({}), { Origin: 'https://evil.example' })).status).toBe(401)
})

test('a form that is none, or breaks off, stores nothing', async () => {
  const path = fresh()
  const { Url: url } = await grant({ Path: path })
  const type = { 'Content-Type': 'multipart/form-data; boundary=B' }
  const part =
    '--B\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhello\r\n'
  for (const body of [
    '',
    part,
    `${part}--B`,
    `${part}${part}--B--\r\n`,
    `${part.replace('a.txt', '')}--B--\r\n`,
    '--B--\r\n',
    part.replaceAll('\r\n', '\n'),
  ])
    expect((await post(url, body, type)).status).toBe(400)
  expect((await post(url, 'file=hello')).status).toBe(415)
  expect((await post(url, new URLSearchParams({ file: 'hello' }))).status).toBe(415)
  expect(await storedAt(path)).toBeUndefined()
  expect((await post(url, `${part}--B--\r\n`, type)).status).toBe(201)
})

test('a page that is uploaded acts nowhere', async () => {
  const path = fresh('html')
  const { Url: url } = await grant({ Path: path })
  const stored = await post(url, form({}, 'a.html', '<script>alert(1)</script>'))
  expect(stored.headers.get('content-type')).toBe('application/json')
  expect(stored.headers.get('x-content-type-options')).toBe('nosniff')
  const delivered = await fetch(at(`/${path}`))
  expect(delivered.headers.get('content-security-policy')).toContain('sandbox')
})

test('tus-js-client uploads with a grant in pieces', async () => {
  const path = 'acme/v1/titles/tus/film.mp4'
  const { TusUrl: endpoint } = await grant({ Prefix: 'acme/v1/titles/tus/' })
  const bytes = Buffer.alloc(300_000, 'abcdefg')
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const upload = new Upload(bytes, {
    endpoint,
    metadata: { filename: 'film.mp4', filetype: 'video/mp4' },
    chunkSize: 100_000,
    retryDelays: [],
    onError: reject,
    onSuccess: () => resolve(),
  })
  upload.start()
  await promise

  expect(await storedAt(path)).toBe(bytes.toString())
  const url = new URL(upload.url ?? '')
  expect(url.searchParams.has('grant')).toBe(true)
  url.searchParams.delete('grant')
  const withoutGrant = await fetch(url, { method: 'HEAD', headers: { 'Tus-Resumable': '1.0.0' } })
  expect(withoutGrant.status).toBe(401)
})

test('of a tus upload whose bytes are not what the grant allows nothing stays', async () => {
  const path = fresh('png')
  const { TusUrl: endpoint, Url: url } = await grant({ Path: path, Types: ['image/png'] })
  const { promise, resolve } = Promise.withResolvers<unknown>()
  const upload = new Upload(Buffer.alloc(10_000, 'text'), {
    endpoint,
    metadata: { filename: 'a.png', filetype: 'image/png' },
    retryDelays: [],
    onError: resolve,
    onSuccess: () => resolve(undefined),
  })
  upload.start()
  expect(String(await promise)).toContain('response code: 415')
  expect((await put(url, png)).status).toBe(201)
})

test.skipIf(!hasCurl)('curl uploads with a grant by the draft, in two requests', async () => {
  const path = fresh()
  const { ResumableUrl: url } = await grant({ Path: path })
  const curlTo = async (words: readonly string[], body: string) => {
    const child = Bun.spawn(['curl', '-sS', '-i', ...words, '--data-binary', '@-'], {
      stdin: new Blob([body]),
    })
    return await new Response(child.stdout).text()
  }
  const first = await curlTo(['-H', 'Upload-Complete: ?0', '-H', 'Upload-Length: 10', url], 'hello')
  expect(first).toContain(' 201 ')
  const [, location = ''] = /^location: (\S+)/imu.exec(first) ?? []
  const rest = ['-X', 'PATCH', '-H', 'Content-Type: application/partial-upload']
  const fields = ['-H', 'Upload-Offset: 5', '-H', 'Upload-Complete: ?1']
  expect(await curlTo([...rest, ...fields, new URL(location, url).href], 'world')).toContain(
    ' 201 ',
  )
  expect(await storedAt(path)).toBe('helloworld')
})

test.skipIf(!hasCurl)('curl uploads with a grant in one line', async () => {
  const { Url: url } = await grant({ Prefix: 'acme/v1/titles/curl/' })
  const child = Bun.spawn(['curl', '-sS', '-T', '-', named(url, 'a.txt')], {
    stdin: new Blob(['hello']),
  })
  expect(await new Response(child.stdout).json()).toMatchObject({ HttpCode: 201 })
  expect(await storedAt('acme/v1/titles/curl/a.txt')).toBe('hello')
})

test('a revoked grant opens nothing, from the next request on', async () => {
  const { Url: url, Id: id, TusUrl: tusUrl } = await grant({ Path: fresh() })
  const begun = await fetch(tusUrl, {
    method: 'POST',
    headers: { 'Tus-Resumable': '1.0.0', 'Upload-Length': '10' },
  })
  expect(begun.status).toBe(201)
  const revoke = () => fetch(at(`/api/uploads/grants/${id}`), { method: 'DELETE', headers: access })
  expect((await revoke()).status).toBe(200)

  expect((await put(url, 'x')).status).toBe(401)
  const upload = new URL(begun.headers.get('location') ?? '', url)
  const patch = await fetch(upload, {
    method: 'PATCH',
    headers: {
      'Tus-Resumable': '1.0.0',
      'Upload-Offset': '0',
      'Content-Type': 'application/offset+octet-stream',
    },
    body: '0123456789',
  })
  expect(patch.status).toBe(401)
  expect((await revoke()).status).toBe(404)
  const logs = await fetch(at('/api/core/audit-logs'), { headers: account })
  const text = await logs.text()
  for (const action of ['upload.grant.create', 'upload.grant.revoke'])
    expect(text).toContain(action)
})

test('a grant ends with its token, and reaches no other zone', async () => {
  const created = await fetch(at('/api/tokens'), {
    method: 'POST',
    headers: account,
    body: JSON.stringify({ name: 'app', scopes: ['storage:write'], zones: ['acme'] }),
  })
  const { token, id } = (await created.json()) as { token: string; id: string }
  const bearer = { Authorization: `Bearer ${token}` }
  const { Url: url } = await grant({ Prefix: 'acme/v1/titles/ends/', Times: 9 }, bearer)
  const elsewhere = await fetch(at('/api/uploads/grants'), {
    method: 'POST',
    headers: { ...bearer, 'Content-Type': 'application/json' },
    body: JSON.stringify({ Prefix: 'bolt/v1/titles/' }),
  })
  expect(elsewhere.status).toBe(404)
  expect((await put(named(url, 'a.txt'), 'x')).status).toBe(201)
  await fetch(at(`/api/tokens/${id}`), { method: 'DELETE', headers: account })
  expect((await put(named(url, 'b.txt'), 'x')).status).toBe(401)
})

test('a suspended zone takes nothing, and a removed one takes its grants with it', async () => {
  const zone = (method: string, path: string, body?: object) =>
    fetch(at(`/api/core/zones${path}`), {
      method,
      headers: account,
      ...(body && { body: JSON.stringify(body) }),
    })
  await zone('POST', '', { Name: 'fades' })
  const { Url: url } = await grant({ Prefix: 'fades/v1/titles/', Times: 9 })
  await zone('PATCH', '/fades', { Suspended: true })
  expect((await put(named(url, 'a.txt'), 'x')).status).toBe(403)
  await zone('PATCH', '/fades', { Suspended: false })
  expect((await put(named(url, 'a.txt'), 'x')).status).toBe(201)
  await zone('DELETE', '/fades')
  expect((await put(named(url, 'b.txt'), 'x')).status).toBe(401)
  await zone('POST', '', { Name: 'fades' })
  expect((await put(named(url, 'b.txt'), 'x')).status).toBe(401)
})

test.each([
  ['no path', {}],
  ['both', { Path: 'acme/v1/a.txt', Prefix: 'acme/v1/' }],
  ['a path outside', { Path: 'acme/../bolt/v1/a.txt' }],
  ['no bytes', { Path: 'acme/v1/a.txt', MaxBytes: 0 }],
  ['absurdly many bytes', { Path: 'acme/v1/a.txt', MaxBytes: 2 ** 60 }],
  ['half a byte', { Path: 'acme/v1/a.txt', MaxBytes: 1.5 }],
  ['absurdly many times', { Prefix: 'acme/v1/', Times: 1e9 }],
  ['no times', { Prefix: 'acme/v1/', Times: 0 }],
  ['no types', { Path: 'acme/v1/a.txt', Types: [] }],
  ['too many types', { Path: 'acme/v1/a.txt', Types: Array(21).fill('image/png') }],
  ['no type', { Path: 'acme/v1/a.txt', Types: ['<script>'] }],
  ['no time', { Path: 'acme/v1/a.txt', ExpiresAt: 'tomorrow' }],
  ['the past', { Path: 'acme/v1/a.txt', ExpiresAt: '2020-01-01T00:00:00Z' }],
  ['the far future', { Path: 'acme/v1/a.txt', ExpiresAt: '9999-01-01T00:00:00Z' }],
  ['text', 'hello'],
])('no grant is given for %s', async (_what, terms) => {
  const response = await fetch(at('/api/uploads/grants'), {
    method: 'POST',
    headers: { ...access, 'Content-Type': 'application/json' },
    body: JSON.stringify(terms),
  })
  expect(response.status).toBe(400)
})

test('grants stay good over a restart and a rotation of the secret that signs them', async () => {
  await using other = await temporaryDirectory()
  const open = (environment: Readonly<Record<string, string>>) =>
    openLocalService({ dataDirectory: other.path, environment })
  const [former, next] = ['former-secret-0123456789', 'next-secret-0123456789012']
  let query = ''
  {
    await using first = await open({ SIGNED_URL_SECRET: former })
    const zone = JSON.stringify({ Name: 'acme' })
    await fetch(`${first.url}/api/core/zones`, { method: 'POST', headers: account, body: zone })
    const created = await fetch(`${first.url}/api/uploads/grants`, {
      method: 'POST',
      headers: { ...access, 'Content-Type': 'application/json' },
      body: JSON.stringify({ Prefix: 'acme/v1/titles/', Times: 9 }),
    })
    query = new URL(((await created.json()) as Grant).Url).search
  }
  for (const [environment, status] of [
    [{ SIGNED_URL_SECRET: next, SIGNED_URL_SECRET_PREVIOUS: former }, 201],
    [{ SIGNED_URL_SECRET: next }, 401],
  ] as const) {
    await using rotated = await open(environment)
    const url = `${rotated.url}/api/uploads/granted/${status}.txt${query}`
    expect((await put(url, 'x')).status).toBe(status)
  }
}, 60_000)

test('requests with a grant are counted by network, wrong ones too', async () => {
  await using other = await temporaryDirectory()
  await using limited = await openLocalService({
    dataDirectory: other.path,
    environment: { GRANT_REQUESTS_PER_MINUTE: '3' },
  })
  const url = `${limited.url}/api/uploads/granted/?grant=g1.x.y`
  const statuses: number[] = []
  for (let place = 0; place < 4; place += 1) statuses.push((await put(url, 'x')).status)
  expect(statuses).toEqual([401, 401, 401, 429])
})
