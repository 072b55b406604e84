import { afterAll, beforeAll, expect, test } from 'bun:test'
import sharp from 'sharp'

import { blue, decode, distance, painted, red, white } from '../fixtures/sample-images.ts'
import { type InProcessService, openInProcess } from '../support/in-process-service.ts'

let service: InProcessService

/** Stored lying: red to the left, blue to the right, a white border. As it was held, red is above. */
beforeAll(async () => {
  service = await openInProcess()
  await service.createZone('acme')
  const image = painted({ width: 1800, height: 600 }, (x, y) =>
    x < 60 || x >= 1740 || y < 60 || y >= 540 ? white : x < 900 ? red : blue,
  )
  const body = await image
    .withMetadata({ orientation: 6 })
    .jpeg({ quality: 95, chromaSubsampling: '4:4:4' })
    .toBuffer()
  await service.storage('PUT', 'acme/v1/photos/held.jpg', { body })
}, 30_000)

afterAll(() => service[Symbol.asyncDispose]())

async function fetched(query: string) {
  const response = await service.fetch(
    `/api/transform?url=/acme/v1/photos/held.jpg&format=png&${query}`,
  )
  expect(`${query} ${response.status}`).toBe(`${query} 200`)
  return await decode(await response.bytes())
}

test('an image is shown as it was held, or with auto_rotate=0 as its pixels are stored', async () => {
  const held = await fetched('w=60')
  const stored = await fetched('w=180&auto_rotate=0')

  expect([held.width, held.height]).toEqual([60, 180])
  expect([stored.width, stored.height]).toEqual([180, 60])
  expect(distance(held.at(30, 40), red)).toBeLessThan(12)
  expect(distance(held.at(30, 140), blue)).toBeLessThan(12)
  expect(distance(stored.at(40, 30), red)).toBeLessThan(12)
  expect(distance(stored.at(140, 30), blue)).toBeLessThan(12)
})

test('parts, sides and borders are of what is asked for', async () => {
  const right = await fetched('auto_rotate=0&crop=1000,100,200,300')
  const west = await fetched('auto_rotate=0&w=50&h=50&gravity=west&crop=10p,20p,80p,60p')
  const trimmed = await fetched('auto_rotate=0&trim=40')
  const turned = await fetched('auto_rotate=0&w=60&rotate=90')

  expect([right.width, right.height]).toEqual([200, 300])
  expect(distance(right.at(100, 150), blue)).toBeLessThan(12)
  expect(distance(west.at(25, 25), red)).toBeLessThan(12)
  expect(Math.abs(trimmed.width - 1680)).toBeLessThan(5)
  expect(Math.abs(trimmed.height - 480)).toBeLessThan(5)
  expect([turned.width, turned.height]).toEqual([60, 180])
  expect(distance(turned.at(30, 40), red)).toBeLessThan(12)
})

test('where the file says nothing of it, both are one variant', async () => {
  const body = await painted({ width: 90, height: 60 }, () => blue)
    .jpeg()
    .toBuffer()
  await service.storage('PUT', 'acme/v1/photos/plain.jpg', { body })
  const of = (query: string) =>
    service.fetch(`/api/transform?url=/acme/v1/photos/plain.jpg&w=30&format=webp${query}`)
  const first = await of('')
  const second = await of('&auto_rotate=0')

  expect(second.headers.get('etag')).toBe(first.headers.get('etag') ?? '')
  expect(second.headers.get('cache-status')).toContain('hit')
})

test('metadata=all keeps what the file says of how it was held, so that it is shown so', async () => {
  const response = await service.fetch(
    '/api/transform?url=/acme/v1/photos/held.jpg&w=180&auto_rotate=0&metadata=all&format=jpeg',
  )
  const { width, orientation } = await sharp(await response.bytes()).metadata()

  expect([width, orientation]).toEqual([180, 6])
})

test('a JPEG is itself where its thumbnail is asked for, whatever thumbnail it has', async () => {
  const of = (query: string) =>
    service.fetch(`/api/transform?url=/acme/v1/photos/held.jpg&w=90&format=webp${query}`)
  const first = await of('')
  const second = await of('&thumbnail=1')

  expect(second.status).toBe(200)
  expect(second.headers.get('etag')).toBe(first.headers.get('etag') ?? '')
})
