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
} from '../support/service-process.ts'
import { until } from '../support/until.ts'

const yearLong = 'public, max-age=31536000, immutable'
const limitMs = 120_000
const photo = 'acme/v1/photos/photo.png'
const film = 'acme/v1/films/film.mp4'
const list = 'acme/v1/films/list.m3u8'

const opening = new AsyncDisposableStack()
let service: ServiceProcess
let edge: EdgeProcess
let first: string

const image = async (width: number) =>
  new Uint8Array(
    await sharp({ create: { width, height: 20, channels: 3, background: '#246' } })
      .png()
      .toBuffer(),
  )

async function put(path: string, body: BodyInit): Promise<void> {
  const init = { method: 'PUT', headers: access, body }
  expect((await fetch(`${service.url}/api/storage/${path}`, init)).status).toBe(201)
}

async function newest(): Promise<string> {
  const url = `${service.url}/api/core/zones/acme/history?limit=1`
  const { Commits } = (await (await fetch(url, { headers: account })).json()) as {
    readonly Commits: readonly { readonly Commit: string }[]
  }
  return Commits[0]?.Commit ?? ''
}

async function open(History: string): Promise<void> {
  const init = { method: 'PATCH', headers: account, body: JSON.stringify({ History }) }
  expect((await fetch(`${service.url}/api/core/zones/acme`, init)).status).toBe(200)
  const statusAt = async ({ url }: { readonly url: string }) =>
    (await fetch(`${url}/@${first}/${photo}`)).status
  await until(async () => (await statusAt(edge)) === (await statusAt(service)))
}

async function sizeOf(response: Response) {
  expect(response.status).toBe(200)
  const { width } = await sharp(Buffer.from(await response.arrayBuffer())).metadata()
  return { width, caching: response.headers.get('cache-control') }
}

beforeAll(async () => {
  const directory = opening.use(await temporaryDirectory())
  service = opening.use(
    await startService({
      dataDirectory: join(directory.path, 'origin'),
      environment: { IDLE_WORK: 'none' },
    }),
  )
  const zone = { method: 'POST', headers: account, body: '{"Name":"acme"}' }
  await fetch(`${service.url}/api/core/zones`, zone)
  await put(photo, await image(30))
  await put(film, Bun.file('test/fixtures/media/regular.mp4'))
  await put(list, `#EXTM3U\n#EXT-X-VERSION:3\n#EXTINF:6,\nfilm.mp4\n#EXT-X-ENDLIST\n`)
  first = await newest()
  await put(photo, await image(50))
  await put(film, 'no film any more')
  await put(list, '#EXTM3U\n#EXT-X-ENDLIST\n')
  edge = opening.use(
    await startEdge({
      origin: service.url,
      name: 'pinned-1',
      token: await edgeTokenOf(service.url),
      directory: join(directory.path, 'edge'),
    }),
  )
}, limitMs)

afterAll(() => opening.disposeAsync())

test(
  'a transform, a negotiated image and a stream of a former commit are made of what it had',
  async () => {
    await open('public')
    for (const { url } of [service, edge]) {
      const named = encodeURIComponent(`/@${first}/${photo}`)
      const pinned = await fetch(`${url}/api/transform?url=${named}&format=webp`)
      expect(await sizeOf(pinned)).toEqual({ width: 30, caching: yearLong })
      const live = await fetch(`${url}/api/transform?url=/${photo}&format=webp`)
      expect((await sizeOf(live)).width).toBe(50)
      const stem = `@${first.slice(0, 9)}/acme/v1/photos/photo`
      expect(await sizeOf(await fetch(`${url}/api/auto?path=${stem}`))).toEqual({
        width: 30,
        caching: yearLong,
      })
      expect((await sizeOf(await fetch(`${url}/api/auto/acme/v1/photos/photo`))).width).toBe(50)
      const plain = await fetch(`${url}/@${first}/${photo}`)
      expect(await sizeOf(plain)).toEqual({ width: 30, caching: yearLong })
      await streamed(url)
    }
  },
  limitMs,
)

async function streamed(url: string): Promise<void> {
  const master = await fetch(`${url}/api/stream?path=@${first}/${film}`)
  expect(master.status).toBe(200)
  expect(master.headers.get('cache-control')).toBe(yearLong)
  const [, reference = ''] = /^([^#\s]\S*quality=\S+)$/mu.exec(await master.text()) ?? []
  expect(reference).toContain(`%40${first}/`)
  const media = await fetch(new URL(reference, `${url}/api/stream`))
  expect(media.status).toBe(200)
  const [, segment = ''] = /^([^#\s]\S*segment=\S+)$/mu.exec(await media.text()) ?? []
  const part = await fetch(new URL(segment, `${url}/api/stream`))
  expect([part.status, part.headers.get('cache-control')]).toEqual([200, yearLong])
  expect((await part.bytes()).length).toBeGreaterThan(100)
  const uploaded = await fetch(`${url}/api/stream?path=@${first}/${list}`)
  expect(await uploaded.text()).toContain(`/@${first}/acme/v1/films/film.mp4`)
  expect((await fetch(`${url}/api/stream?path=${film}`)).status).toBe(422)
}

test(
  'with a signed history a former file is had with a signature alone',
  async () => {
    await open('signed')
    const init = {
      method: 'POST',
      headers: access,
      body: JSON.stringify({ path: `@${first}/${photo}`, transform: { w: 10 } }),
    }
    const made = await fetch(`${service.url}/api/assets/sign`, init)
    const { Url, Path } = (await made.json()) as { readonly Url: string; readonly Path: string }
    expect(Path).toBe(`@${first}/${photo}`)
    for (const { url } of [service, edge]) {
      const signed = new URL(Url)
      const response = await fetch(url + signed.pathname + signed.search)
      expect((await sizeOf(response)).width).toBe(10)
      signed.searchParams.set('path', `@${first.slice(0, 8)}/${photo}`)
      expect((await fetch(url + signed.pathname + signed.search)).status).toBe(403)
      expect((await fetch(`${url}/@${first}/${photo}`)).status).toBe(404)
      const named = encodeURIComponent(`/@${first}/${photo}`)
      expect((await fetch(`${url}/api/transform?url=${named}`)).status).toBe(404)
      expect((await fetch(`${url}/api/stream?path=@${first}/${film}`)).status).toBe(404)
    }
    await open('off')
    expect((await fetch(Url)).status).toBe(404)
  },
  limitMs,
)

test(
  'an edge tells a moment, an ambiguous name and what is not there as its origin does',
  async () => {
    await open('public')
    for (const { url } of [service, edge]) {
      const moved = await fetch(`${url}/${photo}?at=2100-01-01T00:00:00Z`, { redirect: 'manual' })
      expect(moved.headers.get('location')).toMatch(/^\/@[0-9a-f]{40}\/acme/u)
      expect((await fetch(`${url}/${photo}?at=2001-01-01T00:00:00Z`)).status).toBe(404)
      expect((await fetch(`${url}/@${'e'.repeat(40)}/${photo}`)).status).toBe(404)
      expect((await fetch(`${url}/@${first}/acme/v1/photos/never.png`)).status).toBe(404)
      const named = encodeURIComponent(`/@zzzzzzz/${photo}`)
      expect((await fetch(`${url}/api/transform?url=${named}`)).status).toBe(400)
    }
  },
  limitMs,
)

test(
  'a page that is pinned to one commit loads whole while a hundred others are published',
  async () => {
    await open('public')
    const paths = Array.from({ length: 20 }, (_, index) => `acme/v1/page/part-${index}.txt`)
    for (const path of paths) await put(path, `${path} of the first edition`)
    const edition = await newest()
    const statuses: string[] = []
    async function loadPages(): Promise<void> {
      for (const { url } of [service, edge, service, edge])
        for (const path of paths) {
          const response = await fetch(`${url}/@${edition}/${path}`)
          statuses.push(
            `${response.status} ${(await response.text()) === `${path} of the first edition`}`,
          )
        }
    }
    async function publish(): Promise<void> {
      for (let edit = 0; edit < 100; edit += 1)
        await put(paths[edit % paths.length] ?? photo, `edit ${edit}`)
    }
    await Promise.all([loadPages(), publish()])

    expect(new Set(statuses)).toEqual(new Set(['200 true']))
    expect(statuses).toHaveLength(80)
  },
  limitMs,
)
