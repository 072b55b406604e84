import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'

import {
  cyclicTiff,
  hostilePdfs,
  hugePsd,
  woffBomb,
} from '../../../test/fixtures/hostile-stills.ts'
import { pdfOf, samplePage } from '../../../test/fixtures/pdf-files.ts'
import { quarters, painted } from '../../../test/fixtures/sample-images.ts'
import { flacOf, id3Of, mp4Of, notoSans, oggOf, psdOf } from '../../../test/fixtures/still-files.ts'
import { withThumbnail } from '../../../test/fixtures/thumbnail-files.ts'
import { clientPackages, have, libheif } from '../../../test/support/needs.ts'
import { createRandom, seedOf } from '../../../test/support/random.ts'
import { RendererUnavailableError, UnrenderableImageError } from '../../ports/media/renderer.ts'
import type { StillKind } from '../../ports/media/still-maker.ts'
import { openTryOut, type TryOut } from './try-out.fixture.ts'

const size = { width: 96, height: 64 }
const maxCpuMs = 4000
const maxBytes = 500 * 2 ** 20
/** What a budget may be overdrawn by: processes are looked at twenty times a second, on a busy machine. */
const patienceMs = 90_000

let trial: TryOut
beforeAll(async () => {
  const kinds = ['pdf', 'jxl', 'psd', 'tiff', 'audio', 'font'] as const
  trial = await openTryOut(kinds, { maxCpuMs, maxBytes, maxMs: 30_000 })
})
afterAll(() => trial[Symbol.asyncDispose]())

/** Something comes out, or the file is refused; the process that tried is gone either way. */
async function endsWell(of: StillKind, bytes: Uint8Array): Promise<string> {
  try {
    return (await trial.make(of, bytes)).outcome
  } catch (error) {
    if (error instanceof RendererUnavailableError || !(error instanceof UnrenderableImageError))
      throw error
    return error.reason
  }
}

for (const [what, build] of Object.entries(hostilePdfs))
  test(
    `a PDF ends within its budget: ${what}`,
    async () => {
      expect([
        'made',
        'damaged',
        'too-slow',
        'too-much-memory',
        'crashed',
        'too-many-pixels',
      ]).toContain(await endsWell('pdf', build()))
    },
    patienceMs,
  )

test(
  'of 10,000 pages the last is drawn as the first is',
  async () => {
    const pages = Array.from({ length: 10_000 }, (_, index) => `0 0 ${index % 400} 200 re f`)
    const file = pdfOf({ pages })
    expect((await trial.made('pdf', file, { page: 10_000 })).pages).toBe(10_000)
    expect(await trial.make('pdf', file, { page: 10_001 })).toMatchObject({ has: '10000 pages' })
  },
  patienceMs,
)

test('what says that it is larger than it may be is refused before it is decoded', async () => {
  expect(await endsWell('psd', hugePsd())).toBe('too-many-pixels')
  expect(['too-many-pixels', 'damaged']).toContain(await endsWell('tiff', cyclicTiff()))
  expect(await endsWell('font', woffBomb())).toBe('damaged')
})

test('a file that takes too long is ended, and the next one is made', async () => {
  await using quick = await openTryOut(['pdf'], { maxCpuMs: 20 })
  const file = pdfOf({ pages: [samplePage('Late')] })
  const failure = await quick.make('pdf', file).catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(UnrenderableImageError)
  expect(failure).toMatchObject({ reason: 'too-slow' })
  expect((await trial.made('pdf', file)).pages).toBe(1)
})

test('a file that takes too much memory is ended', async () => {
  await using small = await openTryOut(['pdf'], { maxBytes: 20 * 2 ** 20 })
  const file = pdfOf({ pages: [samplePage('Large')] })
  expect(small.make('pdf', file)).rejects.toMatchObject({ reason: 'too-much-memory' })
  await Promise.allSettled([small.make('pdf', file)])
})

const fixture = (name: string) =>
  Bun.file(join(import.meta.dir, '../../../test/fixtures/stills', name)).bytes()

async function samples(): Promise<readonly (readonly [string, StillKind, Uint8Array])[]> {
  const image = painted(size, quarters(size))
  const cover = [{ of: 3, bytes: await image.clone().jpeg().toBuffer() }]
  const font = await notoSans()
  const web = '@fontsource-variable/hanken-grotesk/files/hanken-grotesk-latin-wght-normal.woff2'
  return [
    ['PDF', 'pdf', pdfOf({ pages: [samplePage('Sound')], font })],
    ['JPEG XL', 'jxl', await fixture('boxed.jxl')],
    ['PSD', 'psd', psdOf(size, quarters(size), { isPacked: true })],
    ['TIFF', 'tiff', await image.clone().tiff({ compression: 'lzw' }).toBuffer()],
    ['MP3', 'audio', id3Of(cover)],
    ['FLAC', 'audio', flacOf(cover)],
    ['Ogg', 'audio', oggOf(cover)],
    ['MP4', 'audio', mp4Of(cover)],
    ['TrueType', 'font', font],
    ['WOFF 2', 'font', await Bun.file(Bun.resolveSync(web, import.meta.dir)).bytes()],
  ]
}

test(
  'what is cut off, of one byte, or has bytes that are wrong ends well',
  async () => {
    const random = createRandom(seedOf('hostile stills'))
    const ends: string[] = []
    for (const [, of, sound] of await samples()) {
      const cut = sound.slice(0, random.integer(1, sound.length - 1))
      const wrong = sound.slice()
      // Mostly where it says what it is made of.
      for (let count = 0; count < 12; count += 1)
        wrong[random.integer(4, Math.min(600, wrong.length - 1))] = random.integer(0, 255)
      for (const bytes of [sound.slice(0, 1), cut, wrong]) ends.push(await endsWell(of, bytes))
    }
    expect(ends.length).toBe(30)
  },
  patienceMs,
)

test.skipIf(!have('a hostile HEIC ends well where libheif is installed', libheif))(
  'a HEIC, and a thumbnail in it, that is cut off or has bytes that are wrong ends well',
  async () => {
    const kinds = ['heic', 'thumbnail'] as const
    const limits = { maxCpuMs, maxBytes, maxMs: 30_000, packages: clientPackages }
    await using heif = await openTryOut(kinds, limits)
    const random = createRandom(seedOf('hostile HEICs'))
    const image = await fixture('quarters.heic')
    const both = withThumbnail('mif1', image, image)
    for (let turn = 0; turn < 12; turn += 1) {
      const of = turn % 2 === 0 ? 'heic' : 'thumbnail'
      const wrong = turn % 2 === 0 ? image.slice() : both.slice()
      for (let count = 0; count <= turn; count += 1)
        wrong[random.integer(4, wrong.length - 1)] = random.integer(0, 255)
      const bytes = turn % 3 === 0 ? wrong.slice(0, random.integer(1, wrong.length)) : wrong
      const end = await heif.make(of, bytes).catch((error: unknown) => error)
      const isRefused = end instanceof UnrenderableImageError
      expect(isRefused || (end as { outcome?: string }).outcome !== undefined).toBe(true)
    }
  },
  patienceMs,
)
