import { afterAll, beforeAll, expect, test } from 'bun:test'
import sharp from 'sharp'

import { ask, type RawResponse } from '../fixtures/raw-request.ts'
import { type LocalService, openLocalService } from '../support/local-service.ts'
import { access, account, temporaryDirectory, testKeys } from '../support/service-process.ts'

const opened = new AsyncDisposableStack()
let service: LocalService

beforeAll(async () => {
  const directory = opened.use(await temporaryDirectory())
  service = opened.use(await openLocalService({ dataDirectory: directory.path }))
  const body = JSON.stringify({ Name: 'acme' })
  await fetch(`${service.url}/api/core/zones`, { method: 'POST', headers: account, body })
  await put('noise.png', await noise(800))
  await put('huge.png', await noise(2300))
}, 60_000)

afterAll(() => opened.disposeAsync())

/** An image that no format makes small. */
async function noise(size: number): Promise<Uint8Array<ArrayBuffer>> {
  const raw = Buffer.alloc(size * size * 3)
  for (let start = 0; start < raw.length; start += 65_536)
    crypto.getRandomValues(raw.subarray(start, start + 65_536))
  const made = sharp(raw, { raw: { width: size, height: size, channels: 3 } })
  return Uint8Array.from(await made.png({ compressionLevel: 0 }).toBuffer())
}

const put = (name: string, body: BodyInit) =>
  fetch(`${service.url}/api/storage/acme/v1/banners/${name}`, {
    method: 'PUT',
    headers: access,
    body,
  })

const get = (path: string, ...fields: readonly string[]) =>
  ask(service.port, `GET ${path} HTTP/1.1`, ...fields)

function expectLength(response: RawResponse): void {
  expect(response.fields.get('content-length')).toEqual([String(response.body.length)])
  expect(response.fields.has('transfer-encoding')).toBe(false)
}

const transform = '/api/transform?url=/acme/v1/banners/noise.png&format=png'

test.each([
  ['a rendering', `${transform}&w=300`, []],
  ['a stored sibling', '/api/auto?path=acme/v1/banners/noise', ['Accept: image/png']],
  ['one that the cache cannot hold', '/api/auto?path=acme/v1/banners/huge', ['Accept: image/png']],
  ['a part of a rendering', `${transform}&w=301`, ['Range: bytes=0-99999']],
] as const)(
  'the first response says how long it is, as the second does: %s',
  async (_what, path, fields) => {
    const [first, second] = [await get(path, ...fields), await get(path, ...fields)]
    expect([200, 206]).toContain(first.status)
    expect(first.body.length).toBeGreaterThan(65_536)
    expectLength(first)
    expectLength(second)
    expect(second.body.equals(first.body)).toBe(true)
    expect(first.fields.has('content-disposition')).toBe(false)
  },
  60_000,
)

test('all who ask at the same time hear the length', async () => {
  const responses = await Promise.all(Array.from({ length: 6 }, () => get(`${transform}&w=302`)))
  for (const response of responses) expectLength(response)
}, 60_000)

test.each([
  '/api/transform?url=/acme/v1/banners/none.png',
  '/api/transform?w=1',
  '/api/auto?path=acme/v1/banners/none',
  '/api/stream?path=acme/v1/titles/none.mp4',
])('a refusal of %s has one request id, in the field and in the body', async (path) => {
  for (const sent of [undefined, '0d5cfe0a-6b3f-4ad0-93fb-0b5a3d6f1a11']) {
    const response = await get(path, ...(sent === undefined ? [] : [`X-Request-ID: ${sent}`]))
    const { requestId } = JSON.parse(response.body.toString()) as { requestId: string }
    expect(response.fields.get('x-request-id')).toEqual([requestId])
    if (sent !== undefined) expect(requestId).toBe(sent)
  }
})

test('parameters that nothing reads do not have the same stored twice', async () => {
  const url = `${transform}&w=310`
  await get(url)
  for (const more of ['&k=1', '&k=2&utm_source=x', '&%6b=3']) {
    const response = await get(`${url}${more}`)
    expect(response.fields.get('cache-status')?.join()).toContain('sedge; hit')
  }
  expect((await get(`${url}&%77=311`)).fields.get('cache-status')?.join()).not.toContain(
    'sedge; hit',
  )
  const purged = await fetch(`${service.url}/api/purge`, {
    method: 'POST',
    headers: { 'x-api-key': testKeys.PURGE_KEY, 'Content-Type': 'application/json' },
    body: JSON.stringify({ urls: [`${url}&k=9`] }),
  })
  expect(purged.status).toBe(200)
  expect((await get(url)).fields.get('cache-status')?.join()).not.toContain('sedge; hit')
}, 60_000)

test.each([`${transform}&w=320`, '/api/auto?path=acme/v1/banners/noise'])(
  'what cannot be purged by is not among the tags of %s',
  async (path) => {
    for (const more of [[], [], ['X-API-Version: 2026-04-01']]) {
      const { fields } = await get(path, ...more)
      for (const name of ['cache-tag', 'surrogate-key']) {
        const tags = fields.get(name)?.join() ?? ''
        expect(tags).toMatch(/^zone-acme[, ].*all-assets$/u)
        for (const tag of tags.split(/[, ]/u)) expect(tag).toMatch(/^[A-Za-z0-9_-]{1,128}$/u)
      }
    }
    await put('noise.png', await noise(801))
    expect((await get(path)).fields.get('cache-status')?.join()).not.toContain('sedge; hit')
  },
  60_000,
)

test('a range that is not there is refused in words, with the size and the ids', async () => {
  const accessKey = `AccessKey: ${testKeys.ACCESS_KEY}`
  await put('small.css', 'a { color: teal }')
  const beyond = 'Range: bytes=99999999-'
  const paths = [
    '/acme/v1/banners/small.css',
    '/acme/v1/banners/noise.png',
    '/api/storage/acme/v1/banners/small.css',
    `${transform}&w=321`,
    `${transform}&w=321`,
  ]
  for (const path of paths) {
    const response = await get(path, beyond, accessKey)
    expect([path, response.status]).toEqual([path, 416])
    const body = JSON.parse(response.body.toString()) as Record<string, unknown>
    const { fields } = response
    expect(body).toMatchObject({ HttpCode: 416, apiVersion: '2026-04-01' })
    expect(fields.get('content-range')).toEqual([`bytes */${sizeIn(body)}`])
    expect(fields.get('content-type')).toEqual(['application/json'])
    expect(fields.get('x-request-id')).toEqual([String(body['requestId'])])
    expect(fields.get('x-api-version')).toEqual(['2026-04-01'])
    expect(fields.has('etag')).toBe(false)
  }
}, 60_000)

const sizeIn = ({ Message }: Record<string, unknown>): string =>
  /there are (?<size>\d+)/u.exec(String(Message))?.groups?.['size'] ?? ''

test('HEAD of the service’s own pages says how long they are', async () => {
  for (const path of ['/', '/docs/', '/docs/quick-start', '/api/docs', '/dashboard/login']) {
    const [got, head] = [await get(path), await ask(service.port, `HEAD ${path} HTTP/1.1`)]
    expect([path, head.status, head.fields.get('content-length')]).toEqual([
      path,
      200,
      got.fields.get('content-length'),
    ])
    expect(head.body.length).toBe(0)
  }
})
