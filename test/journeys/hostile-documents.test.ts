import { afterAll, beforeAll, test } from 'bun:test'

import { cyclicTiff, hostilePdfs, hugePsd, woffBomb } from '../fixtures/hostile-stills.ts'
import { pdfOf, samplePage } from '../fixtures/pdf-files.ts'
import { painted, quarters } from '../fixtures/sample-images.ts'
import { flacOf, id3Of, mp4Of, notoSans, oggOf, psdOf } from '../fixtures/still-files.ts'
import { withThumbnail } from '../fixtures/thumbnail-files.ts'
import { changed, cutOff, type HostileFiles, openHostileFiles } from '../support/hostile-files.ts'
import { createRandom, seedOf } from '../support/random.ts'

type File = Uint8Array<ArrayBuffer>

/** What a budget may be overdrawn by on a busy machine. */
const patienceMs = 180_000
const size = { width: 96, height: 64 }

let files: HostileFiles
beforeAll(async () => {
  files = await openHostileFiles()
}, 60_000)
afterAll(() => files[Symbol.asyncDispose]())

/** Everything that can be had of a file that is no image. */
const ofFile = (path: string): readonly string[] => [
  `/api/transform?url=/${path}&w=64&format=webp`,
  `/api/transform?url=/${path}&w=64&page=2&thumbnail=1&format=webp`,
  `/api/picture?path=${path}`,
  `/api/info?url=/${path}`,
  `/${path}`,
]

const crafted: Readonly<Record<string, () => File>> = {
  'one-byte.pdf': () => Uint8Array.of(0x25),
  'draws-itself.pdf': hostilePdfs['a form that draws itself'] ?? hugePsd,
  'own-child.pdf': hostilePdfs['a page tree that is its own child'] ?? hugePsd,
  'no-size.pdf': hostilePdfs['a page of no size'] ?? hugePsd,
  'huge.psd': hugePsd,
  'cyclic.tiff': cyclicTiff,
  'bomb.woff': woffBomb,
}

for (const [name, build] of Object.entries(crafted))
  test(
    `${name} is refused or shown as far as it goes, and nothing else notices`,
    async () => {
      await files.isHeldOut(name, build(), ofFile)
      await files.isUnmoved()
    },
    patienceMs,
  )

const fixture = async (name: string): Promise<File> =>
  await Bun.file(new URL(`../fixtures/stills/${name}`, import.meta.url)).bytes()

async function soundFiles(): Promise<readonly (readonly [string, File])[]> {
  const image = painted(size, quarters(size))
  const cover = [{ of: 3, bytes: await image.clone().jpeg().toBuffer() }]
  const font = await notoSans()
  const avif = await image.clone().avif({ effort: 0 }).toBuffer()
  return [
    ['pdf', pdfOf({ pages: [samplePage('Sound')], font })],
    ['heic', await fixture('quarters.heic')],
    ['jxl', await fixture('boxed.jxl')],
    ['avif', withThumbnail('avif', avif, avif)],
    ['psd', psdOf(size, quarters(size), { isPacked: true })],
    ['tiff', new Uint8Array(await image.clone().tiff({ compression: 'lzw' }).toBuffer())],
    ['mp3', id3Of(cover)],
    ['flac', flacOf(cover)],
    ['ogg', oggOf(cover)],
    ['m4a', mp4Of(cover)],
    ['ttf', new Uint8Array(font)],
  ]
}

test(
  'documents, images, recordings and fonts that are cut off or changed anywhere are too',
  async () => {
    const random = createRandom(seedOf('hostile documents'))
    for (const [index, [extension, sound]] of (await soundFiles()).entries()) {
      await files.isHeldOut(`cut-${index}.${extension}`, cutOff(sound, random), ofFile)
      await files.isHeldOut(`changed-${index}.${extension}`, changed(sound, random), ofFile)
    }
    await files.isUnmoved()
  },
  patienceMs,
)
