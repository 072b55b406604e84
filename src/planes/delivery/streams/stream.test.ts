import { beforeAll, expect, test } from 'bun:test'
import { gunzipSync } from 'node:zlib'

import {
  createStreamingWorld,
  pathOf,
  storeVideos,
} from '../../../../test/streaming/streaming-world.ts'
import { sampleVideo } from '../../../../test/fixtures/media/sample-videos.ts'
import { plainText, sign } from '../../../domain/access/signed-url.ts'
import { testApp } from '../../../http/testing.ts'
import { Secret } from '../../../lib/secrets/secret.ts'
import { createWithheldAssets } from '../../../domain/content/delivered/withheld-assets.ts'
import { getStream } from './stream.ts'

const secret = 'topsecret'
const house = createStreamingWorld({
  sign: (path, expires) => sign(plainText(path, expires), secret),
})
const app = testApp([
  getStream.endpoint({
    previewOfHost: () => undefined,
    zoneOfHost: () => undefined,
    withheld: createWithheldAssets({ ruleFile: () => undefined, zone: () => undefined }),
    pinned: { from: async () => ({ asset: () => undefined, zone: () => undefined }) },
    streams: house.streams,
    signedUrlSecret: new Secret(secret),
    signedUrlMaxAgeSeconds: 604_800,
    now: () => new Date('2026-04-01T12:00:00.000Z'),
  }),
])

beforeAll(async () => {
  await storeVideos(house)
  await house.store('acme/v1/private/video.mp4', await sampleVideo('regular'))
  await house.store('acme/v1/films/broken.mp4', Buffer.from('no video'))
})

const get = (query: string, init: RequestInit = {}) =>
  app.fetch(new Request(`https://cdn.example/api/stream${query}`, init), '127.0.0.1')
const ladder = `?path=${pathOf('ladder')}`
const versionedSegment = async () => {
  const text = await (await get(`${ladder}&quality=180p`)).text()
  return text.split('\n').find((line) => line.includes('segment=1')) ?? ''
}

test('a path alone gives the master playlist, by either name of the parameter', async () => {
  const response = await get(ladder)
  const text = await response.text()

  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/vnd.apple.mpegurl')
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
  expect(text).toStartWith('#EXTM3U\n')
  expect(await (await get(`?video=/clients/${pathOf('ladder')}`)).text()).toBe(text)
})

test('a playlist carries the tags of everything it was made from', async () => {
  const tags = (await get(ladder)).headers.get('surrogate-key')?.split(' ') ?? []

  expect(tags).toContain('zone-acme')
  expect(tags.filter((tag) => tag.startsWith('asset-')).length).toBe(5)
})

test('a playlist is compressed for who takes it, and unchanged for who has it', async () => {
  const plain = await get(ladder)
  const packed = await get(ladder, { headers: { 'accept-encoding': 'gzip' } })
  const etag = packed.headers.get('etag') ?? ''

  expect(packed.headers.get('content-encoding')).toBe('gzip')
  expect(gunzipSync(await packed.arrayBuffer()).toString()).toBe(await plain.text())
  expect((await get(ladder, { headers: { 'if-none-match': etag } })).status).toBe(304)
})

test('an address in a playlist is good for ever, one without version is not', async () => {
  const pinned = await get(await versionedSegment())
  const plain = await get(`${ladder}&quality=180p&segment=1`)

  expect(pinned.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(plain.headers.get('cache-control')).not.toContain('immutable')
  expect(
    Buffer.from(await pinned.arrayBuffer()).equals(Buffer.from(await plain.arrayBuffer())),
  ).toBe(true)
})

test('a segment can be had in parts, and its length without its bytes', async () => {
  const uri = await versionedSegment()
  const whole = Buffer.from(await (await get(uri)).arrayBuffer())
  const part = await get(uri, { headers: { range: 'bytes=10-1999' } })
  const head = await get(uri, { method: 'HEAD' })

  expect(part.status).toBe(206)
  expect(part.headers.get('content-range')).toBe(`bytes 10-1999/${whole.length}`)
  expect(Buffer.from(await part.arrayBuffer()).equals(whole.subarray(10, 2000))).toBe(true)
  expect((await get(uri, { headers: { range: 'bytes=99999999-' } })).status).toBe(416)
  expect(head.headers.get('content-length')).toBe(String(whole.length))
  expect((await head.arrayBuffer()).byteLength).toBe(0)
})

test('the types of maps, segments and subtitles are those of their kind', async () => {
  expect(await typeOf('&quality=180p&segment=init')).toBe('video/mp4')
  expect(await typeOf('&quality=180p&init')).toBe('video/mp4')
  expect(await typeOf('&quality=audio&segment=init')).toBe('audio/mp4')
  expect(await typeOf('&segment=0')).toBe('video/iso.segment')
  expect(await typeOf('&quality=subtitles-en&segment=0')).toBe('text/vtt; charset=utf-8')
})

const typeOf = async (query: string) => (await get(ladder + query)).headers.get('content-type')

test('a quality is understood without its p, and what is empty was not asked for', async () => {
  const textOf = async (query: string) => (await get(ladder + query)).text()

  expect(await textOf('&quality=180')).toBe(await textOf('&quality=180p'))
  expect(await textOf('&quality=')).toBe(await textOf(''))
  expect(await textOf('&quality=&segment=&v=')).toBe(await textOf(''))
})

test('addresses from before, without the ending of a file, still lead to the same', async () => {
  const bytesOf = async (query: string) => await (await get(ladder + query)).bytes()
  for (const [plain, ending] of [
    ['&quality=180p', '.m3u8'],
    ['&quality=180p&segment=1', '.m4s'],
    ['&quality=180p&segment=init', '.mp4'],
    ['&quality=subtitles-en&segment=0', '.vtt'],
  ] as const)
    expect(await bytesOf(plain)).toEqual(await bytesOf(plain + ending))
})

const refusals: readonly (readonly [string, string, number, string])[] = [
  ['no path', '', 400, 'InvalidParameter'],
  ['a path that leads out', '?path=../etc/passwd', 400, 'InvalidParameter'],
  ['a file that is no video', `?path=acme/v1/films/ladder.en.vtt`, 400, 'InvalidParameter'],
  ['an unknown video', '?path=acme/v1/films/none.mp4', 404, 'AssetNotFound'],
  ['an unknown quality', `${ladder}&quality=99p`, 404, 'NotFound'],
  ['an unknown segment', `${ladder}&quality=180p&segment=99`, 404, 'NotFound'],
  ['a segment that is no number', `${ladder}&quality=180p&segment=1e3`, 400, 'InvalidParameter'],
  ['a segment of another ending', `${ladder}&quality=180p&segment=1.exe`, 400, 'InvalidParameter'],
  ['a version that is gone', `${ladder}&quality=180p&segment=0&v=0-0`, 404, 'NotFound'],
  ['a broken video', '?path=acme/v1/films/broken.mp4', 422, 'UnprocessableMedia'],
  ['a private video', '?path=acme/v1/private/video.mp4', 404, 'AssetNotFound'],
  ['a wrong signature', `${ladder}&expires=1775131200&sig=00`, 403, 'Forbidden'],
  ['a signature without time', `${ladder}&sig=00`, 403, 'Forbidden'],
]

for (const [what, query, status, code] of refusals)
  test(`${what} is refused with ${status}, flat`, async () => {
    const response = await get(query)

    expect(response.status).toBe(status)
    expect(JSON.stringify(await response.json())).toContain(code)
  })

test('a private video is played by who has its signature, from the master to the last segment', async () => {
  const path = '/clients/acme/v1/private/video.mp4'
  const expires = '1775131200'
  const master = await get(
    `?path=${path}&expires=${expires}&sig=${sign(plainText(path, expires), secret)}`,
  )
  const list = (await master.text()).split('\n').find((line) => line.includes('quality=90p')) ?? ''
  const segment = (await (await get(list)).text())
    .split('\n')
    .find((line) => line.includes('segment=2'))
  const response = await get(segment ?? '')

  expect(master.headers.get('x-signed-url')).toBe('verified')
  expect(response.status).toBe(200)
  expect(response.headers.get('cache-control')).toBe('private')
  expect((await get((segment ?? '').replace(/sig=./u, 'sig=x'))).status).toBe(403)
})
