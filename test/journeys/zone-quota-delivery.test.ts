import { expect, test } from 'bun:test'

import sharp from 'sharp'

import { type InProcessService, openInProcess } from '../support/in-process-service.ts'
import { access } from '../support/service-process.ts'

const limitMs = 60_000
const stored = '/acme/v1/photos/a.jpg'

const photograph = async () => {
  const background = { r: 90, g: 120, b: 40 }
  const image = sharp({ create: { width: 400, height: 300, channels: 3, background } })
  return await image.jpeg().toBuffer()
}

async function open() {
  const service = await openInProcess()
  for (const zone of ['acme', 'bolt']) {
    await service.createZone(zone)
    await service.storage('PUT', `${zone}/v1/photos/a.jpg`, { body: await photograph() })
  }
  return service
}

/** Everything that was delivered is counted by then, and looked at. */
async function bound(service: InProcessService, wanted: object): Promise<{ Delivery: string }> {
  await service.fetch('/api/usage', { headers: access })
  const response = await service.core('PUT', 'zones/acme/quotas', wanted)
  expect(response.status).toBe(200)
  return (await response.json()) as { Delivery: string }
}

const ask = (service: InProcessService, path: string, headers = {}) =>
  service.fetch(path, { headers: { Accept: 'image/webp,*/*', ...headers } })

const made = (width: number, zone = 'acme') =>
  `/api/transform?url=${zone}/v1/photos/a.jpg&w=${width}&format=webp`

const noteOf = ({ headers }: Response) => headers.get('image-notes') ?? ''

test(
  'in the place of a new variant beyond the quota the stored file is sent, and what is made stays',
  async () => {
    await using service = await open()
    await bound(service, { Quotas: { 'new-variants': 1 } })
    const first = await ask(service, made(100))
    expect([first.status, first.headers.get('content-type')]).toEqual([200, 'image/webp'])

    const file = await ask(service, stored)
    const beyond = await ask(service, made(101))
    expect([beyond.status, beyond.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
    expect(noteOf(beyond)).toContain('degraded')
    expect(beyond.headers.get('cache-control')).toBe('public, max-age=60')
    expect(beyond.headers.get('vary')).toContain('Accept')
    expect(await beyond.bytes()).toEqual(await file.bytes())
    const again = await ask(service, made(100))
    expect(again.headers.get('content-type')).toBe('image/webp')
    const other = await ask(service, made(101, 'bolt'))
    expect(other.headers.get('content-type')).toBe('image/webp')
  },
  limitMs,
)

test(
  'a degraded image has the entity tag of what is sent, and the variant comes when there is room',
  async () => {
    await using service = await open()
    await bound(service, { Quotas: { 'new-variants': 0 } })
    const degraded = await ask(service, made(120))
    const tag = degraded.headers.get('etag') ?? ''
    const compared = await ask(service, made(120), { 'If-None-Match': tag })
    expect(compared.status).toBe(304)

    await bound(service, { Quotas: { 'new-variants': null } })
    const whole = await ask(service, made(120), { 'If-None-Match': tag })
    expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'image/webp'])
  },
  limitMs,
)

test(
  'a zone over its traffic has its files delivered and nothing new made, and others all of theirs',
  async () => {
    await using service = await open()
    await ask(service, made(100))
    await (await ask(service, stored)).bytes()
    const { Delivery } = await bound(service, { Quotas: { traffic: 10 } })

    expect(Delivery).toBe('degraded')
    expect((await ask(service, stored)).status).toBe(200)
    expect((await ask(service, made(100))).headers.get('content-type')).toBe('image/webp')
    expect(noteOf(await ask(service, made(102)))).toContain('degraded')
    expect(noteOf(await ask(service, made(102, 'bolt')))).not.toContain('degraded')
    expect((await bound(service, { Quotas: { traffic: 'default' } })).Delivery).toBe('whole')
    expect(noteOf(await ask(service, made(103)))).not.toContain('degraded')
  },
  limitMs,
)

test(
  'a zone that asks for it is cut, files and images, until it may deliver again',
  async () => {
    await using service = await open()
    await (await ask(service, stored)).bytes()
    await (await ask(service, made(100))).bytes()
    const { Delivery } = await bound(service, { Quotas: { requests: 1 }, WhenUsedUp: 'cut' })

    expect(Delivery).toBe('cut')
    for (const path of [stored, made(100), made(104)]) {
      const response = await ask(service, path)
      expect(response.status).toBe(429)
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect((await ask(service, '/bolt/v1/photos/a.jpg')).status).toBe(200)
    await bound(service, { Quotas: { requests: null } })
    expect((await ask(service, stored)).status).toBe(200)
  },
  limitMs,
)
