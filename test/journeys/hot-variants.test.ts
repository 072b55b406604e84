import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import sharp from 'sharp'

import { sampleVideo } from '../fixtures/media/sample-videos.ts'
import { type InProcessService, openInProcess } from '../support/in-process-service.ts'
import { access, account, testKeys } from '../support/service-process.ts'

/** What is made of images and asked for again and again: nothing may come of it that a first request would not get. */
let service: InProcessService

const photo = 'acme/v1/logos/photo.png'
const forms = {
  'a transform': `/api/transform?url=/${photo}&w=30`,
  'a named transform': `/api/transform?url=/${photo}&t=card`,
  'the path of one': `/${photo}/card.webp`,
  'a negotiated image': '/api/auto?path=acme/v1/logos/photo',
  'the path of one negotiated': '/api/auto/acme/v1/logos/photo',
  'what a client’s screen decides': `/api/transform?url=/${photo}&w=auto`,
  'what a page needs of it': `/api/picture?path=${photo}`,
  'a playlist': '/api/stream?path=acme/v1/films/short.mp4&quality=source',
  'what is misspelled': `/api/transform?url=/${photo}&w=30&widht=40`,
} as const

beforeAll(async () => {
  service = await openInProcess()
  await service.createZone('acme')
  await store(photo, 'red')
  const body = await sampleVideo('ladder')
  await service.storage('PUT', 'acme/v1/films/short.mp4', { body })
}, 30_000)

beforeEach(async () => {
  await writeRules('_transforms', 'card  w=20 format=webp\n')
  await writeRules('_redirects', '')
})

afterAll(() => service[Symbol.asyncDispose]())

async function store(path: string, background: string, width = 60): Promise<void> {
  const image = sharp({ create: { width, height: 40, channels: 3, background } })
  const body = Uint8Array.from(await image.png().toBuffer())
  expect((await service.storage('PUT', path, { body })).ok).toBe(true)
}

async function writeRules(File: string, Content: string): Promise<void> {
  expect((await service.core('POST', 'rules', { File, Content })).status).toBe(200)
}

/** Asks so often that whoever could remember anything does. */
async function warm(path: string, headers: Readonly<Record<string, string>> = {}) {
  for (let count = 0; count < 3; count += 1) await (await service.fetch(path, { headers })).bytes()
  return await service.fetch(path, { headers })
}

const statusOf = async (path: string) => (await service.fetch(path)).status

/** Without what is another each time, or may be: a second may have begun in between. */
async function seen(response: Response) {
  const { status, headers } = response
  const fields = Object.fromEntries([...headers].filter(([name]) => name !== 'x-request-id'))
  fields['cache-status'] = fields['cache-status']?.replace(/ttl=\d+/u, 'ttl') ?? ''
  fields['age'] = 'age' in fields ? 'seconds' : 'none'
  // It names the request.
  if (status >= 400) return { status, fields: { ...fields, 'content-length': '' } }
  return { status, fields, bytes: Bun.SHA256.hash(await response.bytes(), 'hex') }
}

/** What is so is said again: the response is the same, and has to be thought about. */
const slowly = { 'If-Unmodified-Since': 'Fri, 01 Jan 2100 00:00:00 GMT' }

test.each(Object.entries(forms))('%s is the same however it is answered', async (_what, path) => {
  const first = await warm(path)
  expect(first.status).toBe(200)
  const etag = first.headers.get('etag') ?? ''
  for (const headers of askedWith(etag))
    for (const method of ['GET', 'HEAD']) {
      await warm(path, headers)
      const quick = await seen(await service.fetch(path, { method, headers }))
      const thorough = { method, headers: { ...slowly, ...headers } }
      const slow = await seen(await service.fetch(path, thorough))
      expect({ path, method, headers, ...quick }).toEqual({ path, method, headers, ...slow })
    }
})

const askedWith = (etag: string): readonly Record<string, string>[] => [
  {},
  { Accept: 'image/avif,image/webp,*/*' },
  { Accept: 'image/png' },
  { Accept: '' },
  { 'Save-Data': 'on' },
  { 'Sec-CH-Width': '24', 'Sec-CH-DPR': '2' },
  { Accept: 'image/webp', ECT: '2g' },
  { 'If-None-Match': etag },
  { 'If-None-Match': `W/${etag}` },
  { 'If-None-Match': `"other", ${etag}` },
  { 'If-None-Match': '*' },
  { 'If-None-Match': etag, 'If-Modified-Since': 'Thu, 01 Jan 2026 00:00:00 GMT' },
  { 'If-Modified-Since': new Date(Date.now() + 60_000).toUTCString() },
  { 'If-Match': '"other"' },
  { 'If-Unmodified-Since': 'Thu, 01 Jan 1970 00:00:00 GMT' },
  { Range: 'bytes=0-9' },
  { Range: 'bytes=0-9', 'If-Range': '"other"' },
  { Range: 'bytes=9999999-' },
  { Origin: 'https://elsewhere.example' },
  { 'Cache-Control': 'no-cache', Pragma: 'no-cache' },
  { Authorization: 'Bearer x', Cookie: 'a=b' },
  { 'X-API-Version': '2026-04-01' },
  { 'X-API-Version': '1999-01-01' },
]

test.each(Object.entries(forms))(
  '%s has a request id of its own each time',
  async (_what, path) => {
    const idOf = (response: Response) => response.headers.get('x-request-id') ?? ''
    const etag = (await warm(path)).headers.get('etag') ?? ''
    const sent = '0d5cfe0a-6b3f-4ad0-93fb-0b5a3d6f1a11'
    for (const headers of [{}, { 'If-None-Match': etag }]) {
      const [one, other] = [await warm(path, headers), await service.fetch(path, { headers })]
      expect(idOf(one)).toMatch(/^[\da-f-]{36}$/u)
      expect(idOf(other)).not.toBe(idOf(one))
      const ask = (id: string) =>
        service.fetch(path, { headers: { ...headers, 'X-Request-ID': id } })
      expect(idOf(await ask(sent))).toBe(sent)
      expect(idOf(await ask('not one'))).toMatch(/^[\da-f-]{36}$/u)
      expect((await service.fetch(path, { headers })).headers.get('x-api-version')).toBe(
        '2026-04-01',
      )
    }
  },
)

test('each response is counted once, with its bytes, for the asset', async () => {
  const counted = async () => {
    const report = await service.fetch(`/api/insights/asset?path=${photo}`, { headers: access })
    const { TotalRequests, TotalBandwidthBytes } = (await report.json()) as Record<string, number>
    return { requests: TotalRequests ?? 0, bytes: TotalBandwidthBytes ?? 0 }
  }
  for (const name of ['a transform', 'the path of one', 'a negotiated image'] as const) {
    const path = forms[name]
    const known = await warm(path)
    const etag = known.headers.get('etag') ?? ''
    const { length } = await known.bytes()
    const before = await counted()
    for (let count = 0; count < 5; count += 1) await service.fetch(path)
    for (let count = 0; count < 3; count += 1)
      await service.fetch(path, { headers: { 'If-None-Match': etag } })
    await service.fetch(path, { method: 'HEAD' })
    const after = await counted()
    expect([name, after.requests - before.requests]).toEqual([name, 9])
    expect([name, after.bytes - before.bytes]).toEqual([name, 5 * length])
  }
})

test('what the dashboard shows is no traffic', async () => {
  const total = async () => {
    const report = await service.fetch('/api/insights/summary?zone=acme', { headers: access })
    return ((await report.json()) as Record<string, number>)['TotalRequests']
  }
  const login = await service.fetch('/dashboard/login', {
    method: 'POST',
    body: new URLSearchParams({ password: testKeys.DASHBOARD_PASSWORD }),
    redirect: 'manual',
  })
  const Cookie = login.headers.get('set-cookie')?.split(';', 1)[0] ?? ''
  expect(Cookie).not.toBe('')
  await warm(forms['a transform'])
  const before = await total()
  const Referer = 'http://127.0.0.1:8788/dashboard/assets'
  await service.fetch(forms['a transform'], { headers: { Referer, Cookie } })
  expect(await total()).toBe(before)
  await service.fetch(forms['a transform'], { headers: { Referer } })
  expect(await total()).toBe((before ?? 0) + 1)
})

test('no request for what is there costs anything', async () => {
  const used = async () => {
    const limits = await service.fetch('/api/limits', { headers: account })
    const text = await limits.text()
    return [...text.matchAll(/"Name":"transforms"[^}]*"Used":(\d+)/gu)].map(([, count]) => count)
  }
  await warm(forms['a transform'])
  const before = await used()
  expect(before.length).toBeGreaterThan(0)
  for (let count = 0; count < 20; count += 1) await service.fetch(forms['a transform'])
  expect(await used()).toEqual(before)
})

test.each(['a named transform', 'the path of one'] as const)(
  '%s is another image as soon as the name means one',
  async (name) => {
    const widthOf = async (response: Response) =>
      (await sharp(await response.bytes()).metadata()).width
    expect(await widthOf(await warm(forms[name]))).toBe(20)
    await writeRules('_transforms', 'card  w=10 format=webp\n')
    expect(await widthOf(await service.fetch(forms[name]))).toBe(10)
    await writeRules('_transforms', '')
    expect(await statusOf(forms[name])).toBe(name === 'the path of one' ? 404 : 400)
  },
)

test('a file that is published at the path of a named transform takes its place', async () => {
  const path = 'acme/v1/logos/none.png/card.webp'
  const typeOf = async () =>
    (await service.fetch(`/${path}?fallback=/${photo}`)).headers.get('content-type')
  for (let round = 0; round < 3; round += 1) {
    await warm(`/${path}?fallback=/${photo}`)
    expect(await typeOf()).toBe('image/webp')
    expect((await service.storage('PUT', path, { body: `file ${round}` })).ok).toBe(true)
    expect(await (await service.fetch(`/${path}?fallback=/${photo}`)).text()).toBe(`file ${round}`)
    expect((await service.storage('DELETE', path)).ok).toBe(true)
  }
  expect(await typeOf()).toBe('image/webp')
})

test('rules decide on the path of a named transform, for each client anew', async () => {
  const path = forms['the path of one']
  const statusFrom = async (language: string) =>
    (await service.fetch(path, { headers: { 'Accept-Language': language } })).status
  await warm(path)
  await writeRules('_redirects', `${path} /acme/v1/de.png 302 Language=de\n`)
  for (let round = 0; round < 3; round += 1) {
    expect(await statusFrom('en')).toBe(200)
    expect(await statusFrom('de')).toBe(302)
  }
  await writeRules('_redirects', '')
  expect(await statusFrom('de')).toBe(200)
  expect(await statusFrom('de')).toBe(200)
  await writeRules('_redirects', `${path} /acme/v1/all.png 302\n`)
  expect(await statusFrom('en')).toBe(302)
  await writeRules('_redirects', '')
  await warm(path)
  const worker = await service.fetch(path, { headers: { 'Service-Worker': 'script' } })
  expect(worker.status).toBe(403)
})

const everywhere = ['a transform', 'a named transform', 'the path of one', 'a negotiated image']

test.each(everywhere)('after an overwrite nobody gets the former image: %s', async (name) => {
  const path = forms[name as keyof typeof forms]
  for (const color of ['blue', 'lime', 'red']) {
    const former = (await warm(path)).headers.get('etag') ?? ''
    await store(photo, color)
    const response = await service.fetch(path, { headers: { 'If-None-Match': former } })
    expect(response.status).toBe(200)
    const { r, g, b } = (await sharp(await response.bytes()).stats()).dominant
    expect([r > 128, g > 128, b > 128]).toEqual([
      color === 'red',
      color === 'lime',
      color === 'blue',
    ])
  }
})

test.each(everywhere)('a zone decides at once who gets what of it: %s', async (name) => {
  const path = forms[name as keyof typeof forms]
  const change = (body: object) => service.core('PATCH', 'zones/acme', body)
  for (const [flags, back, status] of [
    [{ Suspended: true }, { Suspended: false }, 403],
    [{ Enabled: false }, { Enabled: true }, 404],
  ] as const) {
    expect((await warm(path)).status).toBe(200)
    await change(flags)
    expect(await statusOf(path)).toBe(status)
    await change(back)
    expect(await statusOf(path)).toBe(200)
  }
})

test.each([
  ['named', 'a transform', 403],
  ['named', 'a named transform', 200],
  ['signed', 'a transform', 403],
  ['signed', 'a named transform', 403],
  ['signed', 'the path of one', 403],
] as const)('with Transforms %s, %s is %d at once', async (mode, name, status) => {
  await service.core('PATCH', 'zones/acme', { Transforms: 'open' })
  expect((await warm(forms[name])).status).toBe(200)
  await service.core('PATCH', 'zones/acme', { Transforms: mode })
  expect(await statusOf(forms[name])).toBe(status)
  // What an operator may have is for nobody else.
  const asked = await service.fetch(forms[name], { headers: account })
  expect(asked.status).toBe(200)
  expect(await statusOf(forms[name])).toBe(status)
  await service.core('PATCH', 'zones/acme', { Transforms: 'open' })
})
