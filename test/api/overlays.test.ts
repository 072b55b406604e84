import { afterAll, beforeAll, expect, test } from 'bun:test'
import sharp from 'sharp'

import { type InProcessService, openInProcess } from '../support/in-process-service.ts'

let service: InProcessService

const plain = (background: string, width = 40, height = 40) =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer()

beforeAll(async () => {
  service = await openInProcess()
  await service.createZone('acme')
  await service.createZone('other')
  for (const [path, body] of [
    ['acme/v1/icons/white.png', await plain('white', 100, 100)],
    ['acme/v1/icons/mark.png', await plain('red')],
    ['acme/v1/private/mark.png', await plain('red')],
    ['other/v1/icons/mark.png', await plain('blue')],
    ['acme/v1/icons/broken.png', 'no image'],
  ] as const)
    await service.storage('PUT', path, { body })
}, 30_000)

afterAll(() => service[Symbol.asyncDispose]())

const ask = (overlay: string, more = '') =>
  service.fetch(
    `/api/transform?url=/acme/v1/icons/white.png&format=png&overlay=${encodeURIComponent(overlay)}${more}`,
  )

const pixelOf = async (response: Response, x: number, y: number) => {
  const { data, info } = await sharp(await response.bytes())
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const at = (y * info.width + x) * 3
  return [...data.subarray(at, at + 3)]
}

test('a stored image is laid over another one, of another zone too', async () => {
  const mark = await ask('/acme/v1/icons/mark.png@southeast,20')
  expect(mark.status).toBe(200)
  expect(await pixelOf(mark.clone(), 99, 99)).toEqual([255, 0, 0])
  expect(await pixelOf(mark, 79, 79)).toEqual([255, 255, 255])
  expect(await pixelOf(await ask('other/v1/icons/mark.png@north,20'), 50, 1)).toEqual([0, 0, 255])
})

test('an overlay that is stored anew is seen at once', async () => {
  await service.storage('PUT', 'acme/v1/icons/mark.png', { body: await plain('lime') })
  const again = await ask('/acme/v1/icons/mark.png@southeast,20')
  expect(await pixelOf(again, 99, 99)).toEqual([0, 255, 0])
})

for (const [overlay, status, target] of [
  ['/acme/v1/private/mark.png', 404, 'overlay'],
  ['/acme/v1/icons/none.png', 404, 'overlay'],
  ['/acme/v1/icons/broken.png', 422, undefined],
  ['https://evil.example/a.png', 400, 'overlay'],
  ['../../etc/passwd', 400, 'overlay'],
  ['/acme/v1/icons/mark.png@southeast,0', 400, 'overlay'],
] as const)
  test(`${overlay} cannot be laid over anything: ${status}`, async () => {
    const response = await ask(overlay)
    const body = (await response.json()) as { readonly field?: string; readonly target?: string }
    expect(response.status).toBe(status)
    if (target !== undefined) expect(JSON.stringify(body)).toContain(target)
  })

test('an image with overlays is not kept for ever, whatever it is named by', async () => {
  const { ETag: etag } = Object.fromEntries(
    [...(await service.fetch('/acme/v1/icons/white.png')).headers].map(([name, value]) => [
      name === 'etag' ? 'ETag' : name,
      value,
    ]),
  )
  const v = (etag ?? '').replaceAll(/[^0-9a-f]/gu, '').slice(0, 16)
  const pinned = await service.fetch(`/api/transform?url=/acme/v1/icons/white.png&w=20&v=${v}`)
  const overlaid = await ask('/acme/v1/icons/mark.png', `&v=${v}`)

  expect([pinned.status, overlaid.status]).toEqual([200, 200])
  expect(pinned.headers.get('cache-control')).toContain('immutable')
  expect(overlaid.headers.get('cache-control')).not.toContain('immutable')
})

const fallback = '/acme/v1/icons/white.png'
const askFor = (path: string, more = '') =>
  service.fetch(`/api/transform?url=${path}&w=10&format=png&fallback=${fallback}${more}`)

test('another image stands for one that is not there or no image, until it is', async () => {
  const missing = await askFor('/acme/v1/icons/late.png')
  expect([missing.status, missing.headers.get('image-notes')]).toEqual([200, 'fallback'])
  expect(await pixelOf(missing, 1, 1)).toEqual([255, 255, 255])
  expect((await askFor('/acme/v1/icons/broken.png')).headers.get('image-notes')).toBe('fallback')
  await service.storage('PUT', 'acme/v1/icons/late.png', { body: await plain('blue') })
  const there = await askFor('/acme/v1/icons/late.png')

  expect(there.headers.get('image-notes')).toBeNull()
  expect(await pixelOf(there, 1, 1)).toEqual([0, 0, 255])
})

test('what is wrong with the request itself is said, fallback or not', async () => {
  expect((await askFor('/acme/v1/icons/none.png', '&q=1000')).status).toBe(400)
  expect((await askFor('https://evil.example/a.png')).status).toBe(400)
  const none = await service.fetch(
    '/api/transform?url=/acme/v1/icons/none.png&fallback=/acme/v1/x.png',
  )
  expect(none.status).toBe(404)
})

test('parameters that nobody knows are named, to whoever sent them alone', async () => {
  const notesOf = async (query: string) =>
    (await service.fetch(`/api/transform?url=${fallback}&w=11${query}`)).headers.get('image-notes')

  expect(await notesOf('&rotation=90&Quality=3')).toBe(
    'unknown-parameter-rotation, unknown-parameter-Quality',
  )
  expect(await notesOf('')).toBeNull()
})

test('a name and what to do where no image can be made are for the browser alone', async () => {
  const inline = await service.fetch(`/api/transform?url=${fallback}&w=12&filename=my%20mark.png`)
  const broken = await service.fetch(
    '/api/transform?url=/acme/v1/icons/broken.png&w=12&onerror=redirect',
  )
  const missing = await service.fetch(
    '/api/transform?url=/acme/v1/icons/none.png&w=12&onerror=redirect',
  )

  expect(inline.headers.get('content-disposition')).toBe(
    `inline; filename="my mark.png"; filename*=UTF-8''my%20mark.png`,
  )
  expect([broken.status, broken.headers.get('location')]).toEqual([
    302,
    '/acme/v1/icons/broken.png',
  ])
  expect(missing.status).toBe(404)
})

test('a JPEG XL is sent where it is stored, and to those who take it', async () => {
  const jxl = new Uint8Array([0xff, 0x0a, 1, 2, 3, 4])
  const path = '/acme/v1/icons/white.png'
  const refused = await service.fetch(`/api/transform?url=${path}&format=jxl`)
  await service.storage('PUT', 'acme/v1/icons/white.jxl', { body: jxl })
  const named = await service.fetch(`/api/transform?url=${path}&format=jxl`)
  const autoFor = async (accept: string) => {
    const headers = { Accept: accept }
    const response = await service.fetch('/api/auto?path=acme/v1/icons/white', { headers })
    return response.headers.get('content-type')
  }

  expect(refused.status).toBe(400)
  expect(named.headers.get('content-type')).toBe('image/jxl')
  expect(await named.bytes()).toEqual(jxl)
  expect(await autoFor('image/jxl,image/webp,*/*')).toBe('image/jxl')
  expect(await autoFor('image/webp,*/*')).toBe('image/webp')
})

test('formats that are to be left alone are sent as they are stored', async () => {
  const asked = await service.fetch(`/api/transform?url=${fallback}&w=12&skip=gif,png`)
  const stored = await service.fetch(fallback)

  expect(await asked.bytes()).toEqual(await stored.bytes())
})

test('a width that follows the client is another for each step of the ladder, and says so', async () => {
  const askHinted = async (headers: Record<string, string>) =>
    await service.fetch(`/api/transform?url=${fallback}&w=auto&format=png&enlarge=1`, { headers })
  const [narrow, again, wide] = [
    await askHinted({ 'Sec-CH-Width': '150' }),
    await askHinted({ 'Sec-CH-Width': '130' }),
    await askHinted({ 'Sec-CH-Viewport-Width': '200', 'Sec-CH-DPR': '2' }),
  ]
  const widthOf = async (response: Response) =>
    (await sharp(await response.bytes()).metadata()).width

  expect(narrow.headers.get('vary')).toContain('Sec-CH-Width')
  expect(narrow.headers.get('accept-ch')).toBe('Sec-CH-Width, Sec-CH-Viewport-Width, Sec-CH-DPR')
  expect(await Promise.all([narrow, again, wide].map(widthOf))).toEqual([160, 132, 480])
})

test('text of 10,000 characters, markup and what reorders letters are refused or written as they stand', async () => {
  const write = async (text: string) =>
    (await service.fetch(`/api/transform?url=${fallback}&text=${encodeURIComponent(text)}`)).status

  expect(await write('a'.repeat(10_000))).toBe(414)
  expect(await write('a'.repeat(2000))).toBe(400)
  expect(await write('abc\u202edef')).toBe(400)
  expect(await write('<span font="99999">&#0;</span>')).toBe(200)
  expect(await write('Hello@north,20,000,bold')).toBe(200)
})
