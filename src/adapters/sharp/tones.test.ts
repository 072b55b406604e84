import { afterAll, beforeAll, expect, test } from 'bun:test'
import sharp from 'sharp'

import { patient } from '../../../test/fixtures/patience.ts'
import {
  blue,
  type Color,
  decode,
  distance,
  movingImage,
  painted,
  red,
  sampleImageDirectory,
} from '../../../test/fixtures/sample-images.ts'
import type { OutputSpec, TextJob, TransformJob } from '../../ports/media/renderer.ts'
import { openSharpRenderer, type SharpRenderer } from './sharp-renderer.ts'

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

const png: OutputSpec = { format: 'png', quality: 80, effort: 'fast', isGraphic: false }
const shape = { width: 160, height: 80 }
const plain: Color = [100, 150, 200]
let count = 0

/** Transforms an image of one colour at its own size. */
async function run(wanted: Partial<TransformJob>, color = plain) {
  count += 1
  const path = await images.write(
    `${count}.png`,
    await painted(shape, () => color)
      .png()
      .toBuffer(),
  )
  const { result } = await renderer.run({
    kind: 'transform',
    source: { path, format: 'png', size: shape, isSrgb: true },
    isAnimated: false,
    resize: shape,
    output: png,
    ...wanted,
  })
  return { image: result, decoded: await decode(result.bytes) }
}

const none = { brightness: 1, contrast: 1, saturation: 1, tint: undefined }
const isNear = (a: readonly number[], b: readonly (number | undefined)[]) => distance(a, b) < 4

for (const [what, wanted, expected] of [
  ['gamma lifts what is between', { gamma: 2 }, [160, 196, 226]],
  ['less than 1 lowers it', { gamma: 0.5 }, [39, 88, 157]],
  ['inverted, all is its opposite', { adjust: { ...none, isInverted: true } }, [155, 105, 55]],
  ['half a turn of hue', { adjust: { ...none, hue: 180 } }, [186, 136, 86]],
  ['all brown', { adjust: { ...none, sepia: 1 } }, [192, 171, 133]],
  [
    'inverted after brightness',
    { adjust: { ...none, brightness: 0.5, isInverted: true } },
    [205, 180, 155],
  ],
  ['grey, and then brown', { adjust: { ...none, saturation: 0, sepia: 1 } }, [193, 172, 134]],
] as const)
  test(what, async () => {
    const { decoded } = await run(wanted)
    const [r = 0, g = 0, b = 0] = decoded.at(80, 40)
    expect({ color: [r, g, b], isNear: distance([r, g, b], expected) <= 6 }).toMatchObject({
      isNear: true,
    })
  })

test('an image is made less opaque, and lets what is behind it through', async () => {
  const { decoded } = await run({ opacity: 0.5 })
  const { decoded: laid } = await run({ opacity: 0.5, background: '#000000' })

  expect(decoded.at(80, 40)[3]).toBe(128)
  expect(isNear(laid.at(80, 40), [50, 75, 100])).toBe(true)
})

test('a border goes around everything, outside of what is padded', async () => {
  const side = (length: number) => ({ top: length, right: length, bottom: length, left: length })
  const { image, decoded } = await run({
    crop: { left: 10, top: 10, width: 40, height: 20 },
    padding: side(5),
    background: '#ffffff',
    border: { color: '#dc2828', widths: { top: 1, right: 2, bottom: 3, left: 4 } },
  })

  expect([image.width, image.height]).toEqual([40 + 10 + 6, 20 + 10 + 4])
  expect([decoded.width, decoded.height]).toEqual([56, 34])
  expect(isNear(decoded.at(0, 0), red)).toBe(true)
  expect(isNear(decoded.at(55, 33), red)).toBe(true)
  expect(isNear(decoded.at(4, 1), [255, 255, 255])).toBe(true)
  expect(isNear(decoded.at(20, 15), plain)).toBe(true)
})

test('a border goes around each frame', async () => {
  const moving = await movingImage({ ...shape, colors: [red, blue], delayMs: 80 })
  const path = await images.write('moving.gif', await moving.gif().toBuffer())
  const widths = { top: 8, right: 8, bottom: 8, left: 8 }
  const { result } = await renderer.run({
    kind: 'transform',
    source: { path, format: 'gif', size: shape, isSrgb: true, frames: 2 },
    isAnimated: true,
    resize: shape,
    border: { color: '#ffffff', widths },
    output: { ...png, format: 'webp' },
  })

  expect([result.frames, result.width, result.height]).toEqual([2, 176, 96])
  for (const page of [0, 1])
    expect(distance((await decode(result.bytes, page)).at(2, 94), [255, 255, 255])).toBeLessThan(9)
})

const text: TextJob = {
  text: 'HHHH',
  sizePx: 20,
  isBold: true,
  isItalic: false,
  color: '#ffffff',
  opacity: 1,
  align: 'left',
  place: { x: 0, y: 0 },
  marginPx: 4,
  maxWidthPx: 150,
}

/** The box of all pixels that are not of the plain colour. */
async function inked(texts: readonly TextJob[]) {
  const { decoded } = await run({ texts })
  const places = Array.from({ length: shape.width * shape.height }, (_, index) => ({
    x: index % shape.width,
    y: Math.floor(index / shape.width),
  })).filter(({ x, y }) => !isNear(decoded.at(x, y), plain))
  const [xs, ys] = [places.map(({ x }) => x), places.map(({ y }) => y)]
  return {
    left: Math.min(...xs),
    right: Math.max(...xs),
    top: Math.min(...ys),
    bottom: Math.max(...ys),
    count: places.length,
  }
}

test('text is written where it is to be, within its margin', async () => {
  const [corner, opposite] = [
    await inked([text]),
    await inked([{ ...text, place: { x: 1, y: 1 } }]),
  ]

  expect([corner.left, corner.top]).toEqual([4, 4])
  expect([opposite.right, opposite.bottom]).toEqual([shape.width - 5, shape.height - 5])
  expect(corner.count).toBe(opposite.count)
})

test('lines are broken where they would be too long, and made smaller where there is no room', async () => {
  const long = { ...text, text: 'HHH HHH HHH' }
  const [wide, narrow] = [await inked([long]), await inked([{ ...long, maxWidthPx: 60 }])]
  const large = await inked([{ ...long, text: 'HHH '.repeat(40).trim(), sizePx: 200 }])

  expect(narrow.bottom).toBeGreaterThan(wide.bottom + 15)
  expect(narrow.right).toBeLessThan(wide.right)
  expect(large.right).toBeLessThan(shape.width - 3)
  expect(large.bottom).toBeLessThan(shape.height - 3)
})

test('markup is written as it stands, and a box lies behind the letters', async () => {
  const marked = await inked([{ ...text, text: '<b>&amp;' }])
  const { decoded } = await run({
    texts: [{ ...text, box: { color: '#000000', opacity: 0.5, paddingPx: 6 } }],
  })

  expect(marked.right).toBeGreaterThan((await inked([{ ...text, text: '&' }])).right + 30)
  expect(isNear(decoded.at(5, 5), [50, 75, 100])).toBe(true)
  expect(isNear(decoded.at(12, 18), [255, 255, 255])).toBe(true)
})

test('the letters are those of the bundled font, whatever the machine has', async () => {
  const { decoded } = await run({
    texts: [{ ...text, text: 'Grüße, Привет, नमस्ते', maxWidthPx: 152 }],
  })
  const rows = [8, 14, 20].map((y) =>
    Array.from({ length: shape.width }, (_, x) =>
      (decoded.at(x, y)[0] ?? 0) > 200 ? '#' : '.',
    ).join(''),
  )

  expect(rows).toEqual([
    '......###..........##...##..###....###...###.....###......####.................###......###...##..####.....###...####..#######........####....##########........',
    '.....###......###..###......###....###...###.....####..###.....................###......###...###....###...###.#..###..###...####..###...........###............',
    '...................................................................##.........................###......................................................##.......',
  ])
})

test('a border of a colour that is named is trimmed, whatever the corner has', async () => {
  const framed = await painted(shape, (x) => (x < 140 ? blue : [255, 255, 255]))
    .png()
    .toBuffer()
  const path = await images.write('framed.png', framed)
  const source = { path, format: 'png', size: shape, isSrgb: true } as const
  const trim = async (color?: string) =>
    (await renderer.run({ kind: 'trim', source, threshold: 10, color })).result

  expect(await trim()).toMatchObject({ left: 140, width: 20 })
  expect(await trim('#ffffff')).toMatchObject({ left: 0, width: 140 })
})

test('colours stay those of the source where its profile is to come along', async () => {
  const bytes = await painted(shape, () => red)
    .withIccProfile('p3')
    .png()
    .toBuffer()
  const path = await images.write('p3.png', bytes)
  const convert = async (more: Partial<TransformJob> = {}, keepsProfile = true) => {
    const { result } = await renderer.run({
      kind: 'transform',
      source: { path, format: 'png', size: shape, isSrgb: false },
      isAnimated: false,
      resize: { width: 80, height: 40 },
      output: { ...png, keepsProfile },
      ...more,
    })
    return { hasProfile: (await sharp(result.bytes).metadata()).icc !== undefined, ...result }
  }
  const stored = (await decode(bytes)).at(1, 1)
  const kept = await convert()

  expect(kept.hasProfile).toBe(true)
  expect(distance((await decode(kept.bytes)).at(1, 1), stored)).toBeLessThan(3)
  expect((await convert({}, false)).hasProfile).toBe(false)
  expect((await convert({ radius: 5 })).hasProfile).toBe(false)
})
