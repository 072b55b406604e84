import { expect, test } from 'bun:test'
import sharp from 'sharp'

import { clear, painted, white, black } from '../../../../test/fixtures/sample-images.ts'
import { copies, scene } from '../../../../test/fixtures/scenes.ts'
import { likenessOf } from './likeness.ts'
import { rawImage } from './raw-image.ts'

const ofBytes = async (bytes: Buffer): Promise<string> =>
  likenessOf(
    await rawImage(sharp(bytes).resize(320, 320, { fit: 'inside', withoutEnlargement: true })),
  )

/** As the domain compares them: how many bits differ, or far more where one half differs in many. */
function distanceOf(a: string, b: string): number {
  const halves = [0, 16].map((at) => onesIn(hexOf(a, at) ^ hexOf(b, at)))
  return Math.max(...halves) > 22 ? 128 : halves.reduce((sum, ones) => sum + ones, 0)
}
const hexOf = (hex: string, at: number) => BigInt(`0x${hex.slice(at, at + 16)}`)
const onesIn = (word: bigint) => word.toString(2).replaceAll('0', '').length

const near = 32
const seeds = Array.from({ length: 20 }, (_, seed) => seed + 1)

test('copies that were scaled, encoded anew or cut by 5 % are near, other images are not', async () => {
  const scenes = seeds.map((seed) => scene(seed))
  const likenesses = await Promise.all(
    scenes.map(async (image) => ofBytes(await image.clone().png().toBuffer())),
  )
  let found = 0
  for (const [index, image] of scenes.entries())
    for (const copy of copies) {
      const likeness = await ofBytes(await copy.make(image))
      if (distanceOf(likeness, likenesses[index] ?? '') <= near) found += 1
    }
  expect(found / (scenes.length * copies.length)).toBeGreaterThanOrEqual(0.95)

  const pairs = likenesses.flatMap((a, index) =>
    likenesses.slice(0, index).map((b) => [a, b] as const),
  )
  const wrong = pairs.filter(([a, b]) => distanceOf(a, b) <= near)
  expect(wrong.length / pairs.length).toBeLessThanOrEqual(0.01)
})

test('what is of one colour alone is like nothing', async () => {
  const shape = { width: 60, height: 40 }
  expect(
    await ofBytes(
      await painted(shape, () => white)
        .png()
        .toBuffer(),
    ),
  ).toBe('')
  expect(
    await ofBytes(
      await painted(shape, () => [250, 254, 251])
        .jpeg()
        .toBuffer(),
    ),
  ).toBe('')
  const nothing = painted({ ...shape, channels: 4 }, () => clear)
  expect(await ofBytes(await nothing.png().toBuffer())).toBe('')
})

test('what is drawn on nothing is like the same on white, and white is seen too', async () => {
  const shape = { width: 64, height: 64, channels: 4 } as const
  const isInside = (x: number, y: number) => Math.hypot(x - 20, y - 30) < 15
  const logo = painted(shape, (x, y) => (isInside(x, y) ? black : clear))
  const likeness = await ofBytes(await logo.clone().png().toBuffer())
  expect(await ofBytes(await logo.flatten({ background: '#fff' }).png().toBuffer())).toBe(likeness)
  const onWhite = painted(shape, (x, y) => (isInside(x, y) ? white : clear))
  expect(await ofBytes(await onWhite.png().toBuffer())).toMatch(/^[0-9a-f]{32}$/u)
})

test('images of one pixel have a likeness or none, and never fail', async () => {
  for (const [width, height] of [
    [1, 1],
    [1, 300],
    [300, 1],
    [2, 3],
  ] as const) {
    const image = painted({ width, height }, (x, y) => ((x + y) % 2 === 0 ? white : black))
    expect(await ofBytes(await image.png().toBuffer())).toMatch(/^(?:[0-9a-f]{32})?$/u)
  }
})
