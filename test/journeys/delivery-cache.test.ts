import { afterAll, beforeAll, expect, test } from 'bun:test'
import sharp from 'sharp'

import { type InProcessService, openInProcess } from '../support/in-process-service.ts'
import { testKeys } from '../support/service-process.ts'

let service: InProcessService

beforeAll(async () => {
  service = await openInProcess()
  await service.createZone('acme')
})

afterAll(() => service[Symbol.asyncDispose]())

const picture = (color: string) =>
  sharp({ create: { width: 60, height: 40, channels: 3, background: color } })
    .png()
    .toBuffer()

async function store(name: string, color: string) {
  const body = Uint8Array.from(await picture(color))
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

test('after an overwrite is answered, no older picture is served', async () => {
  const colors = ['red', 'green', 'blue']
  await store('changing.png', 'blue')
  for (let round = 0; round < 9; round += 1) {
    const color = colors[round % 3] ?? 'red'
    await store('changing.png', color)
    const answers = await Promise.all(Array.from({ length: 4 }, () => transform('changing.png')))
    expect(await Promise.all(answers.map(colorOf))).toEqual([color, color, color, color])
  }
})

test('a purge by tag, by address and of everything is obeyed at once', async () => {
  await store('purged.png', 'green')
  for (const body of [
    { tags: ['zone-acme'] },
    { urls: ['/acme/v1/logos/purged.png'] },
    { purge_everything: true },
  ]) {
    await transform('purged.png')
    expect(isHit(await transform('purged.png'))).toBe(true)
    const purged = await service.fetch('/api/purge', {
      method: 'POST',
      headers: { 'x-api-key': testKeys.PURGE_KEY, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(purged.status).toBe(200)
    expect(isHit(await transform('purged.png'))).toBe(false)
  }
})

test('a suspended zone’s pictures are refused although they are cached', async () => {
  await service.createZone('paused')
  const body = Uint8Array.from(await picture('red'))
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

test('clients that take different formats get different answers from one address', async () => {
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
