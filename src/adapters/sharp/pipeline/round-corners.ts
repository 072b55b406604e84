import { type Frames, withAlpha } from './frames.ts'
import type { FrameStep } from './step.ts'

/** Only pixels of the four corners are touched, and smoothed where the edge goes through them. */
export const roundCorners: FrameStep = {
  isNeeded: ({ radius }) => radius !== undefined && radius > 0,
  apply(frames, { radius = 0 }) {
    const result = withAlpha(frames)
    const corner = coverageOf(radius)
    for (let frame = 0; frame < result.frames; frame += 1)
      for (const [index, covered] of corner.entries())
        if (covered < 255) fadeCorners(result, frame, { index, covered, radius })
    return result
  },
}

interface CornerPixel {
  /** In the left upper corner, a row after another. */
  readonly index: number
  readonly covered: number
  readonly radius: number
}

function fadeCorners(frames: Frames, frame: number, { index, covered, radius }: CornerPixel): void {
  const { width, height } = frames
  const [x, y] = [index % radius, Math.floor(index / radius)]
  const [top, bottom] = [frame * height + y, frame * height + height - 1 - y]
  for (const row of [top, bottom])
    for (const column of [x, width - 1 - x]) fade(frames, row * width + column, covered)
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
  let inside = 0
  for (let row = 0.5; row < points; row += 1)
    for (let column = 0.5; column < points; column += 1)
      if ((radius - x - column / points) ** 2 + (radius - y - row / points) ** 2 <= radius ** 2)
        inside += 1
  return inside
}

function fade({ pixels }: Frames, index: number, covered: number): void {
  const place = index * 4 + 3
  pixels[place] = Math.round(((pixels[place] ?? 0) * covered) / 255)
}
