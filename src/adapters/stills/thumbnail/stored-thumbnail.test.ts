import { expect, test } from 'bun:test'
import { join } from 'node:path'
import sharp from 'sharp'

import { blue, decode, distance, painted, red } from '../../../../test/fixtures/sample-images.ts'
import { withThumbnail } from '../../../../test/fixtures/thumbnail-files.ts'
import { clientPackages, have, libheif } from '../../../../test/support/needs.ts'
import { openTryOut } from '../try-out.fixture.ts'

const avif = async (width: number, color: typeof red) =>
  await painted({ width, height: 64 }, () => color)
    .avif({ quality: 90, effort: 0 })
    .toBuffer()
const sample = () =>
  Bun.file(join(import.meta.dir, '../../../../test/fixtures/stills/quarters.heic')).bytes()

test('the thumbnail of an AVIF is taken, and the image is still the image', async () => {
  await using trial = await openTryOut(['thumbnail'])
  const file = withThumbnail('avif', await avif(128, red), await avif(80, blue))
  const { bytes } = await trial.made('thumbnail', file)
  const taken = await decode(bytes)

  expect([taken.width, taken.height]).toEqual([80, 64])
  expect(distance(taken.at(40, 32), blue)).toBeLessThan(12)
  expect((await sharp(file).metadata()).width).toBe(128)
})

test('where there is none, nothing is made; where a thumbnail is nobody’s, neither', async () => {
  await using trial = await openTryOut(['thumbnail'])
  const file = withThumbnail('avif', await avif(128, red), await avif(80, blue))
  const at = Buffer.from(file).indexOf('thmb')
  const other = new Uint8Array(file)
  other[at + 9] = 9

  expect(await trial.make('thumbnail', await avif(128, red))).toEqual({ outcome: 'none' })
  expect(await trial.make('thumbnail', other)).toEqual({ outcome: 'none' })
})

test('what is cut off anywhere in its tables is refused, or has none', async () => {
  await using trial = await openTryOut(['thumbnail'])
  const file = withThumbnail('avif', await avif(128, red), await avif(80, blue))
  for (const length of [1, 12, 40, 90, 150, 220, 300, file.length - 40]) {
    const outcome = await trial
      .make('thumbnail', file.subarray(0, length))
      .then((made) => made.outcome)
      .catch((error: Error) => error.name)
    expect(['none', 'UnrenderableImageError']).toContain(outcome)
  }
})

test('of one in H.265 it says what to install where that is not there', async () => {
  await using trial = await openTryOut(['thumbnail'])
  const file = withThumbnail('mif1', await avif(128, red), await sample())

  expect(await trial.make('thumbnail', file)).toEqual({
    outcome: 'absent',
    install: 'npm install libheif-js@1.23.2',
  })
})

test.skipIf(!have('a thumbnail in H.265 is decoded where libheif is installed', libheif))(
  'a thumbnail in H.265 is decoded where libheif is installed',
  async () => {
    await using trial = await openTryOut(['thumbnail'], { packages: clientPackages })
    const { bytes } = await trial.made(
      'thumbnail',
      withThumbnail('mif1', await avif(128, red), await sample()),
    )
    const { width, height } = await sharp(bytes).metadata()

    expect([width, height]).toEqual([96, 64])
  },
)
