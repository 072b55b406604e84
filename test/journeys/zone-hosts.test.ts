import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'

import { sampleVideo } from '../fixtures/media/sample-videos.ts'
import { ask } from '../fixtures/raw-request.ts'
import { type LocalService, openLocalService } from '../support/local-service.ts'
import { access, account, temporaryDirectory } from '../support/service-process.ts'

const opened = new AsyncDisposableStack()
const imageHost = 'img.acme.example'
let service: LocalService

const svg = (color: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8" fill="${color}"/></svg>`

async function core(path: string, method: string, body?: object): Promise<number> {
  const { status } = await fetch(`${service.url}/api/core/${path}`, {
    method,
    headers: account,
    ...(body && { body: JSON.stringify(body) }),
  })
  return status
}

const put = (path: string, body: BodyInit) =>
  fetch(`${service.url}/api/storage/${path}`, { method: 'PUT', headers: access, body })

beforeAll(async () => {
  const directory = opened.use(await temporaryDirectory())
  const dataDirectory = join(directory.path, 'data')
  const environment = { BASE_URL: 'http://localhost:8788' }
  service = opened.use(await openLocalService({ dataDirectory, environment }))
  for (const [zone, color] of [
    ['acme', 'red'],
    ['bolt', 'blue'],
  ] as const) {
    await core('zones', 'POST', { Name: zone })
    await put(`${zone}/v1/icons/s.svg`, svg(color))
    await put(`${zone}/v1/titles/f.mp4`, Uint8Array.from(await sampleVideo('regular')))
  }
  await core('zones/acme/domains', 'POST', { Hostname: imageHost })
}, 60_000)
afterAll(() => opened.disposeAsync())

const statusAt = async (host: string, path: string) =>
  (await ask(service.port, `GET ${path} HTTP/1.1`, `Host: ${host}`)).status

const transform = (url: string) => `/api/transform?url=${encodeURIComponent(url)}&w=4&format=png`

test.each([
  ['a path as the host names it', transform('/v1/icons/s.svg')],
  ['a path as every host names it', transform('/acme/v1/icons/s.svg')],
  ['its own address', transform(`https://${imageHost}/v1/icons/s.svg`)],
  ['a picture without its extension', '/api/auto?path=v1/icons/s'],
  ['the same with the path in the address', '/api/auto/v1/icons/s'],
  ['a film', '/api/stream?path=v1/titles/f.mp4'],
])('on a zone’s own host its files are named as they are delivered there: %s', async (...row) => {
  expect(await statusAt(imageHost, row[1])).toBe(200)
})

test.each([
  ['a picture of a path', transform('/bolt/v1/icons/s.svg')],
  ['a picture of an address', transform('http://localhost/bolt/v1/icons/s.svg')],
  ['a picture without its extension', '/api/auto?path=bolt/v1/icons/s'],
  ['a film', '/api/stream?path=bolt/v1/titles/f.mp4'],
])('on a zone’s own host nothing of another zone is shown: %s', async (...row) => {
  expect(await statusAt('localhost', row[1])).toBe(200)
  expect(await statusAt(imageHost, row[1])).toBe(404)
})

test('a URL on a zone’s own host names that zone’s files alone', async () => {
  expect(await statusAt('localhost', transform(`https://${imageHost}/acme/v1/icons/s.svg`))).toBe(
    200,
  )
  expect(await statusAt('localhost', transform(`https://${imageHost}/bolt/v1/icons/s.svg`))).toBe(
    400,
  )
})

test('what rules answer 404, 410 or 451 for is not to be had as an image or a video either', async () => {
  const made = [
    transform('/acme/v1/icons/hidden.svg'),
    '/api/auto?path=acme/v1/icons/hidden',
    '/api/stream?path=acme/v1/titles/hidden.mp4',
  ]
  await put('acme/v1/icons/hidden.svg', svg('black'))
  await put('acme/v1/titles/hidden.mp4', Uint8Array.from(await sampleVideo('regular')))
  const rules = (content: string) => core('rules', 'POST', { File: '_redirects', Content: content })
  for (const path of made) expect(await statusAt('localhost', path)).toBe(200)
  for (const status of [404, 410, 451]) {
    await rules(
      `/acme/v1/icons/hidden.svg /acme/v1/icons/s.svg ${status}\n/acme/v1/titles/h* /acme/v1/icons/s.svg ${status}\n`,
    )
    for (const path of made) expect([path, await statusAt('localhost', path)]).toEqual([path, 404])
    expect(await statusAt(imageHost, transform('/v1/icons/hidden.svg'))).toBe(404)
  }
  await rules('')
  for (const path of made) expect(await statusAt('localhost', path)).toBe(200)
}, 60_000)

test('an image named by a host name follows it to another zone at once', async () => {
  const moved = 'moved.example'
  const colorOf = async () => {
    const response = await ask(
      service.port,
      `GET ${transform(`https://${moved}/v1/icons/s.svg`)} HTTP/1.1`,
      'Host: localhost',
    )
    return [response.status, Bun.hash(response.body)]
  }
  const ofZone = async (zone: string) => {
    const response = await ask(
      service.port,
      `GET ${transform(`/${zone}/v1/icons/s.svg`)} HTTP/1.1`,
      'Host: localhost',
    )
    return [200, Bun.hash(response.body)]
  }
  expect(await ofZone('acme')).not.toEqual(await ofZone('bolt'))
  await core('zones/acme/domains', 'POST', { Hostname: moved })
  expect(await colorOf()).toEqual(await ofZone('acme'))
  expect(await colorOf()).toEqual(await ofZone('acme'))
  expect(await core(`zones/acme/domains/${moved}`, 'DELETE')).toBe(200)
  expect((await colorOf())[0]).toBe(400)
  await core('zones/bolt/domains', 'POST', { Hostname: moved })
  expect(await colorOf()).toEqual(await ofZone('bolt'))
}, 60_000)

test('what was asked for at a host name is not there once the name is no zone’s', async () => {
  const gone = 'gone.example'
  const paths = [
    transform('/v1/icons/s.svg'),
    '/api/auto?path=v1/icons/s',
    '/v1/icons/s.svg/small.webp',
  ]
  await core('rules', 'POST', { File: '_transforms', Content: 'small w=4\n' })
  await core('zones/acme/domains', 'POST', { Hostname: gone })
  for (const path of paths)
    for (let round = 0; round < 3; round += 1)
      expect([path, await statusAt(gone, path)]).toEqual([path, 200])
  expect(await core(`zones/acme/domains/${gone}`, 'DELETE')).toBe(200)
  for (const path of paths) expect([path, await statusAt(gone, path)]).toEqual([path, 404])
}, 60_000)
