import { expect, test } from 'bun:test'
import { join } from 'node:path'
import sharp from 'sharp'

import { distance } from '../../../../test/fixtures/sample-images.ts'
import { withColourProfile } from '../../../../test/fixtures/thumbnail-files.ts'
import { clientPackages, have, libheif } from '../../../../test/support/needs.ts'
import { openTryOut } from '../try-out.fixture.ts'

const sample = () =>
  Bun.file(join(import.meta.dir, '../../../../test/fixtures/stills/quarters.heic'))

test('where libheif is not installed it says what to install', async () => {
  await using trial = await openTryOut(['heic'])
  expect(await trial.make('heic', await sample().bytes())).toEqual({
    outcome: 'absent',
    install: 'npm install libheif-js@1.23.2',
  })
})

test.skipIf(!have('a HEIC is decoded where libheif is installed', libheif))(
  'a HEIC is decoded where libheif is installed',
  async () => {
    await using trial = await openTryOut(['heic'], { packages: clientPackages })
    const { bytes } = await trial.made('heic', await sample().bytes())
    const { data, info } = await sharp(bytes)
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })

    expect([info.width, info.height]).toEqual([96, 64])
    const [red, green, blue] = data.subarray((10 * 96 + 10) * 3)
    for (const [found, wanted] of [
      [red, 220],
      [green, 40],
      [blue, 40],
    ])
      expect(Math.abs((found ?? 0) - (wanted ?? 0))).toBeLessThan(12)
  },
)

/** Of Display P3 what sRGB says: both have the same curve, and primaries of their own (CSS Color 4 §10). */
function toSrgb(color: readonly number[]): readonly number[] {
  const linear = color.map((each) => {
    const value = each / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  const [r = 0, g = 0, b = 0] = linear
  return [
    1.2249 * r - 0.2247 * g,
    -0.042 * r + 1.0419 * g,
    -0.0197 * r - 0.0786 * g + 1.0979 * b,
  ].map((value) => {
    const bounded = Math.min(1, Math.max(0, value))
    return 255 * (bounded <= 0.003_130_8 ? bounded * 12.92 : 1.055 * bounded ** (1 / 2.4) - 0.055)
  })
}

test.skipIf(!have('colours of a HEIC are what its profile says', libheif))(
  'colours of a HEIC are what its profile says',
  async () => {
    await using trial = await openTryOut(['heic'], { packages: clientPackages })
    const pixel = sharp({ create: { width: 1, height: 1, channels: 3, background: 'red' } })
    const { icc } = await sharp(await pixel.withIccProfile('p3').png().toBuffer()).metadata()
    const file = withColourProfile(await sample().bytes(), icc ?? new Uint8Array())
    const colourAt = async (bytes: Uint8Array) => {
      const { data } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true })
      return [...data.subarray((10 * 96 + 10) * 3).subarray(0, 3)]
    }
    const plain = await colourAt((await trial.made('heic', await sample().bytes())).bytes)
    const shown = await colourAt((await trial.made('heic', file)).bytes)

    expect(distance(shown, toSrgb(plain))).toBeLessThan(6)
    expect(distance(shown, plain)).toBeGreaterThan(12)
  },
)
