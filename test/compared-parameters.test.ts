import { afterAll, beforeAll, expect, test } from 'bun:test'
import sharp from 'sharp'

import { movingImage, painted, photoPainter } from './fixtures/sample-images.ts'
import { withThumbnail } from './fixtures/thumbnail-files.ts'
import { type InProcessService, openInProcess } from './support/in-process-service.ts'

const page = await Bun.file(new URL('../docs/compared-parameters.md', import.meta.url)).text()

/** Rows with what is asked for, and what comes of it. */
const rows = page
  .split('\n')
  .map((line) => line.split(' | ').map((cell) => cell.replaceAll(/^\|? *| *\|?$/gu, '')))
  .flatMap(([theirs = '', , asked = '', gives = '']) =>
    asked.startsWith('`') ? [{ theirs, asked: asked.slice(1, -1), gives }] : [],
  )

let service: InProcessService

beforeAll(async () => {
  service = await openInProcess()
  await service.createZone('acme')
  const framed = painted({ width: 120, height: 80 }, (x, y) =>
    x < 20 || x >= 110 || y < 10 || y >= 70 ? [255, 255, 255] : [40, 70, 210],
  )
  const ring = await movingImage({
    width: 40,
    height: 40,
    colors: [
      [220, 40, 40],
      [40, 70, 210],
    ],
    delayMs: 80,
  })
  for (const [path, image] of [
    ['banners/hero.jpg', painted({ width: 600, height: 400 }, photoPainter(1)).jpeg()],
    [
      'icons/mark.png',
      sharp({ create: { width: 100, height: 100, channels: 3, background: 'red' } }).png(),
    ],
    ['icons/framed.png', framed.png()],
    ['icons/ring.gif', ring.gif()],
    ['icons/camera.avif', { toBuffer: () => cameraFile() }],
    [
      'icons/turned.jpg',
      painted({ width: 40, height: 60 }, photoPainter(2)).withMetadata({ orientation: 6 }).jpeg(),
    ],
  ] as const)
    await service.storage('PUT', `acme/v1/${path}`, { body: await image.toBuffer() })
  const named = { File: '_transforms', Content: 'card  w=400 h=300 fit=cover\n' }
  expect((await service.core('POST', 'rules', named)).status).toBe(200)
}, 30_000)

afterAll(() => service[Symbol.asyncDispose]())

async function cameraFile() {
  const coded = async (width: number) =>
    await painted({ width, height: 64 }, photoPainter(3)).avif({ effort: 0 }).toBuffer()
  return withThumbnail('avif', await coded(128), await coded(80))
}

function addressOf(asked: string): string {
  if (asked.startsWith('/')) return asked
  const url = asked.startsWith('url=') ? '' : 'url=/acme/v1/banners/hero.jpg&'
  return `/api/transform?${url}${asked}`
}

test('the page has rows of three services', () => {
  expect(rows.length).toBeGreaterThan(130)
})

for (const { theirs, asked, gives } of rows)
  test(`${theirs}: ${asked} gives ${gives}`, async () => {
    const response = await service.fetch(addressOf(asked))
    const bytes = await response.bytes()

    expect(response.status).toBe(200)
    expect(response.headers.get('image-notes') ?? '').not.toContain('unknown-parameter')
    expect(await described(response, bytes)).toBe(gives)
  })

async function described(response: Response, bytes: Uint8Array): Promise<string> {
  const type = response.headers.get('content-type') ?? ''
  if (!type.startsWith('image/')) return type.split(';', 1)[0] ?? ''
  const {
    width,
    height,
    pageHeight = height,
    pages = 1,
  } = await sharp(bytes, { animated: true }).metadata()
  await sharp(bytes).stats()
  const frames = pages > 1 ? `, ${pages} frames` : ''
  return `${width} × ${pageHeight} ${type.slice('image/'.length)}${frames}`
}
