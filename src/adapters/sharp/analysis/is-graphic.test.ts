import { expect, test } from 'bun:test'

import { isBare, measureSteps } from './is-graphic.ts'
import type { RawImage } from './raw-image.ts'

const side = 200

/** White, with soft steps in a square at the upper left. */
function pictureWith(softSide: number): RawImage {
  const pixels = new Uint8Array(side * side * 3).fill(255)
  for (let y = 0; y < softSide; y += 1)
    for (let x = 0; x < softSide; x += 1)
      pixels.fill(100 + ((x + y) % 5), (y * side + x) * 3, (y * side + x) * 3 + 3)
  return { pixels, width: side, height: side, channels: 3 }
}

test('what is of flat colours alone is bare, and what has a photograph in a corner is not', () => {
  expect(isBare(measureSteps(pictureWith(0)))).toBe(true)
  expect(isBare(measureSteps(pictureWith(10)))).toBe(true)
  expect(isBare(measureSteps(pictureWith(40)))).toBe(false)
  expect(isBare(measureSteps(pictureWith(side)))).toBe(false)
})
