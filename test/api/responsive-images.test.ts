import { afterAll, beforeAll, expect, test } from 'bun:test'
import sharp from 'sharp'

import { widthsBelow } from '../../src/domain/media/responsive/width-ladder.ts'
import { painted, photoPainter } from '../fixtures/sample-images.ts'
import { type InProcessService, openInProcess } from '../support/in-process-service.ts'
import { access } from '../support/service-process.ts'

let service: InProcessService
const photograph = 'acme/v1/banners/photo.jpg'

beforeAll(async () => {
  service = await openInProcess()
  await service.createZone('acme')
  const size = { width: 900, height: 600 }
  const jpeg = await painted(size, photoPainter(3)).jpeg().toBuffer()
  await service.storage('PUT', photograph, { body: jpeg })
  await service.storage('PUT', 'acme/v1/private/photo.jpg', { body: jpeg })
  await service.storage('PUT', 'acme/v1/icons/a.svg', {
    body: '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"/>',
  })
  await service.storage('PUT', 'acme/v1/icons/a.txt', { body: 'hello' })
  await analysed(photograph)
}, 60_000)

/** While images are looked at, a slow machine turns away who wants another one. */
async function analysed(path: string): Promise<void> {
  for (let asked = 0; asked < 500; asked += 1) {
    const response = await service.fetch(`/api/assets/metadata?path=${path}`, { headers: access })
    const { Thumbhash: hash } = (await response.json()) as { readonly Thumbhash: string | null }
    if (hash !== null) return
    await Bun.sleep(100)
  }
}

afterAll(() => service[Symbol.asyncDispose]())

interface Picture {
  readonly Img: string
  readonly Srcset: string | null
  readonly Sources: readonly {
    readonly Width: number
    readonly Height: number
    readonly Url: string
  }[]
  readonly Placeholder: string
  readonly Error?: string
}

const describe = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  service.fetch(`/api/picture?path=${encodeURIComponent(path)}`, { headers })

test('one call tells all that a page needs of an image, and what it names is there', async () => {
  const response = await describe(photograph)
  const text = await response.text()
  const picture = JSON.parse(text) as Picture
  expect(JSON.parse(text)).toMatchObject({
    Path: photograph,
    Width: 900,
    Height: 600,
    Animated: false,
    Alt: {},
    Thumbhash: expect.any(String),
    Blurhash: expect.any(String),
    Placeholder: expect.stringMatching(/^data:image\/webp;base64,/u),
    FocalPoint: { x: expect.any(Number), y: expect.any(Number) },
  })
  expect(picture.Placeholder.length).toBeLessThanOrEqual(700)
  const placeholder = await sharp(await (await fetch(picture.Placeholder)).bytes()).metadata()
  expect([placeholder.width, placeholder.height]).toEqual([24, 16])
  expect(picture.Sources.map(({ Width }) => Width)).toEqual([...widthsBelow(900)])
  for (const { Width, Height, Url } of picture.Sources) {
    const { pathname, search } = new URL(Url)
    const image = await service.fetch(`${pathname}${search}`, { headers: { Accept: 'image/webp' } })
    expect(image.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    const { width, height } = await sharp(await image.bytes()).metadata()
    expect([width, height]).toEqual([Width, Height])
  }
}, 30_000)

test('what a client has already is not sent again, until something is said of the image', async () => {
  const etag = (await describe(photograph)).headers.get('etag') ?? ''
  expect((await describe(photograph, { 'If-None-Match': etag })).status).toBe(304)
  await service.fetch(`/api/assets/metadata?path=${photograph}`, {
    method: 'PATCH',
    headers: access,
    body: JSON.stringify({ Alt: { en: 'A "hill"', de: 'Ein Hügel' } }),
  })
  const again = await describe(photograph, { 'If-None-Match': etag })
  expect(again.status).toBe(200)
  expect(((await again.json()) as Picture).Img).toContain('alt="A &quot;hill&quot;"')
  const german = await service.fetch(`/api/picture?path=${photograph}&lang=de&sizes=50vw`)
  expect(((await german.json()) as Picture).Img).toMatch(/sizes="50vw".*alt="Ein Hügel"/u)
})

test('an URL by bytes that are no more is not there, and any other v means nothing', async () => {
  const ask = (v: string) => service.fetch(`/api/transform?url=/${photograph}&w=20&v=${v}`)
  expect((await ask('00000000')).status).toBe(404)
  const other = await ask('2')
  expect([other.status, other.headers.get('cache-control')]).toEqual([
    200,
    'public, max-age=60, stale-while-revalidate=600',
  ])
})

for (const [path, status] of [
  ['acme/v1/private/photo.jpg', 404],
  ['acme/v1/banners/none.jpg', 404],
  ['acme/v1/icons/a.txt', 422],
  ['..%2f..', 400],
] as const)
  test(`${path} has no picture: ${status}`, async () => {
    expect((await describe(path)).status).toBe(status)
  })

test('a hundred are told at once, each by itself', async () => {
  const ask = (Paths: readonly string[], more: object = {}) =>
    service.fetch('/api/picture', { method: 'POST', body: JSON.stringify({ Paths, ...more }) })
  const response = await ask([photograph, 'acme/v1/icons/a.svg', 'acme/v1/private/photo.jpg', ''])
  const { Pictures: pictures } = (await response.json()) as {
    readonly Pictures: readonly Picture[]
  }

  expect(pictures.map(({ Error: error = 'none' }) => error)).toEqual([
    'none',
    'none',
    'AssetNotFound',
    'InvalidParameter',
  ])
  expect([pictures[1]?.Srcset, pictures[1]?.Sources]).toEqual([null, []])
  expect((await ask([])).status).toBe(400)
  expect((await ask(Array.from({ length: 101 }, () => photograph))).status).toBe(400)
  expect((await ask([photograph], { Sizes: '"><script>' })).status).toBe(400)
})
