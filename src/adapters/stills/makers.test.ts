import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import sharp from 'sharp'

import { painted, quarters } from '../../../test/fixtures/sample-images.ts'
import {
  oggOf,
  flacOf,
  id3Of,
  mp4Of,
  notoSans,
  psdOf,
  woffOf,
} from '../../../test/fixtures/still-files.ts'
import { openTryOut, type TryOut } from './try-out.fixture.ts'

let trial: TryOut
beforeAll(async () => {
  trial = await openTryOut(['jxl', 'psd', 'tiff', 'audio', 'font'])
})
afterAll(() => trial[Symbol.asyncDispose]())

const size = { width: 96, height: 64 }
const sample = (name: string) =>
  Bun.file(join(import.meta.dir, '../../../test/fixtures/stills', name)).bytes()
const source = () => painted(size, quarters(size))

/** The colours in the middle of the four quarters. */
async function coloursOf(image: Uint8Array): Promise<readonly (readonly number[])[]> {
  const { data, info } = await sharp(image)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  expect([info.width, info.height]).toEqual([96, 64])
  return [
    [24, 16],
    [72, 16],
    [24, 48],
    [72, 48],
  ].map(([x = 0, y = 0]) => [...data.subarray((y * 96 + x) * 3, (y * 96 + x) * 3 + 3)])
}

function expectNear(found: readonly (readonly number[])[], most: number): void {
  const wanted = [
    [220, 40, 40],
    [40, 180, 60],
    [40, 70, 210],
    [240, 210, 40],
  ]
  for (const [index, colour] of wanted.entries())
    for (const [channel, value] of colour.entries())
      expect(Math.abs((found[index]?.[channel] ?? -1) - value)).toBeLessThanOrEqual(most)
}

test('a JPEG XL is decoded, bare or in a container', async () => {
  expectNear(await coloursOf((await trial.made('jxl', await sample('bare.jxl'))).bytes), 3)
  expectNear(await coloursOf((await trial.made('jxl', await sample('boxed.jxl'))).bytes), 8)
})

test('each page of a TIFF is decoded, and those that are not there are counted', async () => {
  const one = await source().tiff({ compression: 'lzw' }).toBuffer()
  const { bytes, pages } = await trial.made('tiff', one)
  expectNear(await coloursOf(bytes), 0)
  expect(pages).toBe(1)
  expect(await trial.make('tiff', one, { page: 2 })).toEqual({
    outcome: 'beyond',
    target: 'page',
    has: 'one page',
  })
})

test('a TIFF with 16 bits is shown in sRGB', async () => {
  const deep = await source().toColourspace('rgb16').tiff().toBuffer()
  expectNear(await coloursOf((await trial.made('tiff', deep)).bytes), 1)
})

for (const [what, options, most] of [
  ['bare', { isPacked: false }, 0],
  ['packed', { isPacked: true }, 0],
  ['with 16 bits', { isPacked: true, depth: 16 }, 0],
  ['in CMYK', { isPacked: true, isCmyk: true }, 3],
  ['with transparency', { isPacked: true, hasAlpha: true }, 0],
] as const)
  test(`all layers of a PSD together are shown: ${what}`, async () => {
    const psd = psdOf(size, quarters(size), options)
    expectNear(await coloursOf((await trial.made('psd', psd)).bytes), most)
  })

test('a large image becomes a JPEG of at most 4096 pixels a side', async () => {
  const wide = { width: 5000, height: 400 }
  const { bytes, format } = await trial.made('psd', psdOf(wide, quarters(wide), { isPacked: true }))
  const { width, height } = await sharp(bytes).metadata()
  expect([format, width, height]).toEqual(['jpeg', 4096, 328])
})

for (const [what, build] of [
  ['MP3', id3Of],
  ['FLAC', flacOf],
  ['Ogg', oggOf],
  ['MP4', mp4Of],
] as const)
  test(`the cover of a recording is what was put there: ${what}`, async () => {
    const front = await source().jpeg().toBuffer()
    const back = await source().resize(10).jpeg().toBuffer()
    const file = build([
      ...(what === 'MP4' ? [] : [{ of: 4, bytes: back }]),
      { of: 3, bytes: front },
    ])
    const made = await trial.made('audio', file)

    expect(made.format).toBe('jpeg')
    expect(Buffer.from(made.bytes).equals(front)).toBe(true)
    expect(await trial.make('audio', build([]))).toEqual({ outcome: 'none' })
  })

test('a cover that is no image of those that are read is none', async () => {
  const file = id3Of([{ of: 3, bytes: new TextEncoder().encode('http://example.com/a.jpg') }])
  expect(await trial.make('audio', file)).toEqual({ outcome: 'none' })
})

test('a font is shown by its name and its letters, in whatever it is packed', async () => {
  const bare = await notoSans()
  const one = await trial.made('font', bare)
  const { width, height } = await sharp(one.bytes).metadata()
  expect([width, height, one.format]).toEqual([1200, 800, 'png'])
  const packed = await trial.made('font', woffOf(bare))
  expect(Buffer.from(packed.bytes).equals(one.bytes)).toBe(true)

  const web = '@fontsource-variable/hanken-grotesk/files/hanken-grotesk-latin-wght-normal.woff2'
  const other = await trial.made(
    'font',
    await Bun.file(Bun.resolveSync(web, import.meta.dir)).bytes(),
  )
  const { channels } = await sharp(other.bytes).stats()
  // Black on white: something is written, and not much.
  expect(channels[0]?.mean).toBeGreaterThan(200)
  expect(channels[0]?.mean).toBeLessThan(252)
  expect(Buffer.from(other.bytes).equals(one.bytes)).toBe(false)
})
