import { type Frames, withAlpha } from './frames.ts'
import type { FrameStep } from './step.ts'

/** Only pixels of the four corners are touched, and smoothed where the edge goes through them. */
export const roundCorners: FrameStep = {
  isNeeded: ({ radius }) => radius !== undefined && radius > 0,
  apply(frames, { radius = 0 }) {
    const result = withAlpha(frames)
    const corner = coverageOf(radius)
    for (let frame = 0; frame < result.frames; frame += 1)
      for (let y = 0; y < radius; y += 1) fadeRows(result, frame, { y, corner, radius })
    return result
  },
}

interface CornerRow {
  /** From the upper or lower side. */
  readonly y: number
  /** How much of each pixel of the left upper corner is covered. */
  readonly corner: Uint8Array
  readonly radius: number
}

/** Both ends of the row of a frame that lies so far from its upper side, and of that as far from its lower one. */
function fadeRows(frames: Frames, frame: number, { y, corner, radius }: CornerRow): void {
  const { width, height, pixels } = frames
  const top = (frame * height + y) * width
  const bottom = (frame * height + height - 1 - y) * width
  for (let x = 0; x < radius; x += 1) {
    const covered = corner[y * radius + x] ?? 0
    if (covered === 255) return
    fade(pixels, top + x, covered)
    fade(pixels, top + width - 1 - x, covered)
    fade(pixels, bottom + x, covered)
    fade(pixels, bottom + width - 1 - x, covered)
  }
}

/** In a grid of so many points a pixel. */
const points = 4

/** How much of each pixel of the left upper corner is inside of the circle, 0 to 255, a row after another. */
function coverageOf(radius: number): Uint8Array {
  const covered = new Uint8Array(radius * radius)
  for (let y = 0; y < radius; y += 1)
    for (let x = 0; x < radius; x += 1)
      covered[y * radius + x] = Math.round((255 * pointsInside(x, y, radius)) / points ** 2)
  return covered
}

function pointsInside(x: number, y: number, radius: number): number {
  if ((radius - x) ** 2 + (radius - y) ** 2 <= radius ** 2) return points ** 2
  if ((radius - x - 1) ** 2 + (radius - y - 1) ** 2 > radius ** 2) return 0
  let inside = 0
  for (let row = 0.5; row < points; row += 1)
    for (let column = 0.5; column < points; column += 1)
      if ((radius - x - column / points) ** 2 + (radius - y - row / points) ** 2 <= radius ** 2)
        inside += 1
  return inside
}

function fade(pixels: Uint8Array, index: number, covered: number): void {
  const place = index * 4 + 3
  pixels[place] = Math.round(((pixels[place] ?? 0) * covered) / 255)
}
