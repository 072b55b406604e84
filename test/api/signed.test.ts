import { afterAll, beforeAll, expect, test } from 'bun:test'
import sharp from 'sharp'

import { countedText, plainText, sign, signedExtras } from '../../src/domain/access/signed-url.ts'
import { sampleVideo } from '../fixtures/media/sample-videos.ts'
import { painted, quarters } from '../fixtures/sample-images.ts'
import { type InProcessService, openInProcess } from '../support/in-process-service.ts'
import { access, testKeys } from '../support/service-process.ts'

const image = 'acme/v1/private/a.png'
const svg = 'acme/v1/private/a.svg'
const active =
  '<svg xmlns="http://www.w3.org/2000/svg" onload="x()"><rect width="1" height="1"/></svg>'
let service: InProcessService

beforeAll(async () => {
  service = await openInProcess()
  await service.createZone('acme')
  const shape = { width: 40, height: 20 }
  const body = await painted(shape, quarters(shape)).png().toBuffer()
  await service.storage('PUT', image, { body: new Uint8Array(body) })
  await service.storage('PUT', svg, { body: active })
})

afterAll(() => service[Symbol.asyncDispose]())

const expires = String(Math.floor(Date.now() / 1000) + 600)
type Extras = readonly (readonly [string, string])[]

/** The address of `path` with `extras`, signed; `added` comes after the signing. */
function urlOf(path: string, extras: Extras = [], added: Extras = []): string {
  const sig = sign(plainText(path, expires) + signedExtras(extras), testKeys.SIGNED_URL_SECRET)
  return `/api/signed?${new URLSearchParams([['path', path], ['expires', expires], ['sig', sig], ...extras, ...added].map(([name, value]) => [name ?? '', value ?? '']))}`
}

test('a signed address opens a private file, in each spelling of its path and either form of the text', async () => {
  expect((await service.fetch(`/${image}`)).status).toBe(404)
  for (const path of [image, `clients/${image}`, `/clients/${image}`]) {
    const answer = await service.fetch(urlOf(path))
    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-signed-url')).toBe('verified')
    expect(answer.headers.get('cache-control')).toBe('private')
  }
  const sig = sign(countedText(image, expires), testKeys.SIGNED_URL_SECRET)
  const counted = `/api/signed?path=${image}&expires=${expires}&sig=${sig}`
  expect((await service.fetch(counted)).status).toBe(200)
})

test('transform parameters that are signed with it make an image of it, private all the same', async () => {
  const answer = await service.fetch(
    urlOf(image, [
      ['t.w', '10'],
      ['t.format', 'webp'],
    ]),
  )
  const header = await sharp(await answer.arrayBuffer()).metadata()

  expect(answer.status).toBe(200)
  expect([header.format, header.width, header.height]).toEqual(['webp', 10, 5])
  expect(answer.headers.get('x-signed-url')).toBe('verified')
  expect(answer.headers.get('cache-control')).toBe('private')
})

test('a parameter that was not signed, or was changed, is refused', async () => {
  expect((await service.fetch(urlOf(image, [], [['t.w', '10']]))).status).toBe(403)
  const changed = urlOf(image, [['t.w', '10']]).replace('t.w=10', 't.w=11')
  expect((await service.fetch(changed)).status).toBe(403)
})

test('a signed parameter out of its range is 400 and named as it was sent', async () => {
  const answer = await service.fetch(urlOf(image, [['t.w', '0']]))
  const body = await answer.json()
  expect(answer.status).toBe(400)
  expect(body).toMatchObject({ target: 't.w', HttpCode: 400 })
  expect(body.error).toStartWith('t.w must be an integer from 1 to 8192')
})

test('a signed parameter that is none of a transform leaves the file as it is', async () => {
  const answer = await service.fetch(urlOf(image, [['t.campaign', 'x']]))
  expect(answer.headers.get('content-type')).toBe('image/png')
  expect((await sharp(await answer.arrayBuffer()).metadata()).width).toBe(40)
})

test('rules that ask for SVGs to be sanitised hold for other addresses of theirs too', async () => {
  await service.storage('PUT', 'acme/v1/icons/b.svg', { body: active })
  const auto = { headers: { Accept: 'image/svg+xml' } }
  expect(await (await service.fetch(urlOf(svg))).text()).toBe(active)
  const Content = '/acme/v1/*\n  X-Sanitize: svg'
  await service.core('POST', 'rules', { File: '_headers', Content })

  for (const answer of [
    await service.fetch(urlOf(svg)),
    await service.fetch('/api/auto?path=acme/v1/icons/b', auto),
  ]) {
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
    const text = await answer.text()
    expect(text).toContain('<rect')
    expect(text).not.toContain('onload')
  }
})

test('an image that is not the one a precondition names is 412', async () => {
  const url = urlOf(image, [['t.w', '10']])
  const answer = await service.fetch(url, { headers: { 'If-Match': '"other"' } })
  expect(answer.status).toBe(412)
})

const askToSign = async (body: unknown, headers: Readonly<Record<string, string>> = access) => {
  const init = { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' } }
  const answer = await service.fetch('/api/assets/sign', { ...init, body: JSON.stringify(body) })
  return { status: answer.status, body: await answer.json() }
}
const pathOf = (url: string) => url.slice(new URL(url).origin.length)

test('who may read a file may have an address of it signed, without the secret', async () => {
  const signed = await askToSign({ path: `/clients/${image}`, expiresInSeconds: 60 })
  expect(signed).toMatchObject({
    status: 200,
    body: { HttpCode: 200, Message: 'Signed', Path: image, StreamUrl: null },
  })
  const ahead = Date.parse(signed.body.ExpiresAt) - Date.now()
  expect(ahead).toBeGreaterThan(50_000)
  expect(ahead).toBeLessThanOrEqual(60_000)
  const answer = await service.fetch(pathOf(signed.body.Url))
  expect([answer.status, answer.headers.get('x-signed-url')]).toEqual([200, 'verified'])

  const small = await askToSign({ path: image, transform: { w: 10, format: 'webp' } })
  const header = await sharp(await (await service.fetch(pathOf(small.body.Url))).bytes()).metadata()
  expect([header.format, header.width]).toEqual(['webp', 10])
})

test('a video is signed for streaming as well', async () => {
  const path = 'acme/v1/private/film.mp4'
  await service.storage('PUT', path, { body: await sampleVideo('regular') })
  const { body } = await askToSign({ path })
  const list = await service.fetch(pathOf(body.StreamUrl))

  expect(list.headers.get('content-type')).toBe('application/vnd.apple.mpegurl')
  expect(list.headers.get('x-signed-url')).toBe('verified')
})

test.each([
  ['no path', {}, 400],
  ['a file that is not there', { path: 'acme/v1/private/none.png' }, 404],
  ['no time at all', { path: image, expiresInSeconds: 0 }, 400],
  ['more than seven days', { path: image, expiresInSeconds: 604_801 }, 400],
  ['a transform that no address may ask for', { path: image, transform: { w: 9000 } }, 400],
  ['a parameter that is none', { path: image, transform: { rotation: 90 } }, 400],
])('%s is not signed', async (_what, body, status) => {
  expect((await askToSign(body)).status).toBe(status)
})

test('a token signs only what it may read', async () => {
  const tokenFor = async (scopes: readonly string[], zones?: readonly string[]) => {
    const made = await service.core('POST', '../tokens', { name: 'signer', scopes, zones })
    return { Authorization: `Bearer ${(await made.json()).token}` }
  }
  await service.createZone('elsewhere')

  const reader = await tokenFor(['storage:read'], ['acme'])
  expect((await askToSign({ path: image }, reader)).status).toBe(200)
  const listing = await tokenFor(['assets:read'], ['acme'])
  expect((await askToSign({ path: image }, listing)).status).toBe(403)
  const neighbour = await tokenFor(['storage:read'], ['elsewhere'])
  expect((await askToSign({ path: image }, neighbour)).status).toBe(404)
})

test('metadata says what is private, and names addresses that lack the signature alone', async () => {
  const metadata = async (path: string) =>
    (await service.fetch(`/api/assets/metadata?path=${path}`, { headers: access })).json()
  await service.storage('PUT', 'acme/v1/logos/open.svg', { body: '<svg/>' })
  const closed = await metadata(image)

  expect(closed).toMatchObject({ Private: true })
  for (const url of [closed.CdnUrl, closed.TransformUrl]) {
    expect(pathOf(url)).toStartWith(`/api/signed?path=${image}`)
    expect((await service.fetch(pathOf(url))).status).toBe(403)
  }
  const open = await metadata('acme/v1/logos/open.svg')
  expect(open).toMatchObject({ Private: false })
  expect((await service.fetch(pathOf(open.CdnUrl))).status).toBe(200)
})
