import { patient } from '../../../test/fixtures/patience.ts'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { thumbHashToAverageRGBA } from 'thumbhash'

import {
  blue,
  clear,
  decode,
  distance,
  painted,
  type Painter,
  photoPainter,
  sampleImageDirectory,
  quarters,
  red,
  white,
} from '../../../test/fixtures/sample-images.ts'
import { have } from '../../../test/support/needs.ts'
import type { SourceFormat } from '../../ports/media/renderer.ts'
import { openSharpRenderer, type SharpRenderer } from './sharp-renderer.ts'

let pictures: Awaited<ReturnType<typeof sampleImageDirectory>>
let renderer: SharpRenderer
beforeAll(async () => {
  pictures = await sampleImageDirectory()
  renderer = await openSharpRenderer({ slots: 1, ...patient })
})
afterAll(async () => {
  await renderer[Symbol.asyncDispose]()
  await pictures[Symbol.asyncDispose]()
})

async function analyse(path: string, format: SourceFormat) {
  const { result: size } = await renderer.run({ kind: 'inspect', path, format })
  const source = { path, format, size, isSrgb: size.isSrgb }
  const job = { kind: 'analyse', source, mipWidths: [1280, 512], findFaces: true } as const
  return (await renderer.run(job)).result
}

async function analysePainted(
  shape: { readonly width: number; readonly height: number; readonly channels?: 3 | 4 },
  paint: Painter,
) {
  const bytes = await painted(shape, paint).png().toBuffer()
  return await analyse(await pictures.write(`${bytes.length}.png`, bytes), 'png')
}

test('colours are told by how much there is of them, in plain words', async () => {
  const shape = { width: 120, height: 80 }
  const { colors } = await analysePainted(shape, (x) =>
    x < 72 ? red : x < 108 ? [20, 40, 120] : white,
  )

  expect(colors.map(({ name }) => name)).toEqual(['vivid red', 'dark blue', 'white'])
  expect(colors[0]?.share).toBeCloseTo(0.6, 1)
  expect(colors[1]?.share).toBeCloseTo(0.3, 1)
  expect(colors[2]?.hex).toMatch(/^#f[0-9a-f]f[0-9a-f]f[0-9a-f]$/u)
})

test('what is transparent has no colour', async () => {
  const shape = { width: 60, height: 60, channels: 4 } as const
  const { colors } = await analysePainted(shape, (x) => (x < 40 ? clear : blue))

  expect(colors.map(({ share }) => share)).toEqual([1])
})

test('the placeholder has the colour of the whole', async () => {
  const shape = { width: 90, height: 60 }
  const { thumbHash } = await analysePainted(shape, (x) => (x < 45 ? red : white))
  const { r, g, b } = thumbHashToAverageRGBA(Buffer.from(thumbHash, 'base64'))
  const expected = red.map((value) => ((value ?? 0) + 255) / 2)

  expect(distance([r * 255, g * 255, b * 255], expected)).toBeLessThan(12)
})

const ramp: Painter = (x, y) => [x / 2 + 20, y / 2 + 40, 90]

test('flat colours are a graphic, noise is a photograph, and so is a blur', async () => {
  const shape = { width: 200, height: 150 }
  expect((await analysePainted(shape, quarters(shape))).isGraphic).toBe(true)
  expect((await analysePainted(shape, photoPainter(1))).isGraphic).toBe(false)
  expect((await analysePainted(shape, ramp)).isGraphic).toBe(false)
})

test('the eye is drawn to what is unlike the rest', async () => {
  const shape = { width: 300, height: 200 }
  const { saliency } = await analysePainted(shape, (x, y) =>
    Math.hypot(x - 240, y - 60) < 25 ? red : [120, 130, 125],
  )

  expect(Math.abs(saliency.point.x - 0.8)).toBeLessThan(0.08)
  expect(Math.abs(saliency.point.y - 0.3)).toBeLessThan(0.08)
  const { left, top, width, height } = saliency.box
  expect(left <= 0.72 && left + width >= 0.88 && top <= 0.18 && top + height >= 0.42).toBe(true)
})

test('where nothing stands out the eye stays in the middle', async () => {
  const { saliency } = await analysePainted({ width: 100, height: 50 }, () => white)

  expect(Math.abs(saliency.point.x - 0.5)).toBeLessThan(0.05)
  expect(Math.abs(saliency.point.y - 0.5)).toBeLessThan(0.05)
})

const photograph = join(
  import.meta.dir,
  '../../../tools/node_modules/@vladmandic/face-api/demo/sample1.jpg',
)
const canLook = have('faces in a photograph', {
  what: 'a photograph with faces',
  howToGetIt: 'npm ci --prefix tools',
  isThere: () => existsSync(photograph),
})

test.skipIf(!canLook)('faces are found where they are', async () => {
  const { faces } = await analyse(photograph, 'jpeg')

  expect(faces.length).toBeGreaterThan(0)
  for (const { left, top, width, height, score } of faces) {
    expect(score).toBeGreaterThan(0.5)
    expect(Math.min(left, top)).toBeGreaterThanOrEqual(0)
    expect(left + width).toBeLessThanOrEqual(1.0001)
    expect(top + height).toBeLessThanOrEqual(1.0001)
  }
})

test('no face is found where there is none', async () => {
  expect((await analysePainted({ width: 400, height: 300 }, photoPainter(2))).faces).toEqual([])
})

test('smaller copies look like the picture; without transparency they are JPEG', async () => {
  const shape = { width: 1800, height: 900 }
  const { mips } = await analysePainted(shape, quarters(shape))

  expect(mips.map(({ width, height, raw }) => [width, height, raw])).toEqual([
    [1280, 640, undefined],
    [512, 256, undefined],
  ])
  for (const { bytes, width, height } of mips) {
    const decoded = await decode(bytes)
    expect(distance(decoded.at(10, 10), red)).toBeLessThan(6)
    expect(distance(decoded.at(10, height - 10), blue)).toBeLessThan(6)
    expect(decoded.width).toBe(width)
  }
})

test('smaller copies of what is transparent are bare pixels, unless nothing is transparent after all', async () => {
  const shape = { width: 1000, height: 400, channels: 4 } as const
  const { mips } = await analysePainted(shape, (x) => (x < 500 ? red : clear))
  const opaque = await analysePainted(shape, () => red)
  const [mip] = mips

  expect(mips.length).toBe(1)
  expect(mip).toMatchObject({
    width: 512,
    height: 205,
    raw: { width: 512, height: 205, channels: 4 },
  })
  expect(mip?.bytes.length).toBe(512 * 205 * 4)
  expect([...(mip?.bytes.subarray(0, 4) ?? [])]).toEqual([220, 40, 40, 255])
  expect(mip?.bytes[511 * 4 + 3]).toBe(0)
  expect(opaque.mips[0]?.raw).toBeUndefined()
})

test('a picture hardly larger than a copy has none', async () => {
  expect((await analysePainted({ width: 600, height: 20 }, () => red)).mips).toEqual([])
})

test('a drawing and a picture of one pixel are looked at like any other', async () => {
  const svg = await pictures.write(
    'a.svg',
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4"><rect width="4" height="4" fill="#dc2828"/></svg>',
  )

  expect(await analyse(svg, 'svg')).toMatchObject({
    isGraphic: true,
    colors: [{ hex: '#dc2828' }],
    mips: [],
  })
  expect((await analysePainted({ width: 1, height: 1 }, () => red)).colors.length).toBe(1)
  expect((await analysePainted({ width: 1, height: 900 }, () => red)).faces).toEqual([])
})
