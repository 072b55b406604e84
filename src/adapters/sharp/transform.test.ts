import { patient } from '../../../test/fixtures/patience.ts'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import sharp from 'sharp'

import {
  black,
  blue,
  clear,
  type Color,
  decode,
  distance,
  green,
  movingImage,
  painted,
  photoPainter,
  sampleImageDirectory,
  quarters,
  red,
  white,
  yellow,
} from '../../../test/fixtures/sample-images.ts'
import type { SourceFormat } from '../../ports/media/renderer.ts'
import type { OutputSpec, TransformJob } from '../../ports/media/renderer.ts'
import { openSharpRenderer, type SharpRenderer } from './sharp-renderer.ts'

let pictures: Awaited<ReturnType<typeof sampleImageDirectory>>
let renderer: SharpRenderer
beforeAll(async () => {
  pictures = await sampleImageDirectory()
  renderer = await openSharpRenderer(patient)
})
afterAll(async () => {
  await renderer[Symbol.asyncDispose]()
  await pictures[Symbol.asyncDispose]()
})

const png: OutputSpec = { format: 'png', quality: 80, effort: 'fast', isGraphic: false }
let count = 0

interface Picture {
  readonly format: SourceFormat
  readonly bytes: Uint8Array | string
}

/** Transforms an image at its own size, unless told otherwise. */
async function run({ format, bytes }: Picture, wish: Partial<TransformJob> = {}) {
  count += 1
  const path = await pictures.write(`${count}.${format}`, bytes)
  const { result: header } = await renderer.run({ kind: 'inspect', path, format })
  const size = { width: header.width, height: header.height }
  const { result: image } = await renderer.run({
    kind: 'transform',
    source: { path, format, size, isSrgb: header.isSrgb },
    isAnimated: false,
    resize: size,
    output: png,
    ...wish,
  })
  return { header, image, decoded: await decode(image.bytes) }
}

const shape = { width: 80, height: 40 }
const quartersPng = async (): Promise<Picture> => ({
  format: 'png',
  bytes: await painted(shape, quarters(shape)).png().toBuffer(),
})

test('resizing keeps every part in its place', async () => {
  const { decoded } = await run(await quartersPng(), { resize: { width: 40, height: 20 } })

  expect([decoded.width, decoded.height]).toEqual([40, 20])
  expect(distance(decoded.at(5, 5), red)).toBeLessThan(3)
  expect(distance(decoded.at(35, 5), green)).toBeLessThan(3)
  expect(distance(decoded.at(5, 15), blue)).toBeLessThan(3)
  expect(distance(decoded.at(35, 15), yellow)).toBeLessThan(3)
})

test('a resize may stretch', async () => {
  const { decoded } = await run(await quartersPng(), { resize: { width: 30, height: 90 } })

  expect([decoded.width, decoded.height]).toEqual([30, 90])
  expect(distance(decoded.at(3, 80), blue)).toBeLessThan(3)
})

for (const [flip, corners] of [
  ['h', [green, red, yellow, blue]],
  ['v', [blue, yellow, red, green]],
  ['hv', [yellow, blue, green, red]],
] as const)
  test(`flip=${flip} mirrors every pixel`, async () => {
    const { decoded } = await run(await quartersPng(), { flip })
    const { decoded: original } = await run(await quartersPng())

    const places = [
      [5, 5],
      [75, 5],
      [5, 35],
      [75, 35],
    ] as const
    expect(
      places.map(([x, y], index) => distance(decoded.at(x, y), corners[index] ?? black)),
    ).toEqual([0, 0, 0, 0])
    for (let y = 0; y < shape.height; y += 1)
      for (let x = 0; x < shape.width; x += 1)
        expect(decoded.at(x, y)).toEqual(
          original.at(
            flip.includes('h') ? shape.width - 1 - x : x,
            flip.includes('v') ? shape.height - 1 - y : y,
          ),
        )
  })

test('an image is mirrored before it is cut or laid on a canvas', async () => {
  const crop = { left: 0, top: 0, width: 40, height: 20 }
  const canvas = { size: { width: 100, height: 40 }, left: 0, top: 0 }
  const { decoded: cut } = await run(await quartersPng(), { flip: 'hv', crop })
  const { decoded: laid } = await run(await quartersPng(), { flip: 'hv', canvas })

  for (const [x, y] of [
    [1, 1],
    [38, 18],
  ] as const)
    expect(distance(cut.at(x, y), yellow)).toBeLessThan(3)
  expect(distance(laid.at(5, 5), yellow)).toBeLessThan(3)
  expect(laid.at(95, 5)[3]).toBe(0)
})

test('the frames of an animation stay in their order when each is turned upside down', async () => {
  const [frames, below] = [
    [red, green, white],
    [blue, yellow, black],
  ]
  const painter = (_x: number, y: number) =>
    (y % 10 < 5 ? frames : below)[Math.floor(y / 10)] ?? black
  const strip = await painted({ width: 20, height: 30 }, painter).ensureAlpha().raw().toBuffer()
  const raw = { width: 20, height: 30, channels: 4, pageHeight: 10 } as const
  const bytes = await sharp(strip, { raw })
    .gif({ delay: [50, 70, 90] })
    .toBuffer()
  const output: OutputSpec = { ...png, format: 'webp', quality: 95 }
  const box = { left: 0, top: 0, width: 20, height: 4 }
  for (const wish of [{}, { blurSigma: 0.4 }, { crop: box }]) {
    const moved = { flip: 'v', isAnimated: true, output, ...wish } as const
    const { image } = await run({ format: 'gif', bytes }, moved)

    expect(image.frames).toBe(3)
    for (const [index, color] of below.entries())
      expect(distance((await decode(image.bytes, index)).at(10, 1), color)).toBeLessThan(40)
    expect((await sharp(image.bytes, { animated: true }).metadata()).delay).toEqual([50, 70, 90])
  }
})

test('cropping keeps the box of the scaled picture that was asked for', async () => {
  const { decoded } = await run(await quartersPng(), {
    resize: { width: 160, height: 80 },
    crop: { left: 82, top: 42, width: 50, height: 30 },
  })

  expect([decoded.width, decoded.height]).toEqual([50, 30])
  expect(distance(decoded.at(10, 10), yellow)).toBeLessThan(3)
})

for (const [format, around] of [
  ['png', clear],
  ['webp', clear],
  ['avif', clear],
  ['jpeg', white],
] as const)
  test(`the canvas around a picture is ${around === clear ? 'transparent' : 'white'} in ${format}`, async () => {
    const { decoded } = await run(await quartersPng(), {
      resize: { width: 40, height: 20 },
      canvas: { size: { width: 40, height: 60 }, left: 0, top: 10 },
      output: { ...png, format, quality: 95, isGraphic: true },
    })

    expect([decoded.width, decoded.height]).toEqual([40, 60])
    expect(distance(decoded.at(8, 18), red)).toBeLessThan(16)
    for (const y of [2, 55]) expect(isLike(decoded.at(20, y), around)).toBe(true)
  })

/** Colour does not count where nothing is to be seen. */
const isLike = (pixel: readonly number[], color: Color): boolean =>
  color === clear ? (pixel[3] ?? 255) < 8 : distance(pixel, color) < 8

test('what is transparent stays so, and becomes white where the format cannot say it', async () => {
  const half = painted({ ...shape, channels: 4 }, (x) => (x < 40 ? red : [0, 0, 0, 0]))
  const picture: Picture = { format: 'png', bytes: await half.png().toBuffer() }

  for (const format of ['png', 'webp', 'avif'] as const) {
    const { decoded } = await run(picture, { output: { ...png, format } })
    expect(decoded.channels).toBe(4)
    expect(decoded.at(70, 20)[3]).toBeLessThan(8)
    expect(decoded.at(10, 20)[3]).toBeGreaterThan(247)
  }
  const { decoded } = await run(picture, { output: { ...png, format: 'jpeg' } })
  expect(distance(decoded.at(70, 20), white)).toBeLessThan(4)
})

test('a picture lies as its EXIF orientation says, in all eight', async () => {
  for (let orientation = 1; orientation <= 8; orientation += 1) {
    const bytes = await storedAs(orientation)
    const { header, decoded } = await run(
      { format: 'jpeg', bytes },
      { resize: { width: 80, height: 40 } },
    )

    expect([header.width, header.height]).toEqual([80, 40])
    expect(distance(decoded.at(10, 10), red)).toBeLessThan(12)
    expect(distance(decoded.at(70, 10), green)).toBeLessThan(12)
    expect(distance(decoded.at(10, 30), blue)).toBeLessThan(12)
  }
})

test('it lies as its pixels are stored where that is asked for', async () => {
  for (let orientation = 1; orientation <= 8; orientation += 1) {
    const bytes = await storedAs(orientation)
    const resize = orientation < 5 ? { width: 80, height: 40 } : { width: 40, height: 80 }
    const { decoded } = await run({ format: 'jpeg', bytes }, { resize, isAsStored: true })
    const placeOf = placeByOrientation[orientation]
    for (const [x, y] of [
      [10, 10],
      [30, 30],
    ] as const) {
      const wanted = quarters(shape)(...(placeOf?.(x, y) ?? [0, 0]))
      expect(`${orientation} ${distance(decoded.at(x, y), wanted) < 12}`).toBe(
        `${orientation} true`,
      )
    }
  }
})

const { width: w, height: h } = shape
/** Which place of the upright image is stored at x, y (EXIF 2.32, tag 0112). */
const placeByOrientation: Readonly<Record<number, (x: number, y: number) => [number, number]>> = {
  1: (x, y) => [x, y],
  2: (x, y) => [w - 1 - x, y],
  3: (x, y) => [w - 1 - x, h - 1 - y],
  4: (x, y) => [x, h - 1 - y],
  5: (x, y) => [y, x],
  6: (x, y) => [w - 1 - y, x],
  7: (x, y) => [w - 1 - y, h - 1 - x],
  8: (x, y) => [y, h - 1 - x],
}

/** Stores an image so that a reader has to turn it by `orientation` to see it upright. */
async function storedAs(orientation: number): Promise<Buffer> {
  const stored = orientation < 5 ? { width: w, height: h } : { width: h, height: w }
  const upright = quarters(shape)
  const placeOf = placeByOrientation[orientation]
  return await painted(stored, (x, y) => upright(...(placeOf?.(x, y) ?? [0, 0])))
    .withMetadata({ orientation })
    .jpeg({ quality: 95, chromaSubsampling: '4:4:4' })
    .toBuffer()
}

test('colours of a wide profile are converted to sRGB, and the profile goes', async () => {
  const bytes = await painted(shape, () => [200, 60, 60])
    .withIccProfile('p3')
    .png()
    .toBuffer()
  const { image, decoded } = await run({ format: 'png', bytes })

  expect(distance(decoded.at(5, 5), [200, 60, 60])).toBeLessThan(4)
  expect((await sharp(image.bytes).metadata()).icc).toBeUndefined()
})

test('CMYK and 16-bit sources become 8-bit sRGB', async () => {
  const cmyk = await painted(shape, () => red)
    .toColourspace('cmyk')
    .jpeg({ quality: 95 })
    .toBuffer()
  const deep = await painted(shape, () => red)
    .toColourspace('rgb16')
    .png()
    .toBuffer()
  const pictureByName = {
    cmyk: { format: 'jpeg', bytes: cmyk },
    deep: { format: 'png', bytes: deep },
  } as const

  for (const [name, picture] of Object.entries(pictureByName)) {
    const { image, decoded } = await run(picture)
    const metadata = await sharp(image.bytes).metadata()
    expect([name, metadata.space, metadata.depth]).toEqual([name, 'srgb', 'uchar'])
    expect(distance(decoded.at(5, 5), red)).toBeLessThan(name === 'cmyk' ? 60 : 3)
  }
})

test('a grey source keeps its tone', async () => {
  const bytes = await painted(shape, () => [90, 90, 90])
    .toColourspace('b-w')
    .png()
    .toBuffer()
  const { decoded } = await run({ format: 'png', bytes }, { blurSigma: 40 })

  expect(distance(decoded.at(5, 5).slice(0, 3), [90, 90, 90])).toBeLessThan(3)
})

test('metadata does not leave the house', async () => {
  const bytes = await painted(shape, () => red)
    .withExif({ IFD0: { Copyright: 'someone' }, IFD3: { GPSLatitudeRef: 'N' } })
    .jpeg()
    .toBuffer()
  for (const format of ['jpeg', 'webp', 'avif', 'png'] as const) {
    const { image } = await run({ format: 'jpeg', bytes }, { output: { ...png, format } })
    const { exif, xmp, iptc, icc } = await sharp(image.bytes).metadata()
    expect([format, exif, xmp, iptc, icc]).toEqual([format, ...Array(4)])
  }
})

const edge = { width: 400, height: 60 }
const edgePng = async (): Promise<Picture> => ({
  format: 'png',
  bytes: await painted(edge, (x) => (x < 200 ? black : white))
    .png()
    .toBuffer(),
})

/** How many pixels an edge takes from 16 % to 84 % of its height: twice the standard deviation. */
async function edgeWidth(blurSigma: number): Promise<number> {
  const { decoded } = await run(await edgePng(), { blurSigma })
  const row = Array.from({ length: edge.width }, (_, x) => decoded.at(x, 30)[0] ?? 0)
  return row.filter((value) => value > 0.159 * 255 && value < 0.841 * 255).length
}

test('a blur has the standard deviation that was asked for, from the smallest to the largest', async () => {
  for (const sigma of [0.5, 1, 2, 5, 10, 15.5, 16, 16.5, 20, 31.5, 32, 40, 60])
    expect(Math.abs((await edgeWidth(sigma)) - 2 * sigma)).toBeLessThan(2 + sigma * 0.12)
  expect(await edgeWidth(125)).toBeGreaterThan(150)
})

test('there is no cliff where a blur begins to be made on a smaller copy', async () => {
  const photo = { width: 300, height: 200 }
  const bytes = await painted(photo, photoPainter(7)).png().toBuffer()
  const light = (await run({ format: 'png', bytes }, { blurSigma: 16 })).decoded.pixels
  const strong = (await run({ format: 'png', bytes }, { blurSigma: 16.5 })).decoded.pixels

  expect(
    Math.max(...light.map((value, index) => Math.abs(value - (strong[index] ?? 0)))),
  ).toBeLessThan(8)
})

test('sharpening raises the contrast of an edge, more for more', async () => {
  const soft = painted(edge, (x) => {
    const value = Math.max(80, Math.min(170, 125 + (x - 200) * 15))
    return [value, value, value]
  })
  const picture: Picture = { format: 'png', bytes: await soft.png().toBuffer() }
  const contrasts: number[] = []
  for (const sharpen of [undefined, 1, 2, 4, 7, 10]) {
    const { decoded } = await run(picture, sharpen === undefined ? {} : { sharpen })
    const row = Array.from({ length: edge.width }, (_, x) => decoded.at(x, 30)[0] ?? 0)
    contrasts.push(Math.max(...row) - Math.min(...row))
    expect(row[20]).toBe(80)
  }

  expect(contrasts).toEqual(contrasts.toSorted((a, b) => a - b))
  expect(new Set(contrasts).size).toBe(contrasts.length)
})

for (const format of ['jpeg', 'webp', 'avif'] as const)
  test(`a higher quality of ${format} has more bytes and is nearer to the source`, async () => {
    const photo = { width: 160, height: 120 }
    const source = await painted(photo, photoPainter(3)).png().toBuffer()
    const original = (await decode(source)).pixels
    const results = await Promise.all(
      [20, 50, 80, 95].map(async (quality) => {
        const output: OutputSpec = { ...png, format, quality }
        const { image, decoded } = await run({ format: 'png', bytes: source }, { output })
        const error = decoded.pixels.reduce(
          (sum, value, index) => sum + (value - (original[index] ?? 0)) ** 2,
          0,
        )
        return { bytes: image.bytes.length, error }
      }),
    )

    const sizes = results.map(({ bytes }) => bytes)
    const errors = results.map(({ error }) => error)
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b))
    expect(errors).toEqual(errors.toSorted((a, b) => b - a))
  })

test('the bytes are of the format that was asked for', async () => {
  for (const [format, expected] of [
    ['jpeg', 'jpeg'],
    ['png', 'png'],
    ['webp', 'webp'],
    ['gif', 'gif'],
    ['avif', 'heif'],
  ] as const) {
    const { image } = await run(await quartersPng(), { output: { ...png, format } })
    expect((await sharp(image.bytes).metadata()).format).toBe(expected)
  }
})

test('an animated image moves on, in its own time, in WebP and GIF', async () => {
  const moving = await movingImage({ ...shape, colors: [red, green, blue], delayMs: 70 })
  const picture: Picture = { format: 'gif', bytes: await moving.gif().toBuffer() }
  for (const format of ['webp', 'gif'] as const) {
    const { header, image } = await run(picture, {
      isAnimated: true,
      resize: { width: 40, height: 20 },
      output: { ...png, format },
    })
    const metadata = await sharp(image.bytes, { animated: true }).metadata()

    expect(header.frames).toBe(3)
    expect([image.width, image.height, image.frames]).toEqual([40, 20, 3])
    expect([metadata.pages, metadata.pageHeight, metadata.loop]).toEqual([3, 20, 3])
    expect(metadata.delay).toEqual([70, 70, 70])
    for (const [page, color] of [red, green, blue].entries())
      expect(distance((await decode(image.bytes, page)).at(20, 10), color)).toBeLessThan(12)
  }
})

test('an animated image can be had as its first frame', async () => {
  const moving = await movingImage({ ...shape, colors: [red, green], delayMs: 70 })
  const { image, decoded } = await run({ format: 'gif', bytes: await moving.gif().toBuffer() })

  expect([image.width, image.height, image.frames]).toEqual([80, 40, 1])
  expect(distance(decoded.at(20, 10), red)).toBeLessThan(6)
})

test('frames are cropped, padded and blurred each by itself', async () => {
  const moving = await movingImage({ ...shape, colors: [red, blue], delayMs: 70 })
  const picture: Picture = { format: 'gif', bytes: await moving.gif().toBuffer() }
  const output: OutputSpec = { ...png, format: 'webp', quality: 95 }
  const cropped = await run(picture, {
    isAnimated: true,
    crop: { left: 10, top: 5, width: 30, height: 30 },
    output,
  })
  const padded = await run(picture, {
    isAnimated: true,
    canvas: { size: { width: 80, height: 80 }, left: 0, top: 20 },
    output,
  })
  const blurred = await run(picture, { isAnimated: true, blurSigma: 12, output })

  expect([cropped.image.width, cropped.image.height, cropped.image.frames]).toEqual([30, 30, 2])
  expect([padded.image.width, padded.image.height, padded.image.frames]).toEqual([80, 80, 2])
  expect((await decode(padded.image.bytes, 1)).at(40, 5)[3]).toBe(0)
  expect(distance((await decode(padded.image.bytes, 1)).at(40, 40), blue)).toBeLessThan(12)
  expect(blurred.image.frames).toBe(2)
  expect((await sharp(blurred.image.bytes, { animated: true }).metadata()).delay).toEqual([70, 70])
  for (const y of [0, 20, 39])
    expect(distance((await decode(blurred.image.bytes, 0)).at(40, y), red)).toBeLessThan(12)
})

test('an SVG is drawn at the size that is asked for, sharp at its edges', async () => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10" viewBox="0 0 20 10">
    <rect width="10" height="10" fill="rgb(220,40,40)"/></svg>`
  const { header, decoded } = await run(
    { format: 'svg', bytes: svg },
    { resize: { width: 800, height: 400 } },
  )

  expect([header.width, header.height]).toEqual([20, 10])
  expect([decoded.width, decoded.height]).toEqual([800, 400])
  expect(distance(decoded.at(397, 200), red)).toBeLessThan(3)
  expect(decoded.at(403, 200)[3]).toBe(0)
})

test('pixels kept bare give the same picture', async () => {
  const half = { ...shape, channels: 4 } as const
  const pixels = await painted(half, (x) => (x < 40 ? red : clear))
    .raw()
    .toBuffer()
  const path = await pictures.write('bare', pixels)
  const { result: image } = await renderer.run({
    kind: 'transform',
    source: { path, format: 'png', size: shape, isSrgb: true, raw: half },
    isAnimated: false,
    resize: { width: 40, height: 20 },
    output: png,
  })
  const decoded = await decode(image.bytes)

  expect(distance(decoded.at(10, 10), [...red, 255])).toBeLessThan(3)
  expect(decoded.at(30, 10)[3]).toBe(0)
})

test('text of a drawing is set in the bundled font, whatever font it asks for, in two weights', async () => {
  const inkOf = async (attributes: string) => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="50">
      <text x="5" y="38" font-size="36" ${attributes}>Seggé Ωж</text></svg>`
    const { decoded } = await run({ format: 'svg', bytes: svg })
    return decoded.pixels.filter((value, index) => index % 4 === 3 && value > 128).length
  }
  const plain = await inkOf('font-family="sans-serif"')
  const bold = await inkOf('font-family="sans-serif" font-weight="bold"')

  expect(plain).toBeGreaterThan(500)
  expect(bold).toBeGreaterThan(plain * 1.1)
  for (const family of ['Helvetica', 'Nobody Has This', 'serif', 'monospace'])
    expect(await inkOf(`font-family="${family}"`)).toBe(plain)
})

test('only what was asked for is opened, whatever a file turns out to be inside', async () => {
  const gif = await painted(shape, () => red)
    .gif()
    .toBuffer()
  const path = await pictures.write('lying.png', gif)
  const failure = await renderer
    .run({ kind: 'inspect', path, format: 'png' })
    .then(undefined, (error: unknown) => error)

  expect(failure).toMatchObject({ reason: 'unsupported-type' })
})
