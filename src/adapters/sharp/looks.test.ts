import { afterAll, beforeAll, expect, test } from 'bun:test'
import sharp from 'sharp'

import { patient } from '../../../test/fixtures/patience.ts'
import {
  blue,
  decode,
  distance,
  green,
  movingImage,
  painted,
  photoPainter,
  quarters,
  red,
  sampleImageDirectory,
  white,
  yellow,
} from '../../../test/fixtures/sample-images.ts'
import type { OutputSpec, SourceFormat, TransformJob } from '../../ports/media/renderer.ts'
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
const shape = { width: 80, height: 40 }
let count = 0

interface Image {
  readonly format: SourceFormat
  readonly bytes: Uint8Array | string
}

const quartersImage = async (): Promise<Image> => ({
  format: 'png',
  bytes: await painted(shape, quarters(shape)).png().toBuffer(),
})

/** Transforms an image at its own size, unless told otherwise. */
async function run({ format, bytes }: Image, wanted: Partial<TransformJob> = {}) {
  count += 1
  const path = await images.write(`${count}.${format}`, bytes)
  const { result: header } = await renderer.run({ kind: 'inspect', path, format })
  const size = { width: header.width, height: header.height }
  const { result: image } = await renderer.run({
    kind: 'transform',
    source: { path, format, size, isSrgb: header.isSrgb, frames: header.frames },
    isAnimated: false,
    resize: size,
    output: png,
    ...wanted,
  })
  return { image, decoded: await decode(image.bytes) }
}

const movingGif = async () =>
  await (await movingImage({ ...shape, colors: [red, blue], delayMs: 80 })).gif().toBuffer()

const isNear = (a: readonly number[], b: readonly (number | undefined)[]) => distance(a, b) < 4
const clear = 0

test('a part of the source is taken before it is scaled', async () => {
  const region = { left: 40, top: 0, width: 40, height: 20 }
  const { decoded } = await run(await quartersImage(), {
    region,
    resize: { width: 20, height: 10 },
  })

  expect([decoded.width, decoded.height]).toEqual([20, 10])
  for (const [x, y] of [
    [0, 0],
    [19, 9],
  ] as const)
    expect(isNear(decoded.at(x, y), green)).toBe(true)
})

test('a part of an SVG is named in its natural size, whatever size it is drawn at', async () => {
  const bytes =
    '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="40"><rect width="40" height="40" fill="rgb(220,40,40)"/><rect x="40" width="40" height="40" fill="rgb(40,70,210)"/></svg>'
  const region = { left: 30, top: 10, width: 20, height: 20 }
  const { decoded } = await run(
    { format: 'svg', bytes },
    { region, resize: { width: 200, height: 200 } },
  )

  expect([decoded.width, decoded.height]).toEqual([200, 200])
  expect(isNear(decoded.at(95, 100), red)).toBe(true)
  expect(isNear(decoded.at(105, 100), blue)).toBe(true)
})

for (const [rotate, corners] of [
  [90, [blue, red, yellow, green]],
  [270, [green, yellow, red, blue]],
] as const)
  test(`an image is turned clockwise by ${rotate}, and cut and laid down as it is seen then`, async () => {
    const { decoded } = await run(await quartersImage(), { rotate })
    const canvas = { size: { width: 60, height: 80 }, left: 10, top: 0 }
    const { decoded: laid } = await run(await quartersImage(), { rotate, canvas })
    const crop = { left: 20, top: 0, width: 20, height: 80 }
    const { decoded: cut } = await run(await quartersImage(), { rotate, crop })

    const seen = [decoded.at(2, 2), decoded.at(37, 2), decoded.at(2, 77), decoded.at(37, 77)].map(
      (color, index) => isNear(color, corners[index] ?? white),
    )
    expect([decoded.width, decoded.height, ...seen]).toEqual([40, 80, true, true, true, true])
    expect([laid.width, laid.height, laid.at(5, 5)[3]]).toEqual([60, 80, clear])
    expect(isNear(laid.at(12, 2), corners[0])).toBe(true)
    expect([cut.width, cut.height, isNear(cut.at(2, 2), corners[1])]).toEqual([20, 80, true])
  })

test('what is turned has been oriented by its EXIF before', async () => {
  const bytes = await painted(shape, quarters(shape))
    .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
    .withMetadata({ orientation: 6 })
    .toBuffer()
  const { decoded } = await run({ format: 'jpeg', bytes }, { rotate: 270 })

  expect([decoded.width, decoded.height]).toEqual([80, 40])
  expect(distance(decoded.at(5, 5), red)).toBeLessThan(12)
})

test('corners are rounded and smoothed, and nothing else is touched', async () => {
  const { decoded } = await run(await quartersImage(), { radius: 20 })

  for (const [x, y] of [
    [0, 0],
    [79, 0],
    [0, 39],
    [79, 39],
  ] as const)
    expect(decoded.at(x, y)[3]).toBe(clear)
  for (const [x, y] of [
    [20, 0],
    [0, 20],
    [40, 39],
    [10, 10],
  ] as const)
    expect(decoded.at(x, y)[3]).toBe(255)
  const edge = Array.from({ length: 20 }, (_, x) => decoded.at(x, x)[3] ?? 0)
  expect(edge.some((alpha) => alpha > 0 && alpha < 255)).toBe(true)
  let area = 0
  for (let y = 0; y < 40; y += 1)
    for (let x = 0; x < 80; x += 1) area += (decoded.at(x, y)[3] ?? 0) / 255
  expect(Math.abs(area - (40 * 40 + Math.PI * 400))).toBeLessThan(4)
})

test('rounded corners have the background where there is one, also after an effect', async () => {
  const wanted = { radius: 20, background: '#00ff00', blurSigma: 1, sharpen: 2 }
  const { decoded } = await run(await quartersImage(), wanted)
  const jpeg = { ...png, format: 'jpeg', quality: 100 } as const
  const { decoded: white100 } = await run(await quartersImage(), { radius: 20, output: jpeg })

  expect(isNear(decoded.at(0, 0), [0, 255, 0, 255])).toBe(true)
  expect(distance(white100.at(0, 0), white)).toBeLessThan(12)
})

test('every frame of what is animated is rounded and turned to blocks by itself', async () => {
  const bytes = await movingGif()
  const wanted = {
    isAnimated: true,
    radius: 6,
    output: { ...png, format: 'webp', quality: 100 },
  } as const
  const { image } = await run({ format: 'gif', bytes }, wanted)
  const { data, info } = await sharp(image.bytes, { animated: true })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const frameHeight = info.pageHeight ?? info.height
  const corners = Array.from(
    { length: info.height / frameHeight },
    (_, frame) => data[frame * frameHeight * info.width * 4 + 3],
  )

  expect(corners.length).toBeGreaterThan(1)
  expect(new Set(corners)).toEqual(new Set([clear]))
})

test('padding is added around the finished image, in the background', async () => {
  const padding = { top: 1, right: 2, bottom: 3, left: 4 }
  const crop = { left: 0, top: 0, width: 40, height: 20 }
  const { decoded, image } = await run(await quartersImage(), { padding })
  const { decoded: colored } = await run(await quartersImage(), {
    padding,
    crop,
    blurSigma: 2,
    background: '#2846d2',
  })

  expect([decoded.width, decoded.height, image.width, image.height]).toEqual([86, 44, 86, 44])
  expect([decoded.at(3, 1)[3], decoded.at(4, 0)[3]]).toEqual([clear, clear])
  expect(isNear(decoded.at(4, 1), red)).toBe(true)
  expect([colored.width, colored.height]).toEqual([46, 24])
  expect(isNear(colored.at(3, 12), blue)).toBe(true)
  expect(isNear(colored.at(6, 12), red)).toBe(true)
})

test('what is transparent gets the background', async () => {
  const bytes = '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>'
  const { decoded } = await run({ format: 'svg', bytes }, { background: '#ff8800' })

  expect(isNear(decoded.at(5, 5), [255, 136, 0, 255])).toBe(true)
})

const plainAdjustment = { brightness: 1, contrast: 1, saturation: 1, tint: undefined }
const adjusted = async (color: string, adjust: Partial<TransformJob['adjust'] & object>) => {
  const bytes = await sharp({ create: { ...shape, channels: 3, background: color } })
    .png()
    .toBuffer()
  const { decoded } = await run(
    { format: 'png', bytes },
    { adjust: { ...plainAdjustment, ...adjust } },
  )
  return decoded.at(10, 10)
}

test('colours are lightened, spread, drained and tinted as the factors say', async () => {
  expect(isNear(await adjusted('#204060', { brightness: 2 }), [64, 128, 192, 255])).toBe(true)
  expect(isNear(await adjusted('#c0c0c0', { contrast: 0.5 }), [160, 160, 160, 255])).toBe(true)
  expect(isNear(await adjusted('#808080', { contrast: 3 }), [128, 128, 128, 255])).toBe(true)
  const grey = Math.round(0.2126 * 255)
  expect(isNear(await adjusted('#ff0000', { saturation: 0 }), [grey, grey, grey, 255])).toBe(true)
  const [r = 0, g = 0, b = 0] = await adjusted('#808080', { tint: '#ff0000' })
  expect(r).toBeGreaterThan(g + 50)
  expect(Math.abs(g - b)).toBeLessThan(40)
})

test('blocks have the mean of their pixels, everywhere or in boxes alone', async () => {
  const { decoded } = await run(await quartersImage(), { pixelate: { size: 80 } })
  const boxes = [{ left: 30, top: 10, width: 20, height: 20 }]
  const { decoded: part } = await run(await quartersImage(), { pixelate: { size: 20, boxes } })
  const mean = ([0, 1, 2] as const).map(
    (channel) => (red[channel] + green[channel] + blue[channel] + yellow[channel]) / 4,
  )

  expect(isNear(decoded.at(0, 0), mean)).toBe(true)
  expect(isNear(part.at(30, 10), mean)).toBe(true)
  expect(isNear(part.at(49, 29), mean)).toBe(true)
  expect(isNear(part.at(29, 10), red)).toBe(true)
})

const photograph = async (): Promise<Image> => ({
  format: 'jpeg',
  bytes: await painted({ width: 600, height: 400 }, photoPainter(7))
    .jpeg({ quality: 95 })
    .toBuffer(),
})

for (const format of ['jpeg', 'webp', 'avif'] as const)
  test(`${format} has no more bytes than it may, and hardly fewer than it needs to`, async () => {
    const output = { ...png, format, quality: 90 }
    const { image: free } = await run(await photograph(), { output })
    const maxBytes = Math.round(free.bytes.length / 2)
    const { image } = await run(await photograph(), { output: { ...output, maxBytes } })
    const { image: hopeless } = await run(await photograph(), {
      output: { ...output, maxBytes: 500 },
    })

    expect(image.bytes.length).toBeLessThanOrEqual(maxBytes)
    expect(image.bytes.length).toBeGreaterThan(maxBytes * 0.8)
    expect(hopeless.bytes.length).toBeGreaterThan(500)
    expect(hopeless.bytes.length).toBeLessThan(image.bytes.length)
  }, 30_000)

for (const format of ['webp', 'avif'] as const)
  test(`${format} without loss has every pixel as it was`, async () => {
    const source = await photograph()
    const { decoded: exact } = await run(source)
    const { decoded } = await run(source, { output: { ...png, format, isLossless: true } })

    for (let y = 0; y < 400; y += 7)
      for (let x = 0; x < 600; x += 7) expect(decoded.at(x, y)).toEqual(exact.at(x, y))
  })

test('a jpeg and a png can show coarsely at first', async () => {
  for (const format of ['jpeg', 'png'] as const) {
    const { image } = await run(await photograph(), {
      output: { ...png, format, isProgressive: true },
    })
    expect((await sharp(image.bytes).metadata()).isProgressive).toBe(true)
  }
})

test('filters make a png of a photograph smaller, and change no pixel', async () => {
  const source = await photograph()
  const { image, decoded } = await run(source)
  const { image: filtered, decoded: same } = await run(source, {
    output: { ...png, hasFilters: true },
  })

  expect(filtered.bytes.length).toBeLessThan(image.bytes.length * 0.95)
  for (let x = 0; x < 600; x += 13) expect(same.at(x, 200)).toEqual(decoded.at(x, 200))
})

const inscribed = async (): Promise<Image> => ({
  format: 'jpeg',
  bytes: await painted({ width: 600, height: 400 }, photoPainter(7))
    .withExif({
      IFD0: { Artist: 'A. Painter', Copyright: 'The painter' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' },
    })
    .jpeg()
    .toBuffer(),
})

test('creator and copyright are kept where that is wanted, a place only with everything', async () => {
  const said = async (output: Partial<OutputSpec>, wanted: Partial<TransformJob> = {}) => {
    const { image } = await run(await inscribed(), {
      ...wanted,
      output: { ...png, format: 'jpeg', ...output },
    })
    const { exif } = await sharp(image.bytes).metadata()
    const text = exif?.toString('latin1') ?? ''
    return ['A. Painter', 'The painter'].map((each) => text.includes(each)).concat(hasPlace(exif))
  }

  expect(await said({})).toEqual([false, false, false])
  expect(await said({ metadata: 'copyright' })).toEqual([true, true, false])
  expect(await said({ metadata: 'copyright', maxBytes: 20_000 })).toEqual([true, true, false])
  expect(await said({ metadata: 'all' })).toEqual([true, true, true])
  expect(await said({ metadata: 'all' }, { radius: 9 })).toEqual([true, true, false])
})

/** The tag of the directory of places, in either byte order. */
const hasPlace = (exif: Buffer | undefined): boolean =>
  exif !== undefined &&
  (exif.includes(Buffer.from('8825', 'hex')) || exif.includes(Buffer.from('2588', 'hex')))

test('one frame of what is animated is a still image', async () => {
  const bytes = await movingGif()
  const { decoded: first, image } = await run({ format: 'gif', bytes })
  const { decoded: second } = await run({ format: 'gif', bytes }, { frame: 1 })

  expect(image.frames).toBe(1)
  expect([second.width, second.height]).toEqual([first.width, first.height])
  expect(distance(first.at(5, 5), second.at(5, 5))).toBeGreaterThan(50)
})

test('the border of an image is found, whatever it is made of', async () => {
  const inner = await sharp({
    create: { width: 30, height: 20, channels: 3, background: '#ff0000' },
  })
    .png()
    .toBuffer()
  for (const [format, background, orientation] of [
    ['png', '#fefefe', 1],
    ['png', { r: 0, g: 0, b: 0, alpha: 0 }, 1],
    ['jpeg', '#fefefe', 1],
    ['jpeg', '#fefefe', 6],
  ] as const) {
    const framed = sharp({ create: { width: 100, height: 80, channels: 4, background } }).composite(
      [{ input: inner, left: 40, top: 25 }],
    )
    const bytes = await (
      format === 'png'
        ? framed.png()
        : framed.flatten().jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
    )
      .withMetadata({ orientation })
      .toBuffer()
    count += 1
    const path = await images.write(`${count}.${format}`, bytes)
    const { result: header } = await renderer.run({ kind: 'inspect', path, format })
    const size = { width: header.width, height: header.height }
    const source = { path, format, size, isSrgb: true }
    const { result } = await renderer.run({ kind: 'trim', source, threshold: 20 })

    expect([format, result]).toEqual([
      format,
      orientation === 6
        ? { left: 35, top: 40, width: 20, height: 30 }
        : { left: 40, top: 25, width: 30, height: 20 },
    ])
  }
})

test('of an image of one colour everything is left; a large one is rounded outwards', async () => {
  const bytes = await sharp({ create: { width: 30, height: 20, channels: 3, background: 'red' } })
    .png()
    .toBuffer()
  const path = await images.write('plain.png', bytes)
  const source = { path, format: 'png', size: { width: 30, height: 20 }, isSrgb: true } as const
  const { result } = await renderer.run({ kind: 'trim', source, threshold: 1 })
  expect(result).toEqual({ left: 0, top: 0, width: 30, height: 20 })

  const inner = await sharp({
    create: { width: 1000, height: 700, channels: 3, background: 'red' },
  })
    .png()
    .toBuffer()
  const large = await sharp({
    create: { width: 5000, height: 2500, channels: 3, background: 'white' },
  })
    .composite([{ input: inner, left: 1003, top: 501 }])
    .png()
    .toBuffer()
  const size = { width: 5000, height: 2500 }
  const largePath = await images.write('large.png', large)
  const { result: box } = await renderer.run({
    kind: 'trim',
    source: { path: largePath, format: 'png', size, isSrgb: true },
    threshold: 20,
  })
  expect(box.left).toBeLessThanOrEqual(1003)
  expect(box.left).toBeGreaterThan(995)
  expect(box.left + box.width).toBeGreaterThanOrEqual(2003)
  expect(box.left + box.width).toBeLessThan(2011)
})

const overlaid = async (format: SourceFormat, bytes: Uint8Array | string) => {
  count += 1
  const path = await images.write(`${count}.${format}`, bytes)
  const { result: header } = await renderer.run({ kind: 'inspect', path, format })
  return { path, format, size: { width: header.width, height: header.height }, isSrgb: true }
}

const dot =
  '<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><rect width="10" height="10" fill="#000"/></svg>'

test('an overlay of another format is drawn in its box, as opaque as it is wanted', async () => {
  const source = await overlaid('svg', dot)
  const box = { left: 60, top: 20, width: 20, height: 20 }
  const wanted = { overlays: [{ source, box, opacity: 0.5 }] }
  const { decoded } = await run(await quartersImage(), wanted)
  const half = yellow.map((channel = 0) => channel / 2)

  expect(isNear(decoded.at(61, 21), half)).toBe(true)
  expect(isNear(decoded.at(79, 39), half)).toBe(true)
  expect(isNear(decoded.at(59, 21), yellow)).toBe(true)
  expect(isNear(decoded.at(61, 19), green)).toBe(true)
})

test('overlays lie one over another, on what is transparent too, and below rounded corners', async () => {
  const [black, white100] = [
    await overlaid('svg', dot),
    await overlaid(
      'png',
      await sharp({ create: { width: 4, height: 4, channels: 3, background: 'white' } })
        .png()
        .toBuffer(),
    ),
  ]
  const overlays = [
    { source: black, box: { left: 0, top: 0, width: 80, height: 40 }, opacity: 1 },
    { source: white100, box: { left: 30, top: 10, width: 20, height: 20 }, opacity: 1 },
  ]
  const bytes = '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="40"/>'
  const { decoded } = await run({ format: 'svg', bytes }, { overlays, radius: 10 })

  expect(decoded.at(0, 0)[3]).toBe(clear)
  expect(isNear(decoded.at(20, 20), [0, 0, 0, 255])).toBe(true)
  expect(isNear(decoded.at(40, 20), [255, 255, 255, 255])).toBe(true)
})

test('a tiled overlay is repeated with gaps, on every frame', async () => {
  const source = await overlaid('svg', dot)
  const box = { left: 0, top: 0, width: 10, height: 10 }
  const overlays = [{ source, box, opacity: 1, gap: 5 }]
  const { decoded } = await run(await quartersImage(), { overlays })
  const places = [
    [5, 5, true],
    [14, 14, true],
    [4, 5, false],
    [15, 5, false],
    [20, 5, true],
    [65, 20, true],
    [79, 20, false],
  ] as const
  expect(places.map(([x, y]) => isNear(decoded.at(x, y), [0, 0, 0, 255]))).toEqual(
    places.map(([, , isBlack]) => isBlack),
  )
  const { image } = await run(
    { format: 'gif', bytes: await movingGif() },
    { overlays, isAnimated: true, output: { ...png, format: 'gif' } },
  )
  expect(image.frames).toBe(2)
  for (const page of [0, 1])
    expect(distance((await decode(image.bytes, page)).at(8, 8), [0, 0, 0])).toBeLessThan(12)
})
