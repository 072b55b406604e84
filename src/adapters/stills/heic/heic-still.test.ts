import { expect, test } from 'bun:test'
import { join } from 'node:path'
import sharp from 'sharp'

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
