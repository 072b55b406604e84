import type { Box } from '../../../ports/media/renderer.ts'
import type { Frames } from './frames.ts'
import type { DrawnOverlay, FrameStep } from './step.ts'

/** Lays each over every frame, the first one lowest. */
export const overlayStep: FrameStep = {
  isNeeded: ({ overlays = [], texts = [] }) => overlays.length + texts.length > 0,
  apply(frames, _job, { overlays }) {
    const result = { ...frames, pixels: new Uint8Array(frames.pixels) }
    for (const overlay of overlays)
      for (const box of placesOf(overlay, frames))
        for (let frame = 0; frame < frames.frames; frame += 1)
          blend(result, { ...box, top: box.top + frame * frames.height }, overlay)
    return result
  },
}

/** A tile at the right or lower side is cut. */
function* placesOf({ box, gap }: DrawnOverlay, { width, height }: Frames): Generator<Box> {
  if (gap === undefined) {
    yield box
    return
  }
  for (let top = gap; top < height; top += box.height + gap)
    for (let left = gap; left < width; left += box.width + gap)
      yield {
        left,
        top,
        width: Math.min(box.width, width - left),
        height: Math.min(box.height, height - top),
      }
}

/** Source over (Porter and Duff), of colours that are not premultiplied. */
function blend(frames: Frames, box: Box, { pixels: above, opacity, box: own }: DrawnOverlay): void {
  const { pixels, width, channels } = frames
  for (let y = 0; y < box.height; y += 1) {
    let from = y * own.width * 4
    let to = ((box.top + y) * width + box.left) * channels
    for (let x = 0; x < box.width; x += 1) {
      mix(pixels, to, { above, from, channels, opacity })
      from += 4
      to += channels
    }
  }
}

interface Mixing {
  readonly above: Uint8Array
  readonly from: number
  readonly channels: 3 | 4
  readonly opacity: number
}

function mix(pixels: Uint8Array, to: number, { above, from, channels, opacity }: Mixing): void {
  const alpha = ((above[from + 3] ?? 0) / 255) * opacity
  if (alpha === 0) return
  const below = (channels === 4 ? (pixels[to + 3] ?? 0) / 255 : 1) * (1 - alpha)
  const both = alpha + below
  for (let channel = 0; channel < 3; channel += 1)
    pixels[to + channel] = Math.round(
      ((above[from + channel] ?? 0) * alpha + (pixels[to + channel] ?? 0) * below) / both,
    )
  if (channels === 4) pixels[to + 3] = Math.round(both * 255)
}
