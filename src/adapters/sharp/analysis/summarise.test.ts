import { afterAll, beforeAll, expect, test } from 'bun:test'
import sharp from 'sharp'
import { thumbHashToAverageRGBA, thumbHashToRGBA } from 'thumbhash'

import { patient } from '../../../../test/fixtures/patience.ts'
import {
  blue,
  clear,
  painted,
  photoPainter,
  quarters,
  red,
  sampleImageDirectory,
} from '../../../../test/fixtures/sample-images.ts'
import { type SourceFormat, UnrenderableImageError } from '../../../ports/media/renderer.ts'
import { openSharpRenderer, type SharpRenderer } from '../sharp-renderer.ts'

let images: Awaited<ReturnType<typeof sampleImageDirectory>>
let renderer: SharpRenderer
beforeAll(async () => {
  images = await sampleImageDirectory()
  renderer = await openSharpRenderer({ slots: 1, ...patient })
}, 60_000)
afterAll(async () => {
  await renderer[Symbol.asyncDispose]()
  await images[Symbol.asyncDispose]()
})

async function sourceOf(path: string, format: SourceFormat) {
  const { result: header } = await renderer.run({ kind: 'inspect', path, format })
  return { path, format, size: header, isSrgb: header.isSrgb }
}

const summarise = async (path: string, format: SourceFormat) =>
  (await renderer.run({ kind: 'summarise', source: await sourceOf(path, format) })).result

/** How far channels are apart, of 255. */
const meanDistance = (ours: Uint8Array, theirs: Uint8Array): number =>
  ours.reduce((sum, value, place) => sum + Math.abs(value - (theirs[place] ?? 0)), 0) / ours.length

const pixelsOf = (thumbHash: string) => thumbHashToRGBA(Buffer.from(thumbHash, 'base64'))

test.each(['jpeg', 'png', 'webp', 'avif'] as const)(
  'what stands for a large %s is what every pixel of it would have said',
  async (format) => {
    const shape = { width: 1800, height: 1200 }
    const bytes = await painted(shape, quarters(shape)).toFormat(format).toBuffer()
    const path = await images.write(`large.${format}`, bytes)
    const quick = await summarise(path, format)
    const source = await sourceOf(path, format)
    const job = { kind: 'analyse', source, mipWidths: [], findFaces: false } as const
    const { result: whole } = await renderer.run(job)

    expect(quick.colors.map(({ name }) => name).toSorted()).toEqual(
      whole.colors.map(({ name }) => name).toSorted(),
    )
    const [ours, theirs] = [pixelsOf(quick.thumbHash), pixelsOf(whole.thumbHash)]
    expect([ours.w, ours.h]).toEqual([theirs.w, theirs.h])
    expect(meanDistance(ours.rgba, theirs.rgba)).toBeLessThan(6)
    expect((await renderer.run({ ...job, summary: quick })).result).toMatchObject(quick)
  },
)

test('a photograph taken upright stands upright', async () => {
  const shape = { width: 900, height: 300 }
  const image = painted(shape, photoPainter(1)).withMetadata({ orientation: 6 })
  const path = await images.write('upright.jpg', await image.jpeg().toBuffer())
  const { w, h } = pixelsOf((await summarise(path, 'jpeg')).thumbHash)

  expect(h).toBeGreaterThan(2 * w)
})

test('what is transparent has no colour, and is seen through', async () => {
  const shape = { width: 300, height: 300, channels: 4 } as const
  const image = painted(shape, (x) => (x < 150 ? clear : blue))
  const path = await images.write('half.png', await image.png().toBuffer())
  const { thumbHash, colors } = await summarise(path, 'png')

  expect(colors.map(({ share }) => share)).toEqual([1])
  expect(thumbHashToAverageRGBA(Buffer.from(thumbHash, 'base64')).a).toBeCloseTo(0.5, 1)
})

test('an image of one pixel, a thin one and a drawing have one like any other', async () => {
  const one = await painted({ width: 1, height: 1 }, () => red)
    .png()
    .toBuffer()
  const thin = await painted({ width: 1, height: 900 }, () => red)
    .png()
    .toBuffer()
  const drawing =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4"><rect width="4" height="4" fill="#dc2828"/></svg>'
  const all = [
    await summarise(await images.write('one.png', one), 'png'),
    await summarise(await images.write('thin.png', thin), 'png'),
    await summarise(await images.write('a.svg', drawing), 'svg'),
  ]
  expect(all.map(({ colors }) => colors.map(({ hex }) => hex))).toEqual([
    ['#dc2828'],
    ['#dc2828'],
    ['#dc2828'],
  ])
})

test('of one that moves it is the first frame', async () => {
  const frames = [red, blue].map((color) => painted({ width: 60, height: 40 }, () => color))
  const buffers = await Promise.all(frames.map((frame) => frame.png().toBuffer()))
  const moving = await sharp(buffers, { join: { animated: true } })
    .gif()
    .toBuffer()
  const { colors } = await summarise(await images.write('moving.gif', moving), 'gif')

  expect(colors.map(({ name }) => name)).toEqual(['vivid red'])
})

test('one that breaks off is refused as damaged, and the next has one', async () => {
  const shape = { width: 800, height: 600 }
  const whole = await painted(shape, photoPainter(2)).jpeg().toBuffer()
  const path = await images.write('broken.jpg', whole.subarray(0, whole.length / 2))
  const source = { path, format: 'jpeg', size: shape, isSrgb: true } as const

  const failure = await renderer.run({ kind: 'summarise', source }).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(UnrenderableImageError)
  expect(failure).toMatchObject({ reason: 'damaged' })
  const sound = await images.write('whole.jpg', whole)
  expect((await summarise(sound, 'jpeg')).thumbHash).not.toBe('')
})
