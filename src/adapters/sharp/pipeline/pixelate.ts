import type { Box } from '../../../ports/media/renderer.ts'
import type { Frames } from './frames.ts'
import type { FrameStep } from './step.ts'

/** Every block becomes its mean, in which what is transparent does not count. */
export const pixelateStep: FrameStep = {
  isNeeded: ({ pixelate }) => pixelate !== undefined,
  apply(frames, { pixelate }) {
    if (pixelate === undefined) return frames
    const { size, boxes = [{ left: 0, top: 0, width: frames.width, height: frames.height }] } =
      pixelate
    const pixels = new Uint8Array(frames.pixels)
    const result = { ...frames, pixels }
    for (let frame = 0; frame < frames.frames; frame += 1)
      for (const box of boxes)
        for (const band of bandsOf(box, size))
          levelBand(result, { ...band, top: band.top + frame * frames.height }, size)
    return result
  },
}

/** Rows of blocks, as wide as the box. */
function* bandsOf({ left, top, width, height }: Box, size: number): Generator<Box> {
  for (let y = top; y < top + height; y += size)
    yield { left, top: y, width, height: Math.min(size, top + height - y) }
}

/** Of one row of the band each block is a stretch; the other rows are the same. */
function levelBand(frames: Frames, band: Box, size: number): void {
  const { pixels, width, channels } = frames
  const rowBytes = band.width * channels
  const starts = Array.from(
    { length: band.height },
    (_, y) => ((band.top + y) * width + band.left) * channels,
  )
  const [first = 0, ...others] = starts
  for (let from = 0; from < rowBytes; from += size * channels) {
    const until = Math.min(rowBytes, from + size * channels)
    const mean =
      channels === 3
        ? opaqueMean(pixels, starts, { from, until })
        : clearMean(pixels, starts, { from, until })
    for (let place = first + from; place < first + until; place += channels)
      for (let channel = 0; channel < channels; channel += 1)
        pixels[place + channel] = mean[channel] ?? 0
  }
  for (const start of others) pixels.copyWithin(start, first, first + rowBytes)
}

/** Bytes of each row of the band. */
interface Stretch {
  readonly from: number
  readonly until: number
}

function opaqueMean(
  pixels: Uint8Array,
  starts: readonly number[],
  { from, until }: Stretch,
): readonly number[] {
  let [red, green, blue] = [0, 0, 0]
  for (const start of starts)
    for (let place = start + from; place < start + until; place += 3) {
      red += pixels[place] ?? 0
      green += pixels[place + 1] ?? 0
      blue += pixels[place + 2] ?? 0
    }
  const count = (starts.length * (until - from)) / 3
  return [red, green, blue].map((sum) => Math.round(sum / count))
}

function clearMean(
  pixels: Uint8Array,
  starts: readonly number[],
  { from, until }: Stretch,
): readonly number[] {
  let [red, green, blue, weight] = [0, 0, 0, 0]
  for (const start of starts)
    for (let place = start + from; place < start + until; place += 4) {
      const alpha = pixels[place + 3] ?? 0
      red += (pixels[place] ?? 0) * alpha
      green += (pixels[place + 1] ?? 0) * alpha
      blue += (pixels[place + 2] ?? 0) * alpha
      weight += alpha
    }
  const share = (sum: number) => (weight === 0 ? 0 : Math.round(sum / weight))
  const alpha = Math.round((weight * 4) / (starts.length * (until - from)))
  return [share(red), share(green), share(blue), alpha]
}
