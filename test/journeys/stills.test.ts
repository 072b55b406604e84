import { afterAll, beforeAll, expect, test } from 'bun:test'
import sharp from 'sharp'

import { id3Of } from '../fixtures/still-files.ts'
import { type InProcessService, openInProcess } from '../support/in-process-service.ts'

let service: InProcessService
let cover: Uint8Array<ArrayBuffer>

beforeAll(async () => {
  service = await openInProcess()
  await service.createZone('acme')
  const red = sharp({ create: { width: 300, height: 200, channels: 3, background: '#c33' } })
  cover = new Uint8Array(await red.jpeg().toBuffer())
  await put('acme/v1/songs/with.mp3', id3Of([{ of: 3, bytes: cover }]))
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
