import { afterAll, beforeAll, expect, test } from 'bun:test'
import sharp from 'sharp'

import {
  blue,
  decode,
  distance,
  green,
  painted,
  quarters,
  red,
  yellow,
} from '../fixtures/sample-images.ts'
import { type InProcessService, openInProcess } from '../support/in-process-service.ts'

// IIIF Image API 3.0 and its compliance document, level 2, row by row.

const shape = { width: 300, height: 200 }
const base = 'http://127.0.0.1:8788/iiif/3/acme%2Fv1%2Fphotos%2Fquarters.png'
const path = '/iiif/3/acme%2Fv1%2Fphotos%2Fquarters.png'

let service: InProcessService
beforeAll(async () => {
  service = await openInProcess()
  await service.createZone('acme')
  const put = async (name: string, bytes: Buffer) =>
    await service.storage('PUT', `acme/v1/${name}`, { body: new Uint8Array(bytes) })
  const image = painted(shape, quarters(shape))
  await put('photos/quarters.png', await image.clone().png().toBuffer())
  await put('photos/a bö.png', await image.clone().png().toBuffer())
  await put('private/secret.png', await image.clone().png().toBuffer())
  // Lies on its side, and says so.
  await put(
    'photos/turned.jpg',
    await image.rotate(270).withMetadata({ orientation: 6 }).jpeg().toBuffer(),
  )
  await service.storage('PUT', 'acme/v1/notes.txt', { body: 'nothing to see' })
})
afterAll(() => service[Symbol.asyncDispose]())

async function ask(rest: string, headers: Record<string, string> = {}, of = path) {
  return await service.fetch(`${of}/${rest}`, { headers })
}

async function imageAt(rest: string, of = path) {
  const response = await ask(rest, {}, of)
  expect([rest, response.status]).toEqual([rest, 200])
  const bytes = new Uint8Array(await response.arrayBuffer())
  return { response, bytes, ...(await decode(bytes)) }
}

const sizeOf = async (rest: string) => {
  const { width, height } = await imageAt(rest)
  return `${width},${height}`
}
const statusOf = async (rest: string, of = path) => (await ask(rest, {}, of)).status

test('3.1 region: full, square, pixels and percent; what lies outside is left off', async () => {
  const rows = [
    ['full', '300,200'],
    ['square', '200,200'],
    ['150,100,150,100', '150,100'],
    ['250,150,500,500', '50,50'],
    ['pct:50,50,50,50', '150,100'],
    ['pct%3A10.5,0,20,10.25', '60,21'],
    ['pct:90,90,90,90', '30,20'],
  ] as const
  for (const [region, size] of rows)
    expect([region, await sizeOf(`${region}/max/0/default.png`)]).toEqual([region, size])

  const lower = await imageAt('150,100,150,100/max/0/default.png')
  expect(distance(lower.at(75, 50), yellow)).toBeLessThan(12)
  const square = await imageAt('square/max/0/default.png')
  expect(distance(square.at(50, 50), red)).toBeLessThan(12)
  expect(distance(square.at(150, 50), green)).toBeLessThan(12)
})

test('3.2 size: each form, and larger than the region with ^ alone', async () => {
  const rows = [
    ['max', '300,200'],
    ['150,', '150,100'],
    [',50', '75,50'],
    ['pct:50', '150,100'],
    ['pct:12.5', '38,25'],
    ['100,100', '100,100'],
    ['!100,100', '100,67'],
    ['!1000,50', '75,50'],
    ['!1000,1000', '300,200'],
    ['^600,', '600,400'],
    ['^,400', '600,400'],
    ['^pct:200', '600,400'],
    ['^310,210', '310,210'],
    ['^!600,1000', '600,400'],
    ['%5E600,', '600,400'],
    ['1,', '1,1'],
  ] as const
  for (const [size, expected] of rows)
    expect([size, await sizeOf(`full/${size}/0/default.png`)]).toEqual([size, expected])
  expect(await sizeOf('0,0,30,20/^!60,60/0/default.png')).toBe('60,40')

  const wrong = [
    '301,',
    ',201',
    '301,200',
    'pct:101',
    '0,',
    ',0',
    '0,0',
    'pct:0',
    'full',
    '',
    ',',
    '^',
    '!',
    '!5,',
    '^9000,',
    '^8000,8000',
    '-5,',
    '1e3,',
    '99999999999,',
  ]
  for (const size of wrong)
    expect([size, await statusOf(`full/${size}/0/default.png`)]).toEqual([size, 400])
})

test('3.3 rotation: by quarters, mirrored first where ! says so', async () => {
  const corner = async (rotation: string) => {
    const image = await imageAt(`full/max/${rotation}/default.png`)
    return { size: `${image.width},${image.height}`, color: image.at(10, 10) }
  }
  const rows = [
    ['0', '300,200', red],
    ['90', '200,300', blue],
    ['180', '300,200', yellow],
    ['270.0', '200,300', green],
    ['360', '300,200', red],
    ['!0', '300,200', green],
    ['!90', '200,300', yellow],
    ['%21180', '300,200', blue],
  ] as const
  for (const [rotation, size, color] of rows) {
    const found = await corner(rotation)
    expect([rotation, found.size, distance(found.color, color) < 12]).toEqual([
      rotation,
      size,
      true,
    ])
  }
  // The size is that of the region, before it is turned.
  expect(await sizeOf('full/150,50/90/default.png')).toBe('50,150')
  for (const wrong of ['361', '-90', '90!', '45', '', '!', 'left', '1e1'])
    expect([wrong, await statusOf(`full/max/${wrong}/default.png`)]).toEqual([wrong, 400])
})

test('3.4 and 3.5 quality and format', async () => {
  const types = {
    jpg: 'image/jpeg',
    png: 'image/png',
    webp: 'image/webp',
    avif: 'image/avif',
    gif: 'image/gif',
  }
  for (const [format, type] of Object.entries(types)) {
    const response = await ask(`full/60,/0/default.${format}`, { Accept: 'image/png' })
    expect([format, response.status, response.headers.get('content-type')]).toEqual([
      format,
      200,
      type,
    ])
  }
  const color = await imageAt('full/max/0/color.png')
  expect(distance(color.at(10, 10), red)).toBeLessThan(12)
  const [r = 0, g = 1, b = 2] = (
    await sharp((await imageAt('full/max/0/gray.png')).bytes)
      .toColourspace('srgb')
      .raw()
      .toBuffer()
  ).subarray(0, 3)
  expect([r, g]).toEqual([g, b])
  for (const wrong of [
    'bitonal.jpg',
    'grey.jpg',
    'default.tif',
    'default.jp2',
    'default.pdf',
    'default.',
    'default',
    '.jpg',
    'native.jpg',
    'default.jpg.png',
    'default.constructor',
  ])
    expect([wrong, await statusOf(`full/max/0/${wrong}`)]).toEqual([wrong, 400])
})

test('4 HTTP: redirect of the identifier, CORS, JSON-LD, links of profile and canonical form', async () => {
  for (const url of [path, `${path}/`]) {
    const redirect = await service.fetch(url)
    expect([redirect.status, redirect.headers.get('location')]).toEqual([303, `${base}/info.json`])
    expect(redirect.headers.get('access-control-allow-origin')).toBe('*')
  }
  const plain = await ask('info.json')
  expect(plain.headers.get('content-type')).toBe('application/json')
  const jsonLd = await ask('info.json', { Accept: 'application/ld+json' })
  expect(jsonLd.headers.get('content-type')).toBe(
    'application/ld+json;profile="http://iiif.io/api/image/3/context.json"',
  )
  const known = await ask('info.json', { 'If-None-Match': plain.headers.get('etag') ?? '' })
  expect(known.status).toBe(304)
  for (const { headers } of [plain, jsonLd, await ask('full/max/0/default.jpg')]) {
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('link')).toContain('<http://iiif.io/api/image/3/level2.json>;rel="profile"')
  }
  const canonicals = [
    ['full/300,200/0/color.jpg', 'full/max/0/default.jpg'],
    ['pct:0,0,100,100/150,/360/default.png', 'full/150,100/0/default.png'],
    ['square/!100,100/!90.0/gray.webp', '50,0,200,200/100,100/!90/gray.webp'],
    ['250,150,500,500/^pct:200/0/default.jpg', '250,150,50,50/^100,100/0/default.jpg'],
  ] as const
  for (const [asked, canonical] of canonicals) {
    const link = (await ask(asked)).headers.get('link')
    expect(link).toContain(`<${base}/${canonical}>;rel="canonical"`)
  }
})

test('5 the description of an image, and each size and tile that it names can be had', async () => {
  const info = (await (await ask('info.json')).json()) as {
    sizes: { width: number; height: number }[]
    tiles: { width: number; scaleFactors: number[] }[]
  }
  expect(info).toMatchObject({
    '@context': 'http://iiif.io/api/image/3/context.json',
    id: base,
    type: 'ImageService3',
    protocol: 'http://iiif.io/api/image',
    profile: 'level2',
    ...shape,
    sizes: [{ width: 150, height: 100 }, shape],
    tiles: [{ width: 512, height: 512, scaleFactors: [1, 2] }],
  })
  for (const { width, height } of info.sizes)
    expect(await sizeOf(`full/${width},${height}/0/default.jpg`)).toBe(`${width},${height}`)
  expect(await sizeOf('0,0,300,200/150,100/0/default.jpg')).toBe('150,100')
})

test('what lies on its side is described and cut as it is seen', async () => {
  const turned = '/iiif/3/acme%2Fv1%2Fphotos%2Fturned.jpg'
  expect(await (await ask('info.json', {}, turned)).json()).toMatchObject(shape)
  const upper = await imageAt('150,0,150,100/max/0/default.png', turned)
  expect([upper.width, upper.height]).toEqual([150, 100])
  expect(distance(upper.at(75, 50), green)).toBeLessThan(40)
})

test('identifiers are percent-encoded paths; what is not there, private or closed is as everywhere', async () => {
  const spaced = `/iiif/3/${encodeURIComponent('acme/v1/photos/a bö.png')}`
  expect(await (await ask('info.json', {}, spaced)).json()).toMatchObject({
    id: `http://127.0.0.1:8788${spaced}`,
  })
  const info = (of: string) => statusOf('info.json', of)
  expect(await info('/iiif/3/acme%2Fv1%2Fnone.png')).toBe(404)
  expect(await info('/iiif/3/acme%2Fv1%2Fprivate%2Fsecret.png')).toBe(404)
  expect(await info('/iiif/3/acme%2Fv1%2Fnotes.txt')).toBe(422)
  expect(await info('/iiif/3/%E0%A4%A')).toBe(400)
  expect(await info('/iiif/3/..%2F..%2Fetc')).toBe(400)
  expect(await statusOf('full/max/0')).toBe(404)
  expect(await statusOf('full/max/0/default.jpg/more')).toBe(404)
  for (const region of [
    '300,0,10,10',
    '0,200,10,10',
    '0,0,0,10',
    '-1,0,5,5',
    'pct:100,0,10,10',
    'pct:0,0,0,10',
    '1,2,3',
    'circle',
  ])
    expect([region, await statusOf(`${region}/max/0/default.jpg`)]).toEqual([region, 400])

  await service.core('PATCH', 'zones/acme', { Suspended: true })
  expect(await info(path)).toBe(403)
  expect(await statusOf('full/max/0/default.jpg')).toBe(403)
  await service.core('PATCH', 'zones/acme', { Suspended: false })
  await service.core('PATCH', 'zones/acme', { Transforms: 'named-only' })
  expect(await statusOf('full/77,/0/default.jpg')).toBe(403)
  await service.core('PATCH', 'zones/acme', { Transforms: 'open' })
  expect(await statusOf('full/77,/0/default.jpg')).toBe(200)
})

test('an identifier whose slashes a proxy has decoded is the same', async () => {
  const decoded = '/iiif/3/acme/v1/photos/quarters.png'
  const redirect = await service.fetch(decoded)
  expect([redirect.status, redirect.headers.get('location')]).toEqual([303, `${base}/info.json`])
  expect(await (await ask('info.json', {}, decoded)).json()).toMatchObject({ id: base })
  const image = await imageAt('square/!50,50/!90/gray.png', decoded)
  expect([image.width, image.height]).toEqual([50, 50])
  expect(await statusOf('full/max/0/native.jpg', decoded)).toBe(404)
  const escaped = encodeURIComponent('acme/v1/photos/quarters.png/full/60,/0/default.png')
  expect((await service.fetch(`/iiif/3/${escaped}`)).status).toBe(200)
})

test('what was asked for anyhow is one variant, and gone with the file', async () => {
  const first = await ask('full/!150,150/0/color.webp')
  const second = await ask('0,0,300,200/150,/0/default.webp?v=1')
  expect(second.headers.get('etag')).toBe(first.headers.get('etag') ?? '')
  expect(first.headers.get('cache-tag')).toContain('zone-acme')
  await service.storage('DELETE', 'acme/v1/photos/quarters.png')
  expect(await statusOf('full/!150,150/0/color.webp')).toBe(404)
})
