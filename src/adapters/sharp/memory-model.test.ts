import { expect, test } from 'bun:test'

import type { OutputFormat, RenderSource, TransformJob } from '../../ports/media/renderer.ts'
import { memoryBytes } from './limits.ts'
import { boundBytes, predictedBytes } from './memory-model.ts'

const sourceOf = (format: RenderSource['format'], width: number, height: number): RenderSource => ({
  path: '/a',
  format,
  size: { width, height },
  isSrgb: true,
})
const square = (side: number) => ({ width: side, height: side })
function jobOf(
  source: RenderSource,
  [side, format]: readonly [number, OutputFormat],
  more: Partial<TransformJob> = {},
): TransformJob {
  const output = { format, quality: 80, effort: 'fast', isGraphic: false } as const
  return { kind: 'transform', source, isAnimated: false, resize: square(side), output, ...more }
}
const phone = sourceOf('jpeg', 8000, 6000)

const made: readonly (readonly [string, TransformJob])[] = [
  ['a card of a photograph of 48 megapixels', jobOf(phone, [800, 'avif'])],
  ['that photograph, as large as results are', jobOf(phone, [6300, 'webp'])],
  ['a screen of AVIF', jobOf(phone, [2890, 'avif'])],
  ['a card of a WebP of 49 megapixels', jobOf(sourceOf('webp', 7000, 7000), [800, 'webp'])],
  ['a card of an AVIF of 12 megapixels', jobOf(sourceOf('avif', 4000, 3000), [800, 'avif'])],
  [
    'an animated image of 39 megapixels in all',
    jobOf({ ...sourceOf('gif', 200, 200), hasAlpha: true, frames: 40 }, [990, 'webp'], {
      isAnimated: true,
    }),
  ],
]
for (const [what, job] of made)
  test(`${what} is made`, () => {
    expect(predictedBytes(job)).toBeLessThan(memoryBytes)
  })

const refused: readonly (readonly [string, TransformJob])[] = [
  ['an AVIF of 49 megapixels', jobOf(sourceOf('avif', 7000, 7000), [800, 'jpeg'])],
  [
    'a strong blur of 36 megapixels',
    jobOf(sourceOf('png', 1600, 1600), [6000, 'webp'], { blurSigma: 50 }),
  ],
  ['a drawing of 40 megapixels', jobOf(sourceOf('svg', 10, 10), [6300, 'webp'])],
]
for (const [what, job] of refused)
  test(`${what} is refused, at once`, () => {
    expect(predictedBytes(job)).toBeGreaterThan(memoryBytes)
  })

test('turning upside down holds the whole scaled image, mirroring left to right does not', () => {
  const bytesOf = (flip: TransformJob['flip']) =>
    predictedBytes(jobOf(phone, [5000, 'jpeg'], { flip }))

  expect(bytesOf('h')).toBe(bytesOf(undefined))
  // Measured: 58 MB.
  expect(bytesOf('v') - bytesOf(undefined)).toBeGreaterThan(75_000_000)
})

test('a photograph is looked at whatever its size', () => {
  for (const format of ['jpeg', 'png', 'webp'] as const) {
    const source = sourceOf(format, 7000, 7000)
    for (const job of [
      { kind: 'summarise', source },
      { kind: 'analyse', source, mipWidths: [], findFaces: true },
    ] as const)
      expect(predictedBytes(job)).toBeLessThan(memoryBytes)
  }
})

test('nobody is ended for what a child still holds of another', () => {
  const held = 159 * 2 ** 20
  const header = predictedBytes({ kind: 'inspect', path: '/a.jpg', format: 'jpeg' })
  expect(boundBytes(header, held)).toBeGreaterThan(held + header)
  expect(boundBytes(header, 0)).toBeGreaterThan(header)
})
