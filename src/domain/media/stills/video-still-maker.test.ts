import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'

import { FfmpegDecoder } from '../../../adapters/ffmpeg/ffmpeg-decoder.ts'
import { BoxedStillMaker } from '../../../adapters/stills/boxed-still-maker.ts'
import { openSharpRenderer, type SharpRenderer } from '../../../adapters/sharp/sharp-renderer.ts'
import { type SampleClip, sampleClip } from '../../../../test/fixtures/media/sample-clips.ts'
import { sampleVideo } from '../../../../test/fixtures/media/sample-videos.ts'
import { clientPackages, ffmpeg, have, libheif } from '../../../../test/support/needs.ts'
import type { FrameDecoder } from '../../../ports/media/frame-decoder.ts'
import { UnrenderableImageError } from '../../../ports/media/renderer.ts'
import type { StillMaker, StillPlace } from '../../../ports/media/still-maker.ts'
import { createVideoStillMaker } from './video-still-maker.ts'

let directory: string
let renderer: SharpRenderer
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sedge-videos-'))
  renderer = await openSharpRenderer({ directory: join(directory, 'render') })
})
afterAll(async () => {
  await renderer[Symbol.asyncDispose]()
  await rm(directory, { recursive: true })
})

const absent: FrameDecoder = {
  codecs: ['h264', 'hevc', 'vp9'],
  install: 'install a decoder',
  maxMs: 1,
  isThere: () => false,
  decode: () => Promise.reject(new Error('It is not there')),
  [Symbol.asyncDispose]: async () => {},
}

const makerOf = (decoders: readonly FrameDecoder[], heif?: StillMaker) =>
  createVideoStillMaker({
    decoders,
    heif,
    renderer,
    async withFile(bytes, use) {
      const path = join(directory, 'handed')
      await writeFile(path, bytes)
      return await use(path)
    },
  })

async function made(maker: StillMaker, video: Uint8Array<ArrayBuffer>, at: StillPlace = {}) {
  const job = { kind: 'still', path: '', bytes: new Blob([video]), of: 'video', at } as const
  return (await maker.make(job)).result
}

const imageOf = (outcome: Awaited<ReturnType<typeof made>>): Uint8Array =>
  outcome.outcome === 'made' ? outcome.bytes : new Uint8Array()

const readable: readonly (readonly [SampleClip, string])[] = [
  ['vp8.webm', 'webp'],
  ['live.webm', 'webp'],
  ['av1.webm', 'avif'],
]

for (const [name, format] of readable)
  test(`a frame of ${name} is an image as it is: nothing has to be installed`, async () => {
    const still = await made(makerOf([absent]), await sampleClip(name), { seconds: 2.5 })

    expect(still).toMatchObject({ outcome: 'made', format })
    const { width, height } = await sharp(imageOf(still)).metadata()
    expect([width, height]).toEqual([160, 90])
  })

test('where nothing is installed that decodes a format, it says what to install', async () => {
  for (const name of ['regular', 'hevc', 'vp9'] as const)
    expect(await made(makerOf([absent]), await sampleVideo(name))).toEqual({
      outcome: 'absent',
      install: 'install a decoder',
    })
})

test('a frame of H.265 is handed to what reads HEIF, where no decoder is there', async () => {
  const paths: string[] = []
  const heif: StillMaker = {
    kinds: ['heic'],
    maxMs: 1,
    async make({ path, of }) {
      paths.push(`${of} ${await Bun.file(path).slice(4, 12).text()}`)
      return {
        result: { outcome: 'made', bytes: new Uint8Array(3), format: 'png' },
        cpuMs: 1,
        wallMs: 1,
      }
    },
    [Symbol.asyncDispose]: async () => {},
  }
  const still = await made(makerOf([absent], heif), await sampleVideo('hevc'))

  expect(still).toMatchObject({ outcome: 'made', format: 'png' })
  expect(paths).toEqual(['heic ftypheic'])
})

test.skipIf(!have('a frame of H.265 is decoded by libheif', libheif))(
  'a frame of H.265 is decoded by what reads HEIF, and is the one that was asked for',
  async () => {
    const directories = { directory: join(directory, 'stills'), packages: clientPackages }
    await using heif = new BoxedStillMaker({ ...directories, kinds: ['heic'] })
    const video = await sampleVideo('hevc')
    const [early, late] = [
      await made(makerOf([absent], heif), video, { seconds: 1 }),
      await made(makerOf([absent], heif), video, { seconds: 9 }),
    ]
    const sizes = await Promise.all([early, late].map((still) => sharp(imageOf(still)).metadata()))

    expect(sizes.map(({ width, height }) => [width, height])).toEqual([
      [160, 90],
      [160, 90],
    ])
    expect(await differenceOf(imageOf(early), imageOf(late))).toBeGreaterThan(4)
    if (!ffmpeg.isThere()) return
    const path = join(directory, 'hevc.mp4')
    await writeFile(path, video)
    expect(await differenceOf(imageOf(late), frameAt(path, 8))).toBeLessThan(8)
  },
)

test('sound alone, and formats that nobody knows, have nothing to be seen', async () => {
  for (const name of ['audio-only', 'unsupported'] as const)
    expect(await made(makerOf([absent]), await sampleVideo(name))).toEqual({ outcome: 'none' })
})

test('a broken video is refused with the reason', async () => {
  const video = (await sampleVideo('regular')).slice(0, 4000)
  const failure = await made(makerOf([absent]), video).catch((error: unknown) => error)

  expect(failure).toBeInstanceOf(UnrenderableImageError)
  expect(String(failure)).toContain('cut off')
})

test('a preview moves, and takes as long as was asked for', async () => {
  const preview = await made(makerOf([absent]), await sampleClip('vp8.webm'), { preview: 2 })
  const { pages = 0, delay = [], loop, width } = await sharp(imageOf(preview)).metadata()

  expect(pages).toBeGreaterThan(4)
  expect(delay.reduce((sum, each) => sum + each, 0)).toBeCloseTo(2000, -2)
  expect(loop).toBe(0)
  expect(width).toBe(160)
})

test('a sprite has each thumbnail where it was planned', async () => {
  const sprite = await made(makerOf([absent]), await sampleClip('av1.webm'), { isSprite: true })
  const { width, height } = await sharp(imageOf(sprite)).metadata()

  expect([width, height]).toEqual([4 * 160, 90])
})

/** What FFmpeg itself shows of a video. */
const frameAt = (path: string, seconds: number): Uint8Array =>
  Bun.spawnSync(
    `ffmpeg -v error -ss ${seconds} -i ${path} -frames:v 1 -f image2pipe -c:v png -`.split(' '),
  ).stdout

/** By how much of 255 two images differ on the whole. */
async function differenceOf(one: Uint8Array, other: Uint8Array): Promise<number> {
  const [ours, theirs] = await Promise.all(
    [one, other].map((image) => sharp(image).removeAlpha().raw().toBuffer()),
  )
  if (ours?.length !== theirs?.length) return Infinity
  const sum = ours?.reduce((total, byte, at) => total + Math.abs(byte - (theirs?.[at] ?? 0)), 0)
  return (sum ?? Infinity) / (ours?.length ?? 1)
}

if (have('videos of H.264', ffmpeg)) {
  test('a frame of H.264 is decoded, and looks as FFmpeg says it does', async () => {
    await using maker = makerOf([new FfmpegDecoder()])
    const still = await made(maker, await sampleVideo('regular'), { seconds: 6.9 })
    const path = join(directory, 'film.mp4')
    await writeFile(path, await sampleVideo('regular'))
    const ours = imageOf(still)

    expect(await differenceOf(ours, frameAt(path, 6))).toBeLessThan(8)
    expect(await differenceOf(ours, frameAt(path, 8))).toBeGreaterThan(16)
  })

  test('previews and sprites of H.264 are decoded in one go', async () => {
    await using maker = makerOf([new FfmpegDecoder()])
    const video = await sampleVideo('regular')
    const sprite = await sharp(imageOf(await made(maker, video, { isSprite: true }))).metadata()
    const preview = await sharp(imageOf(await made(maker, video, { preview: 3 }))).metadata()

    expect([sprite.width, sprite.height]).toEqual([7 * 160, 90])
    expect(preview.pages).toBe(7)
  })
}
