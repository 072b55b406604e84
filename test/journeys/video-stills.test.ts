import { afterAll, beforeAll, expect, test } from 'bun:test'
import sharp from 'sharp'

import { sampleClip } from '../fixtures/media/sample-clips.ts'
import { sampleVideo } from '../fixtures/media/sample-videos.ts'
import { type InProcessService, openInProcess } from '../support/in-process-service.ts'
import { ffmpeg, have } from '../support/needs.ts'

let service: InProcessService
const path = process.env['PATH']

beforeAll(async () => {
  service = await openInProcess()
  await service.createZone('acme')
  await put('acme/v1/banners/film.webm', await sampleClip('vp8.webm'))
  await put('acme/v1/banners/film.mp4', await sampleVideo('ladder'))
  await put('acme/v1/banners/song.mp4', await sampleVideo('audio-only'))
  await put('acme/v1/banners/broken.mp4', (await sampleVideo('regular')).slice(0, 3000))
})
afterAll(() => service[Symbol.asyncDispose]())

async function put(name: string, body: BodyInit): Promise<void> {
  expect((await service.storage('PUT', name, { body })).status).toBe(201)
}

const transform = (query: string, init?: RequestInit) =>
  service.fetch(`/api/transform?url=/acme/v1/banners/${query}`, init)

const metadataOf = async (response: Response) =>
  await sharp(await response.arrayBuffer(), { animated: true }).metadata()

test('a moment of a video is transformed like an image', async () => {
  const response = await transform('film.webm&t=5.5&w=80&format=webp')
  expect(response.status).toBe(200)
  expect(await metadataOf(response)).toMatchObject({ format: 'webp', width: 80, height: 45 })

  const other = await transform('film.webm&t=3&w=80&format=webp')
  expect(other.headers.get('etag')).not.toBe(response.headers.get('etag'))
  const beyond = await transform('film.webm&t=80000&w=80&format=webp')
  expect(beyond.status).toBe(200)
})

test('where nobody says when, it is not the black beginning', async () => {
  const response = await transform('film.webm&format=png')
  const { channels } = await sharp(await response.arrayBuffer()).stats()

  expect(Math.max(...channels.map(({ mean }) => mean))).toBeGreaterThan(40)
})

test('a video in fragments, as cameras and recorders send it, is seen like any other', async () => {
  await put('acme/v1/banners/live.mp4', await sampleVideo('fragmented-av1'))
  const response = await transform('live.mp4&t=3&w=80&format=webp')

  expect(response.status).toBe(200)
  expect(await metadataOf(response)).toMatchObject({ format: 'webp', width: 80, height: 45 })
  expect((await service.fetch('/api/stream/thumbnails?path=acme/v1/banners/live.mp4')).status).toBe(
    200,
  )
})

test('a preview moves, and is transformed like any image that moves', async () => {
  const response = await transform('film.webm&preview=2&w=60&format=webp')
  const { pages = 0, width } = await metadataOf(response)

  expect(width).toBe(60)
  expect(pages).toBeGreaterThan(4)
})

test('a moment that is none is refused, and one together with a preview', async () => {
  for (const wrong of ['t=-1', 't=1.2345', 't=90000', 't=1e3', 'preview=11', 'preview=3&t=1'])
    expect((await transform(`film.webm&${wrong}`)).status).toBe(400)
  const image = await sharp({ create: { width: 4, height: 4, channels: 3, background: '#c33' } })
    .png()
    .toBuffer()
  await put('acme/v1/photos/a.png', new Uint8Array(image))
  const still = await service.fetch('/api/transform?url=/acme/v1/photos/a.png&t=1')
  expect(still.status).toBe(422)
})

test('a page is told all that it needs to show a video as an image', async () => {
  const told = await service.fetch('/api/picture?path=acme/v1/banners/film.webm')

  expect(await told.json()).toMatchObject({
    Width: 160,
    Height: 90,
    Placeholder: expect.any(String) as string,
  })
})

test('a page can be told of one moment', async () => {
  const told = await service.fetch('/api/picture?path=acme/v1/banners/film.webm&t=5')
  const { Sources, Src } = (await told.json()) as { Sources: { Url: string }[]; Src: string }

  expect(Src).toContain('&t=5')
  for (const { Url } of Sources) expect(Url).toContain('&t=5')
  expect((await service.fetch(Src.replace(/^https?:\/\/[^/]+/u, ''))).status).toBe(200)
  expect((await service.fetch('/api/picture?path=acme/v1/banners/film.webm&t=x')).status).toBe(400)
})

test('an image that is stored beside a video is what it is seen as, from then on', async () => {
  await put('acme/v1/banners/trailer.webm', await sampleClip('live.webm'))
  const before = await transform('trailer.webm&w=40&format=png')
  const red = sharp({ create: { width: 320, height: 200, channels: 3, background: '#c33' } })
  await put('acme/v1/banners/trailer.poster.jpg', new Uint8Array(await red.jpeg().toBuffer()))
  const after = await transform('trailer.webm&w=40&format=png')

  expect(await metadataOf(before)).toMatchObject({ width: 40, height: 23 })
  expect(await metadataOf(after)).toMatchObject({ width: 40, height: 25 })
  const moment = await transform('trailer.webm&w=40&t=0&format=png')
  expect(await metadataOf(moment)).toMatchObject({ width: 40, height: 23 })
  const told = await service.fetch('/api/picture?path=acme/v1/banners/trailer.webm')
  expect(await told.json()).toMatchObject({
    Path: 'acme/v1/banners/trailer.webm',
    Width: 320,
    Height: 200,
  })
})

test('a player finds small images of all of a video, at a URL that is kept for ever', async () => {
  const track = await service.fetch('/api/stream/thumbnails?path=acme/v1/banners/film.webm')
  expect([track.status, track.headers.get('content-type')]).toEqual([
    200,
    'text/vtt; charset=utf-8',
  ])
  const text = await track.text()
  const [first, ...more] = text.match(/^\/api\/stream\/thumbnails\S+#xywh=\S+$/gmu) ?? []
  expect(text).toStartWith('WEBVTT\n\n00:00:00.000 --> 00:00:0')
  expect(more.length).toBeGreaterThan(3)

  const [url = '', place] = first?.split('#xywh=') ?? []
  const sprite = await service.fetch(url)
  expect(place).toBe('0,0,160,90')
  expect(sprite.headers.get('content-type')).toBe('image/webp')
  expect(sprite.headers.get('cache-control')).toContain('immutable')
  expect((await metadataOf(sprite)).width).toBe((more.length + 1) * 160)
  expect((await service.fetch(url.replace(/v=.{4}/u, 'v=0000'))).status).toBe(404)
})

test('thumbnails of what is no video are refused', async () => {
  for (const name of ['song.mp4', 'broken.mp4', 'none.mp4']) {
    const { status } = await service.fetch(`/api/stream/thumbnails?path=acme/v1/banners/${name}`)
    expect(status).toBe(name === 'none.mp4' ? 404 : 422)
  }
})

test('a recording in the file of a video is a card, and a broken video is refused', async () => {
  const card = await transform('song.mp4&w=100&format=png')
  const broken = await transform('broken.mp4&w=100')

  expect([card.status, card.headers.get('image-notes')]).toEqual([200, 'card'])
  expect(broken.status).toBe(422)
  expect(await broken.text()).toContain('cut off')
})

test('where nothing decodes H.264, the answer says what to install, and is no broken image', async () => {
  process.env['PATH'] = '/nowhere'
  try {
    const response = await transform('film.mp4&t=4&w=90')
    expect(response.status).toBe(422)
    const text = await response.text()
    expect(text).toContain('StillUnavailable')
    expect(text).toContain('ffmpeg')
    expect(text).toContain('npm install @napi-rs/webcodecs')
  } finally {
    process.env['PATH'] = path
  }
})

if (have('moments of H.264', ffmpeg))
  test('once FFmpeg is on the PATH, moments of H.264 are seen', async () => {
    const response = await transform('film.mp4&t=12.5&w=64&format=jpeg')

    expect(response.status).toBe(200)
    expect(await metadataOf(response)).toMatchObject({ format: 'jpeg', width: 64, height: 36 })
  })
