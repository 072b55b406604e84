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
        for (const block of blocksOf(box, size))
          level(result, { ...block, top: block.top + frame * frames.height })
    return result
  },
}

function* blocksOf({ left, top, width, height }: Box, size: number): Generator<Box> {
  for (let y = top; y < top + height; y += size)
    for (let x = left; x < left + width; x += size)
      yield {
        left: x,
        top: y,
        width: Math.min(size, left + width - x),
        height: Math.min(size, top + height - y),
      }
}

function level({ pixels, width: rowLength, channels }: Frames, block: Box): void {
  const mean = meanOf({ pixels, width: rowLength, channels }, block)
  for (let y = block.top; y < block.top + block.height; y += 1) {
    let place = (y * rowLength + block.left) * channels
    for (let x = 0; x < block.width; x += 1) {
      pixels.set(mean, place)
      place += channels
    }
  }
}

type Row = Pick<Frames, 'pixels' | 'width' | 'channels'>

function meanOf({ pixels, width: rowLength, channels }: Row, block: Box): Uint8Array {
  let [red, green, blue, weight] = [0, 0, 0, 0]
  for (let y = block.top; y < block.top + block.height; y += 1) {
    const end = (y * rowLength + block.left + block.width) * channels
    for (let place = end - block.width * channels; place < end; place += channels) {
      const alpha = channels === 4 ? (pixels[place + 3] ?? 0) : 255
      red += (pixels[place] ?? 0) * alpha
      green += (pixels[place + 1] ?? 0) * alpha
      blue += (pixels[place + 2] ?? 0) * alpha
      weight += alpha
    }
  }
  const share = (sum: number) => (weight === 0 ? 0 : Math.round(sum / weight))
  const color = [share(red), share(green), share(blue)]
  const alpha = Math.round(weight / (block.width * block.height))
  return Uint8Array.from(channels === 4 ? [...color, alpha] : color)
}
