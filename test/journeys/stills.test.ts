import { afterAll, beforeAll, expect, test } from 'bun:test'
import sharp from 'sharp'

import { hostilePdfs } from '../fixtures/hostile-stills.ts'
import { pdfOf, samplePage } from '../fixtures/pdf-files.ts'
import { id3Of, notoSans } from '../fixtures/still-files.ts'
import { type InProcessService, openInProcess } from '../support/in-process-service.ts'
import { access } from '../support/service-process.ts'
import { until } from '../support/until.ts'

let service: InProcessService
let cover: Uint8Array<ArrayBuffer>
let report: Uint8Array<ArrayBuffer>

beforeAll(async () => {
  service = await openInProcess()
  await service.createZone('acme')
  const red = sharp({ create: { width: 300, height: 200, channels: 3, background: '#c33' } })
  cover = new Uint8Array(await red.jpeg().toBuffer())
  await put('acme/v1/songs/with.mp3', id3Of([{ of: 3, bytes: cover }]))
  report = pdfOf({
    pages: ['Quarterly turnover', 'Outlook'].map(samplePage),
    font: await notoSans(),
  })
  await put('acme/v1/docs/report.pdf', report)
  await put('acme/v1/songs/without.mp3', id3Of([]))
  await put('acme/v1/docs/notes.zip', 'PK\u0003\u0004 and so on')
  await put('acme/v1/photos/a.jpg', cover)
  await put('acme/v1/photos/none.jpg', 'no image at all')
})
afterAll(() => service[Symbol.asyncDispose]())

async function put(path: string, body: BodyInit): Promise<void> {
  expect((await service.storage('PUT', path, { body })).status).toBe(201)
}

const transform = (query: string, init?: RequestInit) =>
  service.fetch(`/api/transform?url=/acme/v1/${query}`, init)

async function sizeOf(response: Response) {
  const { width, height, format } = await sharp(await response.arrayBuffer()).metadata()
  return { width, height, format }
}

test('the cover of a recording is transformed like an image, and made once', async () => {
  const first = await transform('songs/with.mp3&w=150&format=webp')
  expect(first.status).toBe(200)
  expect(first.headers.get('cache-status')).toContain('fwd=miss')
  expect(await sizeOf(first)).toEqual({ width: 150, height: 100, format: 'webp' })

  const again = await transform('songs/with.mp3&format=webp&w=150&q=80')
  expect(again.headers.get('etag')).toBe(first.headers.get('etag'))
})

test('it is what auto answers with, what lies over an image, and what a page is told of', async () => {
  const auto = await service.fetch('/api/auto/acme/v1/songs/with', {
    headers: { accept: 'image/webp' },
  })
  expect(await sizeOf(auto)).toEqual({ width: 300, height: 200, format: 'webp' })
  const laid = await transform('photos/a.jpg&overlay=/acme/v1/songs/with.mp3@east,20&format=png')
  expect(laid.status).toBe(200)
  const told = await service.fetch('/api/picture?path=acme/v1/songs/with.mp3')
  expect(await told.json()).toMatchObject({
    Width: 300,
    Height: 200,
    Placeholder: expect.any(String) as string,
  })
})

test('what has nothing to be seen is a card with its type and name', async () => {
  for (const path of ['docs/notes.zip', 'songs/without.mp3']) {
    const response = await transform(`${path}&w=320&format=png`)
    expect([response.status, response.headers.get('image-notes')]).toEqual([200, 'card'])
    expect(await sizeOf(response)).toEqual({ width: 320, height: 240, format: 'png' })
  }
})

test('a card gives way to a fallback, and stands for no image that is broken', async () => {
  const instead = await transform('docs/notes.zip&fallback=/acme/v1/photos/a.jpg')
  expect([instead.status, instead.headers.get('image-notes')]).toEqual([200, 'fallback'])
  const broken = await transform('photos/none.jpg&w=10')
  expect([broken.status, (await broken.json()).code]).toEqual([422, 'UnprocessableImage'])
})

test('a page that is not there is refused, and says how many there are', async () => {
  const response = await transform('photos/a.jpg&page=2')
  expect(response.status).toBe(422)
  expect(await response.json()).toMatchObject({ error: 'The image has one page' })
})

test('each page of a PDF is an image of its own, and its URL may be pinned', async () => {
  const second = await transform('docs/report.pdf&page=2&w=500&format=webp')
  expect(await sizeOf(second)).toEqual({ width: 500, height: 355, format: 'webp' })
  const first = await transform('docs/report.pdf&w=500&format=webp&page=1')
  expect(first.headers.get('etag')).not.toBe(second.headers.get('etag'))
  const same = await transform('docs/report.pdf&w=500&format=webp')
  expect(same.headers.get('etag')).toBe(first.headers.get('etag'))

  const v = new Bun.CryptoHasher('sha256').update(report).digest('hex').slice(0, 16)
  const pinned = await transform(`docs/report.pdf&w=500&format=webp&v=${v}`)
  expect(pinned.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  const beyond = await transform('docs/report.pdf&page=3')
  expect([beyond.status, await beyond.json()]).toMatchObject([
    422,
    { error: 'The file has 2 pages', target: 'page' },
  ])
})

test('the catalogue knows a still once there was time for it, and search its words', async () => {
  const known = async () => {
    const url = '/api/assets/metadata?path=acme/v1/docs/report.pdf'
    return (await (await service.fetch(url, { headers: access })).json()) as {
      readonly Width: number | null
      readonly Thumbhash: string | null
    }
  }
  await until(async () => (await known()).Thumbhash !== null)
  expect(await known()).toMatchObject({ Width: 2000, Height: 1419 })
  const found = async () =>
    await (await service.fetch('/api/search?q=turnover', { headers: access })).text()
  await until(async () => (await found()).includes('report.pdf'))
})

test('what is hostile ends within its budget, and nothing else notices', async () => {
  const hostile = hostilePdfs['an image of 900 megapixels']?.() ?? new Uint8Array()
  await put('acme/v1/docs/bomb.pdf', hostile)
  await put('acme/v1/docs/byte.pdf', '%PDF-')
  const bomb = transform('docs/bomb.pdf&w=100')
  const image = await transform('photos/a.jpg&w=33&format=png')
  expect(image.status).toBe(200)
  const broken = await transform('docs/byte.pdf&w=100')
  expect(broken.status).toBe(422)
  // A fast machine draws it in the time that it may take.
  expect([200, 422]).toContain((await bomb).status)
  expect((await transform('docs/report.pdf&w=44&format=png')).status).toBe(200)
}, 60_000)

test('where a decoder is not installed the refusal says how it is', async () => {
  const heic = await Bun.file(`${import.meta.dir}/../fixtures/stills/quarters.heic`).bytes()
  await put('acme/v1/photos/phone.heic', heic)
  const refused = await transform('photos/phone.heic&w=10')
  expect([refused.status, await refused.json()]).toMatchObject([
    422,
    { code: 'StillUnavailable', Install: 'npm install libheif-js@1.23.2' },
  ])
  const instead = await transform('photos/phone.heic&w=10&fallback=/acme/v1/photos/a.jpg')
  expect(instead.status).toBe(200)
})
