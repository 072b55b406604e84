import { afterAll, beforeAll, expect, test } from 'bun:test'
import sharp from 'sharp'

import { patient } from '../../../../test/fixtures/patience.ts'
import {
  type Painter,
  painted,
  photoPainter,
  sampleImageDirectory,
} from '../../../../test/fixtures/sample-images.ts'
import type { OutputFormat } from '../../../ports/media/renderer.ts'
import { openSharpRenderer, type SharpRenderer } from '../sharp-renderer.ts'
import { similarityOf } from './similarity.ts'

let images: Awaited<ReturnType<typeof sampleImageDirectory>>
let renderer: SharpRenderer
beforeAll(async () => {
  images = await sampleImageDirectory()
  renderer = await openSharpRenderer(patient)
})
afterAll(async () => {
  await renderer[Symbol.asyncDispose]()
  await images[Symbol.asyncDispose]()
})

const shape = { width: 640, height: 480 }
const grain = (x: number, y: number) => ((x * 7919 + y * 104_729 + x * y * 31) % 61) - 30
const photo = photoPainter(3)
const rough: Painter = (x, y) => {
  const [red, green, blue] = photo(x, y)
  return [red + grain(x, y), green + grain(x, y), blue + grain(x, y)]
}
let count = 0

async function encoded(
  paint: Painter,
  output: {
    readonly format: OutputFormat
    readonly similarity?: number
    readonly maxBytes?: number
  },
) {
  count += 1
  const path = await images.write(`${count}.png`, await painted(shape, paint).png().toBuffer())
  const { result } = await renderer.run({
    kind: 'transform',
    source: { path, format: 'png', size: shape, isSrgb: true },
    isAnimated: false,
    resize: shape,
    output: { quality: 95, effort: 'fast', isGraphic: false, ...output },
  })
  const similarity = similarityOf(await lumaOf(path), await lumaOf(result.bytes))
  return { bytes: result.bytes.length, similarity }
}

async function lumaOf(input: string | Uint8Array) {
  const { data, info } = await sharp(input)
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, values: new Uint8Array(data) }
}

for (const format of ['jpeg', 'webp', 'avif'] as const)
  test(`a ${format} keeps the similarity that is wanted, and no more than it takes`, async () => {
    const [low, high] = [
      await encoded(rough, { format, similarity: 0.92 }),
      await encoded(rough, { format, similarity: 0.97 }),
    ]

    expect(low.similarity).toBeGreaterThan(0.9)
    expect(high.similarity).toBeGreaterThan(0.96)
    expect(low.bytes).toBeLessThan(high.bytes)
  })

test('between what is tried it is reckoned: a little more likeness takes a few more bytes', async () => {
  const sizes: number[] = []
  for (const similarity of [0.94, 0.945, 0.95, 0.955, 0.96])
    sizes.push((await encoded(rough, { format: 'webp', similarity })).bytes)

  expect(new Set(sizes).size).toBeGreaterThan(3)
  expect(sizes).toEqual(sizes.toSorted((a, b) => a - b))
})

test('bytes at most bound it further', async () => {
  const free = await encoded(rough, { format: 'jpeg', similarity: 0.97 })
  const maxBytes = Math.round(free.bytes * 0.6)

  expect((await encoded(rough, { format: 'jpeg', similarity: 0.97, maxBytes })).bytes).toBeLessThan(
    maxBytes + 1,
  )
})

test('an image without detail is made in the lowest quality that is tried', async () => {
  const smooth: Painter = (x) => [x % 256, 128, 90]
  const lowest = await encoded(smooth, { format: 'jpeg', similarity: 0.5 })

  expect((await encoded(smooth, { format: 'jpeg', similarity: 0.9 })).bytes).toBe(lowest.bytes)
})
