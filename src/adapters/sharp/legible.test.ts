import { afterAll, beforeAll, expect, test } from 'bun:test'
import sharp from 'sharp'

import { patient } from '../../../test/fixtures/patience.ts'
import {
  black,
  clear,
  decode,
  painted,
  type Painter,
  sampleImageDirectory,
  white,
} from '../../../test/fixtures/sample-images.ts'
import { openSharpRenderer, type SharpRenderer } from './sharp-renderer.ts'

let pictures: Awaited<ReturnType<typeof sampleImageDirectory>>
let renderer: SharpRenderer
beforeAll(async () => {
  pictures = await sampleImageDirectory()
  renderer = await openSharpRenderer({ slots: 1, ...patient })
})
afterAll(async () => {
  await renderer[Symbol.asyncDispose]()
  await pictures[Symbol.asyncDispose]()
})

async function legible(width: number, height: number, paint: Painter) {
  const size = { width, height }
  const bytes = await painted({ ...size, channels: 4 }, paint)
    .png()
    .toBuffer()
  const path = await pictures.write(`${bytes.length}.png`, bytes)
  const source = { path, format: 'png', size, isSrgb: true } as const
  return (await renderer.run({ kind: 'legible', source })).result
}

test('light and dark writing on a transparent ground both stand out', async () => {
  for (const [ink, expected] of [
    [white, [255, 0]],
    [black, [0, 255]],
  ] as const) {
    const decoded = await decode(await legible(100, 40, (x) => (x < 50 ? ink : clear)))

    expect([decoded.at(20, 20)[0], decoded.at(180, 20)[0]]).toEqual([...expected])
  }
})

test('small pictures grow, large ones shrink, and all are grey', async () => {
  for (const [width, expected] of [
    [100, 200],
    [1_000, 1_600],
    [3_000, 1_600],
  ] as const) {
    const metadata = await sharp(await legible(width, 50, () => black)).metadata()
    expect([metadata.width, metadata.channels]).toEqual([expected, 1])
  }
})
