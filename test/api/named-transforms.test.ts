import { afterAll, beforeAll, expect, test } from 'bun:test'
import sharp from 'sharp'

import { plainText, sign, signedExtras } from '../../src/domain/access/signed-url.ts'
import { type InProcessService, openInProcess } from '../support/in-process-service.ts'
import { account, testKeys } from '../support/service-process.ts'

let service: InProcessService

const path = 'acme/v1/icons/white.png'

beforeAll(async () => {
  service = await openInProcess()
  await service.createZone('acme')
  await service.createZone('other')
  const body = await plain('white', 100, 80)
  for (const each of [path, 'other/v1/icons/white.png', 'acme/v1/private/white.png'])
    await service.storage('PUT', each, { body })
  await service.storage('PUT', 'acme/v1/icons/mark.png', { body: await plain('red', 40, 40) })
}, 30_000)

afterAll(() => service[Symbol.asyncDispose]())

const plain = (background: string, width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer()

const write = (content: string, more: object = {}) =>
  service.core('POST', 'rules', { File: '_transforms', Content: content, ...more })

const writeSurely = async (content: string, more: object = {}) =>
  expect([content, (await write(content, more)).status]).toEqual([content, 200])

async function seen(url: string, init?: RequestInit) {
  const response = await service.fetch(url, init)
  if (!response.ok) return response.status
  const { width, height, format } = await sharp(await response.bytes()).metadata()
  return `${width}x${height} ${format === 'heif' ? 'avif' : format}`
}

const made = (query: string, of = path) => seen(`/api/transform?url=/${of}&${query}`)

test('a name stands for its parameters, in the query and at the end of the path', async () => {
  await writeSurely('card  w=40 h=30 fit=cover overlay=/acme/v1/icons/mark.png@southeast,20\n')

  expect(await made('t=card&format=png')).toBe('40x30 png')
  expect(await seen(`/${path}/card.avif`)).toBe('40x30 avif')
  expect(await seen(`/${path}/card.webp?h=10`)).toBe('40x10 webp')
  expect(await made('t=card&w=20&format=png')).toBe('20x30 png')
  const [byName, whole] = await Promise.all(
    [
      `/${path}/card.png`,
      `/api/transform?url=/${path}&w=40&h=30&fit=cover&format=png&overlay=/acme/v1/icons/mark.png@southeast,20`,
    ].map(async (url) => (await service.fetch(url)).headers.get('etag')),
  )
  expect(byName).toBe(whole ?? '')
  const head = await service.fetch(`/${path}/card.png`, { method: 'HEAD' })
  expect([head.status, head.headers.get('content-type')]).toEqual([200, 'image/png'])
  const known = { headers: { 'If-None-Match': byName ?? '' } }
  expect((await service.fetch(`/${path}/card.png`, known)).status).toBe(304)
})

test('what a name means changes what its URL gives, at once', async () => {
  await writeSurely('small w=20\n')
  expect(await made('t=small&format=png')).toBe('20x16 png')
  expect(await seen(`/${path}/small.png`)).toBe('20x16 png')
  await writeSurely('small w=10\n')

  expect(await made('t=small&format=png')).toBe('10x8 png')
  expect(await seen(`/${path}/small.png`)).toBe('10x8 png')
})

test('a URL by a name is compared again, even where it names the bytes or a commit', async () => {
  await writeSurely('small w=20\n')
  await service.core('PATCH', 'zones/acme', { History: 'public' })
  const file = await service.fetch(`/${path}`)
  const v = (file.headers.get('etag') ?? '').replaceAll(/[^0-9a-f]/gu, '').slice(0, 16)
  const { Commit: commit } = await (await write('small w=20\n')).json()
  await service.storage('PUT', path, { body: await plain('black', 50, 50) })
  for (const url of [
    `/@${commit}/${path}/small.png`,
    `/api/transform?url=/@${commit}/${path}&t=small`,
  ]) {
    const response = await service.fetch(url)
    expect([url, response.status]).toEqual([url, 200])
    expect(response.headers.get('cache-control')).toBe(
      'public, max-age=60, stale-while-revalidate=600',
    )
  }
  expect(await seen(`/@${commit}/${path}/small.png`)).toBe('20x16 png')
  await service.storage('PUT', path, { body: await plain('white', 100, 80) })
  const pinned = await service.fetch(`/${path}/small.png?v=${v}`)
  expect([pinned.status, pinned.headers.get('cache-control')]).toEqual([
    200,
    'public, max-age=60, stale-while-revalidate=600',
  ])
  expect(await seen(`/${path}/small.png?v=00000000`)).toBe(404)
})

test('nobody has by a name what they may not have anyway', async () => {
  await writeSurely('small w=20\n')

  expect(await seen('/acme/v1/private/white.png/small.png')).toBe(404)
  expect(await seen('/acme/v1/icons/none.png/small.png')).toBe(404)
  expect(await seen(`/${path}/none.png`)).toBe(404)
  expect(await seen(`/${path}/small.css`)).toBe(404)
  expect(await seen(`/${path}/small.png?url=/acme/v1/icons/mark.png`)).toBe('20x16 png')
  expect(await seen(`/${path}/small.png?t=card`)).toBe(400)
  expect(await made('t=none')).toBe(400)
  expect(await seen(`/${path}/small.png`, { method: 'PUT' })).not.toBe(200)
})

test('lines that mean nothing are refused by their numbers, and a dry run changes nothing', async () => {
  await writeSurely('small w=20\n')
  const refused = await write('ok w=1\nbad w=x\n\nself t=self\n')
  const { error } = await refused.json()

  expect(refused.status).toBe(400)
  expect(error.details.map((each: { target: string }) => each.target)).toEqual(['2', '4'])
  expect(await (await write('small w=99\n', { DryRun: true })).json()).toMatchObject({
    DryRun: true,
    Commit: '',
  })
  expect(await (await service.core('GET', 'rules?file=_transforms')).json()).toMatchObject({
    Transforms: 'small w=20\n',
    Content: 'small w=20\n',
  })
  expect(await seen('/_transforms')).toBe(404)
})

test('a zone has names of its own, on its own images alone', async () => {
  await writeSurely('small w=20\n')
  await writeSurely('small w=30\nown w=5\n', { Zone: 'acme' })

  expect(await made('t=small&format=png')).toBe('30x24 png')
  expect(await made('t=small&format=png', 'other/v1/icons/white.png')).toBe('20x16 png')
  expect(await seen('/other/v1/icons/white.png/own.png')).toBe(404)
  expect(await (await service.core('GET', 'rules?zone=acme')).json()).toMatchObject({
    Zone: 'acme',
    Transforms: 'small w=30\nown w=5\n',
    Headers: null,
    Editable: ['_headers', '_redirects', '_transforms'],
  })
  expect((await write('x w=1\n', { Zone: 'nobody' })).status).toBe(404)
  expect((await service.core('GET', 'rules?zone=nobody')).status).toBe(404)
  expect((await write(`# ${'x'.repeat(33_000)}`, { Zone: 'acme' })).status).toBe(400)
  await writeSurely('', { Zone: 'acme' })
  expect(await made('t=small&format=png')).toBe('20x16 png')
})

test('it is explained which line a URL is made by', async () => {
  await writeSurely('# all\nsmall w=20 q=50\n')
  const explain = async (url: string) =>
    (await (await service.core('GET', `rules/explain?url=${encodeURIComponent(url)}`)).json())
      .Transform

  const expected = { Name: 'small', Zone: null, line: 2, text: 'small w=20 q=50' }
  expect(await explain(`/${path}/small.png?q=9`)).toMatchObject({
    ...expected,
    Parameters: [
      ['w', '20'],
      ['q', '9'],
      ['format', 'png'],
    ],
  })
  expect(await explain(`/api/transform?url=/${path}&t=small`)).toMatchObject(expected)
  expect(await explain(`/@1234567/${path}/small.png`)).toMatchObject(expected)
  expect(await explain(`/${path}`)).toBeNull()
  expect(await explain(`/${path}/none.png`)).toBeNull()
})

const expires = String(Math.floor(Date.now() / 1000) + 600)

function signed(...extras: readonly (readonly [string, string])[]): string {
  const sig = sign(plainText(path, expires) + signedExtras(extras), testKeys.SIGNED_URL_SECRET)
  const query = [['path', path], ['expires', expires], ['sig', sig], ...extras]
  return `/api/signed?${new URLSearchParams(query as [string, string][])}`
}

test('a name can be signed', async () => {
  await writeSurely('small w=20\n')

  expect(await seen(signed(['t.t', 'small'], ['t.format', 'png']))).toBe('20x16 png')
  expect(await seen(signed(['t.t', 'none']))).toBe(400)
})

test('with named-only everybody has what has a name and the widths of the ladder, and nothing else', async () => {
  await writeSurely('small w=20\n')
  await service.core('PATCH', 'zones/acme', { Transforms: 'named' })

  for (const query of ['t=small', 't=small&format=webp', 'w=160', 'w=100&format=png', '', 'v=x'])
    expect([query, typeof (await made(query))]).toEqual([query, 'string'])
  for (const query of ['w=101', 'h=10', 't=small&w=160', 't=small&q=3', 'w=160&q=3', 'blur=3'])
    expect([query, await made(query)]).toEqual([query, 403])
  const refused = await service.fetch(`/api/transform?url=/${path}&w=101`)
  expect(await refused.json()).toMatchObject({ code: 'TransformNotAllowed' })
  expect(await made('w=101&format=png', 'other/v1/icons/white.png')).toBe('100x80 png')
  expect(await seen(signed(['t.w', '33'], ['t.format', 'png']))).toBe('33x26 png')
  const picture = await (await service.fetch(`/api/picture?path=${path}`)).json()
  for (const { Url } of picture.Sources)
    expect((await service.fetch(new URL(Url).pathname + new URL(Url).search)).status).toBe(200)
  expect(typeof picture.Placeholder).toBe('string')
  await service.core('PATCH', 'zones/acme', { Transforms: 'open' })
  expect(await made('w=33&format=png')).toBe('33x26 png')
})

test('with signed nothing is made without a signature', async () => {
  const changed = await service.core('PATCH', 'zones/acme', { Transforms: 'signed' })
  expect(await changed.json()).toMatchObject({ Transforms: 'signed' })

  expect([await made('t=small'), await made('w=160'), await made('')]).toEqual([403, 403, 403])
  expect(await seen(`/${path}/small.png`)).toBe(403)
  expect((await service.fetch(`/api/picture?path=${path}`)).status).toBe(403)
  expect(await seen(signed(['t.w', '34'], ['t.format', 'png']))).toBe('34x27 png')
  expect((await service.fetch(`/${path}`)).status).toBe(200)
  await service.core('PATCH', 'zones/acme', { Transforms: 'open' })
})

test('what an operator may have made is for nobody else', async () => {
  const url = `/api/transform?url=/${path}&w=35&format=png`
  for (const Transforms of ['named', 'signed']) {
    await service.core('PATCH', 'zones/acme', { Transforms })
    const own = await service.fetch(url, { headers: account })
    expect([own.status, own.headers.get('cache-control')]).toEqual([200, 'private, no-cache'])
    expect((await service.fetch(url)).status).toBe(403)
  }
  await service.core('PATCH', 'zones/acme', { Transforms: 'open' })
  const open = await service.fetch(url, { headers: account })
  expect(open.headers.get('cache-control')).toStartWith('public')
})

test('what the service closes no zone opens', async () => {
  await using closed = await openInProcess({ environment: { TRANSFORM_MODE: 'named' } })
  await closed.createZone('acme')
  await closed.storage('PUT', path, { body: await plain('white', 100, 80) })
  await closed.core('PATCH', 'zones/acme', { Transforms: 'open' })

  expect((await closed.fetch(`/api/transform?url=/${path}&w=33`)).status).toBe(403)
  expect((await closed.fetch(`/api/transform?url=/${path}&w=160`)).status).toBe(200)
})
