import { afterAll, beforeAll, expect, test } from 'bun:test'

import { movingImage, painted, photoPainter, red, blue } from '../fixtures/sample-images.ts'
import { type InProcessService, openInProcess } from '../support/in-process-service.ts'
import { access, testKeys } from '../support/service-process.ts'
import { type Tenant, tenantOf } from '../support/tenant.ts'

let service: InProcessService
const photograph = 'acme/v1/photos/photo.jpg'
const hidden = 'acme/v1/private/photo.jpg'
const exif = {
  IFD0: { Make: 'Sedge', Model: 'One', Copyright: 'Acme' },
  IFD2: { ExposureTime: '1/250', FNumber: '28/10', DateTimeOriginal: '2026:05:01 10:00:00' },
  IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' },
}

beforeAll(async () => {
  service = await openInProcess()
  await service.createZone('acme')
  await service.createZone('bolt')
  const size = { width: 90, height: 60 }
  const image = painted(size, photoPainter(3))
  const jpeg = await image.clone().withExif(exif).withMetadata({ orientation: 6 }).jpeg().toBuffer()
  const put = async (path: string, body: BodyInit) => await service.storage('PUT', path, { body })
  await put(photograph, jpeg)
  await put(hidden, jpeg)
  await put('bolt/v1/photos/photo.jpg', jpeg)
  await put(
    'acme/v1/photos/print.tif',
    await image.clone().withIccProfile('cmyk').tiff().toBuffer(),
  )
  await put('acme/v1/photos/p3.avif', await image.clone().withIccProfile('p3').avif().toBuffer())
  const moving = { width: 4, height: 4, colors: [red, blue, red], delayMs: 120 }
  await put('acme/v1/icons/a.gif', await (await movingImage(moving)).gif().toBuffer())
  await put(
    'acme/v1/icons/a.svg',
    '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"/>',
  )
  await put('acme/v1/icons/a.txt', 'hello')
}, 60_000)
afterAll(() => service[Symbol.asyncDispose]())

type Headers = Readonly<Record<string, string>>
const ask = (url: string, headers: Headers = {}) =>
  service.fetch(`/api/info?url=${encodeURIComponent(url)}`, { headers })

interface Info extends Readonly<Record<string, unknown>> {
  readonly Exif: Readonly<Record<string, unknown>> | null
}

async function infoOf(url: string, headers: Headers = {}) {
  const response = await ask(url, headers)
  expect(response.status).toBe(200)
  return (await response.json()) as Info
}

test('everybody is told what an image is, as it is to be seen', async () => {
  expect(await infoOf(`/${photograph}`)).toEqual({
    Path: photograph,
    ContentType: 'image/jpeg',
    Size: expect.any(Number),
    Checksum: expect.stringMatching(/^[0-9a-f]{64}$/u),
    Format: 'jpeg',
    Width: 60,
    Height: 90,
    Orientation: 6,
    Frames: 1,
    Duration: null,
    Pages: 1,
    ColorModel: 'rgb',
    ColorProfile: expect.stringMatching(/^sRGB/u),
    BitDepth: 8,
    Alpha: false,
    Progressive: false,
    Exif: null,
    Credentials: null,
    Hdr: null,
  })
})

for (const [path, expected] of [
  ['photos/print.tif', { Format: 'tiff', ColorModel: 'cmyk', Width: 90, Height: 60 }],
  ['photos/p3.avif', { Format: 'avif', ColorModel: 'rgb', ColorProfile: 'sP3C' }],
  ['icons/a.gif', { Format: 'gif', Frames: 3, Duration: 0.36, Width: 4, Height: 4 }],
  ['icons/a.svg', { Format: 'svg', Width: 20, Height: 10, BitDepth: null, Alpha: true }],
] as const)
  test(`${path} says what it is`, async () => {
    expect(await infoOf(`/acme/v1/${path}`)).toMatchObject(expected)
  })

test('who may read the files is shown EXIF, without the place it was taken at', async () => {
  const { Exif: found } = await infoOf(photograph, access)
  expect(found).toMatchObject({
    Make: 'Sedge',
    Model: 'One',
    Copyright: 'Acme',
    ExposureTime: 0.004,
    FNumber: 2.8,
    DateTimeOriginal: '2026:05:01 10:00:00',
  })
  expect(JSON.stringify(found)).not.toMatch(/gps|latitude|\b51\b/iu)
  expect((await ask(photograph, access)).headers.get('cache-control')).toBe('private, no-cache')
})

test('a token shows no more than its scope and its zones do', async () => {
  const exifFor = async (tenant: Tenant, path: string) => {
    const response = await tenant('GET', `/api/info?url=/${path}`)
    return response.ok ? ((await response.json()) as Info).Exif !== null : response.status
  }
  const reader = await tenantOf(service, 'acme', ['storage:read'])
  expect(await exifFor(reader, photograph)).toBe(true)
  expect(await exifFor(reader, hidden)).toBe(true)
  expect(await exifFor(reader, 'bolt/v1/photos/photo.jpg')).toBe(false)
  const writer = await tenantOf(service, 'acme', ['storage:write', 'assets:read'])
  expect(await exifFor(writer, photograph)).toBe(false)
  expect(await exifFor(writer, hidden)).toBe(404)
})

test('keys for other things, and wrong ones, show what everybody sees', async () => {
  for (const headers of [
    { AccessKey: 'wrong' },
    { 'x-api-key': testKeys.PURGE_KEY },
    { AccountKey: testKeys.ACCOUNT_KEY },
  ]) {
    expect((await infoOf(photograph, headers)).Exif).toBeNull()
    expect((await ask(hidden, headers)).status).toBe(404)
  }
  // The right one counts, whatever else is sent.
  const both = { 'x-api-key': testKeys.PURGE_KEY, ...access }
  expect((await infoOf(photograph, both)).Exif).not.toBeNull()
})

test('wrong keys cannot be tried without end', async () => {
  const tries = (peer: string) => {
    const headers = { AccessKey: crypto.randomUUID() }
    return service.fetch(`/api/info?url=${photograph}`, { headers }, peer)
  }
  const statuses = new Set<number>()
  for (let times = 0; times < 320; times += 1) statuses.add((await tries('192.0.2.7')).status)
  expect([...statuses]).toEqual([200, 429])
  expect((await tries('198.51.100.7')).status).toBe(200)
}, 30_000)

test('what a client has already is not sent again; others are shown less, and that is another', async () => {
  const etag = (await ask(photograph)).headers.get('etag') ?? ''
  expect((await ask(photograph, { 'If-None-Match': etag })).status).toBe(304)
  expect((await ask(photograph, { 'If-None-Match': etag, ...access })).status).toBe(200)
})

for (const [url, status] of [
  [hidden, 404],
  ['acme/v1/photos/none.jpg', 404],
  ['https://elsewhere.example/acme/v1/photos/photo.jpg', 400],
  ['acme/v1/icons/a.txt', 422],
  ['../x', 400],
  ['', 400],
] as const)
  test(`"${url}" is refused: ${status}`, async () => {
    expect((await ask(url)).status).toBe(status)
  })

test('a former version, and what is closed or erased, are as of now', async () => {
  await service.createZone('past')
  const path = 'past/v1/photos/photo.png'
  const wide = (width: number) =>
    painted({ width, height: 4 }, () => red)
      .png()
      .toBuffer()
  await service.storage('PUT', path, { body: await wide(5) })
  const { Versions: versions } = (await (
    await service.fetch(`/api/assets/history?path=${path}`, { headers: access })
  ).json()) as { readonly Versions: readonly { readonly Commit: string }[] }
  await service.storage('PUT', path, { body: await wide(9) })
  const former = `/@${versions[0]?.Commit}/${path}`
  expect((await ask(former)).status).toBe(404)
  expect(await infoOf(former, access).catch(() => undefined)).toBeUndefined()
  const setZone = (body: object) =>
    service.fetch('/api/core/zones/past', {
      method: 'PATCH',
      headers: { AccountKey: testKeys.ACCOUNT_KEY },
      body: JSON.stringify(body),
    })
  await setZone({ History: 'signed' })
  expect((await ask(former)).status).toBe(404)
  expect(await infoOf(former, access)).toMatchObject({ Width: 5 })
  await setZone({ History: 'public' })
  expect(await infoOf(former)).toMatchObject({ Width: 5 })
  expect(await infoOf(path)).toMatchObject({ Width: 9 })
  await setZone({ Suspended: true })
  expect((await ask(path)).status).toBe(403)
  await setZone({ Suspended: false })
  const order = { Path: path, Reason: 'It must go', Confirm: path }
  expect((await service.core('POST', 'erasures', order)).status).toBe(202)
  for (const url of [path, former]) expect((await ask(url, access)).status).toBe(451)
})
