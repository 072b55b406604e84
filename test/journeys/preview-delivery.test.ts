import { createHmac } from 'node:crypto'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'bun:test'
import sharp from 'sharp'

import { edgeTokenOf, type EdgeProcess, startEdge } from '../support/edge-process.ts'
import {
  access,
  account,
  type ServiceProcess,
  startService,
  temporaryDirectory,
  testKeys,
} from '../support/service-process.ts'
import { connectToEach, sharedPorts } from '../support/shared-port.ts'
import { until } from '../support/until.ts'
import { worldOf } from '../support/world.ts'

const photo = 'acme/v1/photos/photo.png'
const film = 'acme/v1/films/film.mp4'
const list = 'acme/v1/films/list.m3u8'
const text = 'acme/v1/site/page.txt'
const page = 'acme/v1/site/page.html'
const limitMs = 120_000
const fresh = 'private, no-cache'
const domain = 'previews.example'
const host = `spring--acme.${domain}`

const opening = new AsyncDisposableStack()
let service: ServiceProcess
let edge: EdgeProcess

const image = async (width: number) =>
  new Uint8Array(
    await sharp({ create: { width, height: 20, channels: 3, background: '#246' } })
      .png()
      .toBuffer(),
  )

const previews = async (method: string, path: string, body?: object) =>
  await fetch(`${service.url}/api/core/zones/acme/previews${path}`, {
    method,
    headers: account,
    ...(body && { body: JSON.stringify(body) }),
  })

interface Shown {
  readonly status: number
  readonly caching: string | null
  readonly robots: string | null
}

async function shown(url: string, headers: Record<string, string> = {}): Promise<Shown> {
  const response = await fetch(url, { headers, redirect: 'manual' })
  await response.body?.cancel()
  const { status } = response
  const field = (name: string) => response.headers.get(name)
  return { status, caching: field('cache-control'), robots: field('x-robots-tag') }
}

const asPreview: Shown = { status: 200, caching: fresh, robots: 'noindex' }

async function widthOf(url: string, headers: Record<string, string> = {}) {
  const response = await fetch(url, { headers })
  const { width } = await sharp(Buffer.from(await response.arrayBuffer())).metadata()
  return width
}

function signed(path: string): string {
  const expires = String(Math.floor(Date.now() / 1000) + 600)
  const sig = createHmac('sha256', testKeys.SIGNED_URL_SECRET)
    .update(`${path}:${expires}`)
    .digest('hex')
  return `path=${encodeURIComponent(path)}&expires=${expires}&sig=${sig}`
}

/** Every way to ask for something of the preview, at a service or an edge. */
const waysTo = (url: string): readonly (readonly [string, Record<string, string>])[] => [
  [`${url}/@~spring/${photo}`, {}],
  [`${url}/api/transform?url=/@~spring/${photo}&w=10`, {}],
  [`${url}/api/transform?url=${encodeURIComponent(`/%40~spring/${photo}`)}&w=10`, {}],
  [`${url}/api/transform?url=${encodeURIComponent(`http://${host}/v1/photos/photo.png`)}`, {}],
  [`${url}/api/auto?path=@~spring/acme/v1/photos/photo`, {}],
  [`${url}/api/auto/@~spring/acme/v1/photos/photo`, {}],
  [`${url}/api/picture?path=@~spring/${photo}`, {}],
  [`${url}/api/info?url=/@~spring/${photo}`, {}],
  [`${url}/api/stream?path=@~spring/${film}`, {}],
  [`${url}/v1/photos/photo.png`, { Host: host }],
  [`${url}/api/transform?url=/v1/photos/photo.png&w=10`, { Host: host }],
  [`${url}/api/auto?path=v1/photos/photo`, { Host: host }],
  [`${url}/api/picture?path=v1/photos/photo.png`, { Host: host }],
  [`${url}/api/stream?path=v1/films/film.mp4`, { Host: host }],
]

const allShown = async (url: string): Promise<readonly Shown[]> =>
  await Promise.all(waysTo(url).map(async ([way, headers]) => await shown(way, headers)))

const sites = () => [service, edge]

/** Once every edge knows it. */
async function everywhere(status: number): Promise<void> {
  for (const { url } of sites())
    await until(async () => (await shown(`${url}/@~spring/${text}`)).status === status)
}

beforeAll(async () => {
  const directory = opening.use(await temporaryDirectory())
  const environment = {
    IDLE_WORK: 'none',
    LFS_ABOVE_MB: '1',
    PREVIEW_HOST: domain,
    ...(sharedPorts.isThere() && { EDGE_WORKERS: '1' }),
  }
  service = opening.use(
    await startService({ dataDirectory: join(directory.path, 'origin'), environment }),
  )
  const world = worldOf(service)
  await world.zone('acme')
  await world.put(photo, await image(30))
  await world.put(film, Bun.file('test/fixtures/media/regular.mp4'))
  await world.put(list, `#EXTM3U\n#EXT-X-VERSION:3\n#EXTINF:6,\nfilm.mp4\n#EXT-X-ENDLIST\n`)
  await world.put(text, 'of the preview')
  await world.put(page, '<a href="page.txt"><img src="/v1/photos/photo.png">')
  const made = await previews('POST', '', { Name: 'spring' })
  expect(made.status).toBe(201)
  expect(await made.json()).toMatchObject({
    Url: `${service.url}/@~spring/acme/v1/`,
    HostUrl: `http://${host}:${new URL(service.url).port}/`,
  })
  await world.put(photo, await image(50))
  await world.put(film, 'no film any more')
  await world.put(text, 'live')
  await world.put(page, 'live')
  edge = opening.use(
    await startEdge({
      origin: service.url,
      name: 'previews-1',
      token: await edgeTokenOf(service.url),
      directory: join(directory.path, 'edge'),
      environment: { PREVIEW_HOST: domain },
    }),
  )
}, limitMs)

afterAll(() => opening.disposeAsync())

test(
  'a preview is had in every way that what is live is had, at a service, its workers and an edge',
  async () => {
    await everywhere(200)
    for (const { url } of sites()) {
      expect(await allShown(url)).toEqual(waysTo(url).map(() => asPreview))
      expect(await widthOf(`${url}/@~spring/${photo}`)).toBe(30)
      expect(await widthOf(`${url}/api/transform?url=/@~spring/${photo}&format=webp`)).toBe(30)
      expect(await widthOf(`${url}/api/transform?url=/v1/photos/photo.png`, { Host: host })).toBe(
        30,
      )
      expect(await widthOf(`${url}/api/transform?url=/${photo}&format=webp`)).toBe(50)
      expect(await widthOf(`${url}/api/auto/@~spring/acme/v1/photos/photo`)).toBe(30)
      expect(await (await fetch(`${url}/${text}`)).text()).toBe('live')
      await streamed(`${url}/api/stream?path=@~spring/${film}`)
      const uploaded = await fetch(`${url}/api/stream?path=@~spring/${list}`)
      expect(await uploaded.text()).toContain(`/@~spring/acme/v1/films/film.mp4`)
    }
    if (!sharedPorts.isThere()) return
    const path = `/@~spring/${text}`
    for (const connection of (await connectToEach(service, 1)).values()) {
      expect((await connection.ask({ path })).body.toString()).toBe('of the preview')
      const at = await connection.ask({ path: '/v1/site/page.txt', headers: { Host: host } })
      expect(at.body.toString()).toBe('of the preview')
      const etag = at.headers.get('etag') ?? ''
      const unchanged = await connection.ask({ path, headers: { 'If-None-Match': etag } })
      expect(unchanged.status).toBe(304)
      connection[Symbol.dispose]()
    }
  },
  limitMs,
)

async function streamed(url: string): Promise<void> {
  const master = await fetch(url)
  const [, reference = ''] = /^([^#\s]\S*quality=\S+)$/mu.exec(await master.text()) ?? []
  expect(reference).toContain('%40~spring/')
  const media = await fetch(new URL(reference, url))
  expect(media.status).toBe(200)
  const [, segment = ''] = /^([^#\s]\S*segment=\S+)$/mu.exec(await media.text()) ?? []
  const part = await fetch(new URL(segment, url))
  expect([part.status, part.headers.get('cache-control')]).toEqual([200, fresh])
  expect((await part.bytes()).length).toBeGreaterThan(100)
}

test(
  'at the host name of a preview there is the preview, and nothing that takes a key',
  async () => {
    for (const { url } of sites()) {
      const at = async (path: string, name = host) =>
        (await shown(url + path, { Host: name })).status
      expect(await at('/acme/v1/site/page.txt')).toBe(200)
      for (const path of [
        '/',
        '/dashboard/',
        '/docs/',
        '/s3/acme/a.png',
        '/git/info/refs?service=git-upload-pack',
        '/api/storage/acme/v1/site/page.txt',
        '/api/core/zones',
        '/api/health/../core/zones',
        `/@~other/${text}`,
      ])
        expect([path, await at(path)]).toEqual([path, 404])
      expect(await at('/v1/site/page.txt', `none--acme.${domain}`)).toBe(404)
      expect(await at('/v1/site/page.txt', `spring.${domain}`)).toBe(404)
      expect(await at('/v1/site/page.txt', `${'a'.repeat(62)}--acme.${domain}`)).toBe(404)
      expect(
        (await shown(`${url}/api/transform?url=/@~other/${photo}`, { Host: host })).status,
      ).toBe(404)
    }
    const allowed = async (name: string) =>
      (await fetch(`${service.url}/api/core/domains/allowed?domain=${name}`)).status
    expect(await allowed(host)).toBe(200)
    expect(await allowed(`none--acme.${domain}`)).toBe(404)
    const claimed = await fetch(`${service.url}/api/core/zones/acme/domains`, {
      method: 'POST',
      headers: account,
      body: JSON.stringify({ Hostname: `winter--acme.${domain}` }),
    })
    expect(claimed.ok).toBe(false)
  },
  limitMs,
)

test('a page of a preview finds what it names, from where it is and from the root', async () => {
  for (const { url } of sites()) {
    const below = `${url}/@~spring/${page}`
    const shownPage = await (await fetch(below)).text()
    const [, near = '', root = ''] = /href="([^"]+)"[^]*src="([^"]+)"/u.exec(shownPage) ?? []
    expect([near, root]).toEqual(['page.txt', '/v1/photos/photo.png'])
    expect(await (await fetch(new URL(near, below))).text()).toBe('of the preview')
    const headers = { Host: host }
    const at = new URL('/v1/site/page.html', url)
    expect((await shown(at.href, headers)).status).toBe(200)
    const beside = await fetch(new URL(near, at), { headers })
    expect(await beside.text()).toBe('of the preview')
    expect(await widthOf(new URL(root, at).href, headers)).toBe(30)
  }
})

test('names that are none of a preview are refused as what they are', async () => {
  for (const { url } of sites()) {
    const status = async (path: string) => (await shown(url + path)).status
    const named = (name: string) => `/api/transform?url=${encodeURIComponent(`/@${name}/${photo}`)}`
    expect(await status(named('~none'))).toBe(404)
    for (const name of ['~', '~..', '~Spring', `~${'a'.repeat(3_000)}`, '~spring~', '~spr--ing'])
      expect([name, await status(named(name))]).toEqual([name, 400])
    expect(await status(`/api/auto?path=@~/acme/v1/photos/photo`)).toBe(400)
    expect(await status(`/api/stream?path=@~none/${film}`)).toBe(404)
    expect(await status(`/@~${'a'.repeat(10_000)}/${text}`)).toBe(404)
    expect(await status(`/@~spring/../@~spring/${text}`)).toBe(200)
  }
})

/** Stores or deletes a file of the preview; answers the commit that it shows then. */
async function change(method: 'PUT' | 'DELETE', path: string, more: RequestInit = {}) {
  const headers = { ...access, 'Sedge-Preview': 'spring', ...(more.headers as object) }
  const response = await fetch(`${service.url}/api/storage/${path}`, { ...more, method, headers })
  expect(response.ok).toBe(true)
  const told = (await (await previews('GET', '/spring')).json()) as { readonly Head: string }
  return told.Head
}

/** How long it takes until each process shows it. */
async function seenEverywhere(isShown: (url: string, headers: object) => Promise<boolean>) {
  const start = performance.now()
  await Promise.all(
    sites().flatMap(({ url }) =>
      // A connection of its own each time: some lead to the worker.
      [{}, {}, {}, {}].map(() => until(() => isShown(url, { Connection: 'close' }))),
    ),
  )
  return performance.now() - start
}

test(
  'what is written to a preview is seen at once, and by nobody else',
  async () => {
    const bodyOf = async (url: string, headers: object) =>
      await (await fetch(url, { headers: headers as Record<string, string> })).text()
    const delays: number[] = []
    for (const edition of ['second', 'third', 'fourth']) {
      await change('PUT', text, { body: edition })
      delays.push(
        await seenEverywhere(
          async (url, headers) => (await bodyOf(`${url}/@~spring/${text}`, headers)) === edition,
        ),
      )
    }
    expect(Math.max(...delays)).toBeLessThan(2_000)
    const type = { 'Content-Type': 'application/x-odd' }
    const head = await change('PUT', 'acme/v1/site/odd.bin', { body: 'odd', headers: type })
    await change('PUT', photo, { body: await image(70) })
    const large = 'acme/v1/films/large.bin'
    await change('PUT', large, { body: `${'x'.repeat(1_500_000)}end` })
    for (const { url } of sites()) {
      await until(async () => (await widthOf(`${url}/@~spring/${photo}`)) === 70)
      expect(await widthOf(`${url}/api/transform?url=/@~spring/${photo}&format=webp`)).toBe(70)
      expect(await widthOf(`${url}/api/auto/@~spring/acme/v1/photos/photo`)).toBe(70)
      expect(await widthOf(`${url}/api/transform?url=/${photo}&format=webp`)).toBe(50)
      const odd = await fetch(`${url}/@~spring/acme/v1/site/odd.bin`)
      expect(odd.headers.get('content-type')).toBe('application/x-odd')
      const end = await fetch(`${url}/@~spring/${large}`, { headers: { Range: 'bytes=-3' } })
      expect([end.status, await end.text()]).toEqual([206, 'end'])
      expect((await shown(`${url}/${large}`)).status).toBe(404)
      expect(await (await fetch(`${url}/${text}`)).text()).toBe('live')
    }
    await worldOf(service).client.updateZone({ id: 'acme', body: { History: 'public' } })
    for (const { url } of sites())
      for (const named of [head, head.slice(0, 9)])
        for (const path of [text, 'acme/v1/site/odd.bin'])
          expect((await shown(`${url}/@${named}/${path}`)).status).toBe(404)
    await worldOf(service).client.updateZone({ id: 'acme', body: { History: 'off' } })
    await change('DELETE', text)
    await everywhere(404)
    await change('PUT', text, { body: 'again' })
    await everywhere(200)
  },
  limitMs,
)

test(
  'a preview is shown by an edge while the service is away, as far as it was asked for',
  async () => {
    await using directory = await temporaryDirectory()
    const away = await startService({ dataDirectory: join(directory.path, 'origin') })
    await worldOf(away).zone('acme')
    await worldOf(away).put(text, 'shown')
    await worldOf(away).client.createPreview({ id: 'acme', body: { Name: 'spring' } })
    const options = {
      origin: away.url,
      name: 'previews-2',
      token: await edgeTokenOf(away.url),
      directory: join(directory.path, 'edge'),
    }
    const first = await startEdge(options)
    const asked = async (url: string, path = text) =>
      (await shown(`${url}/@~spring/${path}`)).status
    await until(async () => (await asked(first.url)) === 200)
    await away.kill()
    expect(await asked(first.url)).toBe(200)
    await first.stop()
    await using again = await startEdge(options)

    expect(await asked(again.url)).toBe(200)
    expect(await asked(again.url, 'acme/v1/site/other.txt')).toBe(503)
    expect((await shown(`${again.url}/@~none/${text}`)).status).toBe(404)
  },
  limitMs,
)

test(
  'a signed preview is shown to whoever has a signature for it',
  async () => {
    expect((await previews('PATCH', '/spring', { Signed: true })).status).toBe(200)
    await everywhere(404)
    for (const { url } of sites()) {
      expect((await allShown(url)).map(({ status }) => status)).toEqual(waysTo(url).map(() => 404))
      const opened = await shown(`${url}/api/signed?${signed(`@~spring/${photo}`)}`)
      expect(opened).toMatchObject({ status: 200, caching: 'private' })
      expect((await shown(`${url}/api/stream?${signed(`@~spring/${film}`)}`)).status).toBe(200)
      // What is signed is the live file.
      for (const path of [film, 'v1/films/film.mp4'])
        expect((await shown(`${url}/api/stream?${signed(path)}`, { Host: host })).status).toBe(404)
    }
    const sign = await fetch(`${service.url}/api/assets/sign`, {
      method: 'POST',
      headers: { AccessKey: testKeys.ACCESS_KEY },
      body: JSON.stringify({ path: `@~spring/${photo}`, transform: { w: 10 } }),
    })
    const { Url } = (await sign.json()) as { readonly Url: string }
    expect(await widthOf(Url)).toBe(10)
    expect((await previews('PATCH', '/spring', { Signed: false })).status).toBe(200)
    await everywhere(200)
  },
  limitMs,
)

test(
  'a preview that is removed is shown nowhere any more',
  async () => {
    expect((await previews('DELETE', '/spring')).ok).toBe(true)
    await everywhere(404)
    for (const { url } of sites())
      expect((await allShown(url)).map(({ status }) => status)).toEqual(waysTo(url).map(() => 404))
  },
  limitMs,
)
