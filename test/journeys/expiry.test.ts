import { expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { join } from 'node:path'

import { edgeTokenOf, startEdge } from '../support/edge-process.ts'
import { openInProcess } from '../support/in-process-service.ts'
import { access, startService, temporaryDirectory, testKeys } from '../support/service-process.ts'
import { until } from '../support/until.ts'
import { openWebhookReceiver } from '../support/webhook-receiver.ts'
import { worldOf } from '../support/world.ts'

const limitMs = 90_000
const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><rect width="64" height="64" fill="#a40"/></svg>'
const inMs = (ms: number): string => new Date(Date.now() + ms).toISOString()

function signed(path: string): string {
  const expires = String(Math.floor(Date.now() / 1000) + 600)
  const sig = createHmac('sha256', testKeys.SIGNED_URL_SECRET)
    .update(`${path}:${expires}`)
    .digest('hex')
  return `/api/signed?path=${encodeURIComponent(path)}&expires=${expires}&sig=${sig}`
}

const delivered = [
  '/acme/v1/logos/logo.svg',
  '/api/transform?url=/acme/v1/logos/logo.svg&w=20&format=png',
  '/api/auto?path=acme/v1/logos/logo',
  signed('acme/v1/logos/logo.svg'),
]

test('what is over is gone for all but its owner, wherever it is asked for, and comes back', async () => {
  await using service = await openInProcess()
  await service.createZone('acme')
  await service.storage('PUT', 'acme/v1/logos/logo.svg', { body: svg })
  const video = Bun.file(join(import.meta.dir, '..', 'fixtures', 'media', 'regular.mp4'))
  await service.storage('PUT', 'acme/v1/films/film.mp4', { body: await video.bytes() })
  const urls = [...delivered, '/api/stream?path=acme/v1/films/film.mp4']
  const statuses = async () => {
    const responses = await Promise.all(urls.map((url) => service.fetch(url)))
    return responses.map(({ status }) => status)
  }
  const describe = async (Expires: string | null) => {
    for (const path of ['acme/v1/logos/logo.svg', 'acme/v1/films/film.mp4'])
      expect(
        (
          await service.fetch(`/api/assets/metadata?path=${path}`, {
            method: 'PATCH',
            headers: { ...access, 'Content-Type': 'application/json' },
            body: JSON.stringify({ Expires }),
          })
        ).status,
      ).toBe(200)
  }
  expect(await statuses()).toEqual(urls.map(() => 200))
  await describe(inMs(-1_000))
  expect(await statuses()).toEqual(urls.map(() => 410))

  const gone = await service.fetch('/acme/v1/logos/logo.svg', {
    headers: { Accept: 'application/json' },
  })
  expect(gone.headers.get('cache-control')).toBe('no-store')
  expect(await gone.json()).toMatchObject({ error: { code: 'AssetExpired' } })
  expect((await service.storage('GET', 'acme/v1/logos/logo.svg')).status).toBe(200)
  await describe(inMs(100_000))
  expect(await statuses()).toEqual(urls.map(() => 200))
})

test('no response may be used past the end of its asset', async () => {
  await using service = await openInProcess()
  await service.createZone('acme')
  await service.storage('PUT', 'acme/v1/logos/logo.svg', { body: svg })
  const expire = async (ms: number) => {
    await service.fetch('/api/assets/metadata?path=acme/v1/logos/logo.svg', {
      method: 'PATCH',
      headers: { ...access, 'Content-Type': 'application/json' },
      body: JSON.stringify({ Expires: inMs(ms) }),
    })
    const responses = await Promise.all(delivered.slice(0, 2).map((url) => service.fetch(url)))
    return responses.map(({ headers }) => headers.get('cache-control'))
  }
  const plain = 'public, max-age=60, stale-while-revalidate=600'
  expect(await expire(86_400_000)).toEqual([plain, plain])
  const [prepared, made] = await expire(30_500)
  expect(prepared).toBe('public, no-cache')
  expect(made).toMatch(/^public, max-age=(?:29|30)$/u)
})

test(
  'the time passes while nothing happens: every edge ends at that moment, and webhooks hear of it once',
  async () => {
    await using directory = await temporaryDirectory()
    using receiver = openWebhookReceiver()
    const dataDirectory = join(directory.path, 'origin')
    const environment = { EDGE_WORKERS: '1', WEBHOOK_ALLOW_PRIVATE: 'true' }
    const serviceOptions = { dataDirectory, environment }
    await using opening = new AsyncDisposableStack()
    const service = opening.use(await startService(serviceOptions))
    const world = worldOf(service)
    await world.zone('acme')
    await world.put('acme/v1/logos/logo.svg', svg)
    await world.client.createWebhook({ body: { url: receiver.url, events: ['asset.expired'] } })
    const token = await edgeTokenOf(service.url)
    const edgeDirectory = join(directory.path, 'edge')
    await using edge = await startEdge({
      origin: service.url,
      token,
      name: 'one',
      directory: edgeDirectory,
    })
    const path = 'acme/v1/logos/logo.svg'
    const sites = [service.url, edge.url]
    const statuses = async () =>
      await Promise.all(
        sites.flatMap((site) =>
          delivered.slice(0, 2).map(async (url) => {
            const { status } = await fetch(site + url, { headers: { Connection: 'close' } })
            return status
          }),
        ),
      )
    const endsAtMs = Date.now() + 4_000
    await world.client.describeAsset({ path, body: { Expires: new Date(endsAtMs).toISOString() } })
    await until(async () => (await statuses()).every((status) => status === 200))
    expect(Date.now()).toBeLessThan(endsAtMs)
    await Bun.sleep(Math.max(0, endsAtMs + 500 - Date.now()))
    expect(await statuses()).toEqual([410, 410, 410, 410])

    await receiver.until(1)
    await service[Symbol.asyncDispose]()
    const again = opening.use(await startService(serviceOptions))
    expect((await fetch(`${again.url}/${path}`)).status).toBe(410)
    // What is told comes in order: nothing of the first one may come before the next.
    const other = 'acme/v1/logos/other.svg'
    const after = worldOf(again)
    await after.put(other, svg)
    await after.client.describeAsset({ path: other, body: { Expires: inMs(-1_000) } })
    await receiver.until(2)
    expect(receiver.received).toMatchObject(
      [path, other].map((each) => ({
        event: 'asset.expired',
        data: { path: `clients/${each}`, zone: 'acme' },
      })),
    )
  },
  limitMs,
)
