import { afterAll, beforeAll, expect, test } from 'bun:test'
import sharp from 'sharp'

import { sampleVideo } from '../fixtures/media/sample-videos.ts'
import { type InProcessService, openInProcess } from '../support/in-process-service.ts'
import { testKeys } from '../support/service-process.ts'

let service: InProcessService

beforeAll(async () => {
  service = await openInProcess()
  await service.createZone('acme')
})

afterAll(() => service[Symbol.asyncDispose]())

const image = (color: string) =>
  sharp({ create: { width: 60, height: 40, channels: 3, background: color } })
    .png()
    .toBuffer()

async function store(name: string, color: string) {
  const body = Uint8Array.from(await image(color))
  await service.storage('PUT', `acme/v1/logos/${name}`, { body })
}

const transform = (name: string, query = 'w=30&format=png') =>
  service.fetch(`/api/transform?url=/acme/v1/logos/${name}&${query}`)

async function colorOf(response: Response): Promise<string> {
  const { dominant } = await sharp(await response.bytes()).stats()
  const { r, g, b } = dominant
  return r > g && r > b ? 'red' : g > b ? 'green' : 'blue'
}

const isHit = (response: Response) => /sedge; hit/u.test(response.headers.get('cache-status') ?? '')

test('the second answer comes from the shared cache, under a request id of its own', async () => {
  await store('twice.png', 'red')
  const first = await transform('twice.png')
  const second = await transform('twice.png')

  expect([isHit(first), isHit(second)]).toEqual([false, true])
  expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'))
  expect(second.headers.get('x-api-version')).toBe('2026-04-01')
  expect(Number(second.headers.get('age'))).toBeGreaterThanOrEqual(0)
})

test('after an overwrite is answered, no older image is served', async () => {
  const colors = ['red', 'green', 'blue']
  await store('changing.png', 'blue')
  for (let round = 0; round < 9; round += 1) {
    const color = colors[round % 3] ?? 'red'
    await store('changing.png', color)
    const responses = await Promise.all(Array.from({ length: 4 }, () => transform('changing.png')))
    expect(await Promise.all(responses.map(colorOf))).toEqual([color, color, color, color])
  }
})

test('a purge by tag, by URL and of everything is obeyed at once', async () => {
  await store('purged.png', 'green')
  for (const body of [
    { tags: ['zone-acme'] },
    { urls: ['/acme/v1/logos/purged.png'] },
    { purge_everything: true },
  ]) {
    await transform('purged.png')
    expect(isHit(await transform('purged.png'))).toBe(true)
    await purge(body)
    expect(isHit(await transform('purged.png'))).toBe(false)
  }
})

test('a purge of a video’s URL drops its playlists and segments, and nothing of another video', async () => {
  await storeVideo('purged.mp4')
  await storeVideo('other.mp4')
  const list = await playlist('purged.mp4', '&quality=source')
  const segment = (await list.text()).split('\n').find((line) => line.startsWith('?')) ?? ''
  const urls = ['purged.mp4', 'other.mp4'].map((name) => `?path=acme/v1/films/${name}`)
  const ask = async (query: string) => isHit(await service.fetch(`/api/stream${query}`))
  for (const query of [...urls, segment]) await ask(query)
  expect(await Promise.all([...urls, segment].map(ask))).toEqual([true, true, true])

  await purge({ urls: ['/acme/v1/films/purged.mp4'] })

  expect(await Promise.all([...urls, segment].map(ask))).toEqual([false, true, false])
})

test('a segment is stored once, whatever else its URL says', async () => {
  await storeVideo('tagged.mp4')
  const list = await (await playlist('tagged.mp4', '&quality=source')).text()
  const segment = list.split('\n').find((line) => line.startsWith('?')) ?? ''
  await service.fetch(`/api/stream${segment}`)

  for (const more of ['&session=1', '&session=2', '&%73ession=3'])
    expect(isHit(await service.fetch(`/api/stream${segment}${more}`))).toBe(true)
})

test('one more size of a video changes its playlist at once, and leaves its segments where they are', async () => {
  await storeVideo('grows.mp4')
  const before = await (await playlist('grows.mp4')).text()
  const list = await (await playlist('grows.mp4', '&quality=source')).text()
  const segment = list.split('\n').find((line) => line.startsWith('?')) ?? ''
  await service.fetch(`/api/stream${segment}`)
  await storeVideo('grows_144p.mp4')

  expect(await (await playlist('grows.mp4')).text()).not.toBe(before)
  expect(isHit(await service.fetch(`/api/stream${segment}`))).toBe(true)
})

const playlist = (name: string, more = '') =>
  service.fetch(`/api/stream?path=acme/v1/films/${name}${more}`)

async function storeVideo(name: string): Promise<void> {
  const body = await sampleVideo(name.includes('144p') ? 'ladder_144p' : 'ladder')
  await service.storage('PUT', `acme/v1/films/${name}`, { body })
}

async function purge(body: object): Promise<void> {
  const purged = await service.fetch('/api/purge', {
    method: 'POST',
    headers: { 'x-api-key': testKeys.PURGE_KEY, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(purged.status).toBe(200)
}

test('a suspended zone’s images are refused although they are cached', async () => {
  await service.createZone('paused')
  const body = Uint8Array.from(await image('red'))
  await service.storage('PUT', 'paused/v1/logos/a.png', { body })
  const ask = () => service.fetch('/api/transform?url=/paused/v1/logos/a.png&w=20')
  expect((await ask()).status).toBe(200)
  await service.core('PATCH', 'zones/paused', { Suspended: true })
  expect((await ask()).status).toBe(403)
  await service.core('PATCH', 'zones/paused', { Suspended: false, Enabled: false })
  expect((await ask()).status).toBe(404)
})

test('refusals are never served again from the cache', async () => {
  const refused = async () => {
    const response = await transform('absent.png')
    return { status: response.status, id: (await response.json()).requestId }
  }
  const [first, second] = [await refused(), await refused()]
  expect([first.status, second.status]).toEqual([404, 404])
  expect(first.id).not.toBe(second.id)
})

test('clients that take different formats get different answers from one URL', async () => {
  await store('varied.png', 'blue')
  const typeFor = async (accept: string) => {
    const response = await service.fetch('/api/auto?path=acme/v1/logos/varied', {
      headers: { Accept: accept },
    })
    return response.headers.get('content-type')
  }
  for (let round = 0; round < 2; round += 1) {
    expect(await typeFor('image/avif,image/webp')).toBe('image/avif')
    expect(await typeFor('image/webp')).toBe('image/webp')
    expect(await typeFor('text/plain')).toBe('image/png')
  }
})

test('clients that say other widths in the same step share what is kept, and what is kept stays little', async () => {
  await store('hinted.png', 'green')
  const asked = async (width: number) =>
    await service.fetch('/api/transform?url=/acme/v1/logos/hinted.png&w=auto&format=png', {
      headers: { 'Sec-CH-Width': String(width), 'Sec-CH-DPR': String(1 + width / 1000) },
    })
  const first = await asked(41)
  const widths: (number | undefined)[] = []
  for (const width of [42, 47, 48]) {
    const response = await asked(width)
    expect(isHit(response)).toBe(true)
    widths.push((await sharp(await response.bytes()).metadata()).width)
  }
  const other = await asked(49)

  expect(widths).toEqual([48, 48, 48])
  expect(first.headers.get('vary')).toContain('Sec-CH-Width')
  expect(isHit(other)).toBe(false)
})
