import type { Sharp } from 'sharp'

import type { RawPixels } from '../../../ports/media/renderer.ts'

/** Pixels of all frames, one below the other. */
export interface Frames extends RawPixels {
  readonly pixels: Uint8Array
  readonly frames: number
}

/**
 * Opens bare pixels. Handed in, so that the main process can read how much memory steps take without
 * loading the library.
 */
export type OpenPixels = (pixels: Uint8Array, shape: RawPixels) => Sharp

/** A copy with four channels, opaque where it had three. */
export function withAlpha(frames: Frames): Frames {
  if (frames.channels === 4) return { ...frames, pixels: new Uint8Array(frames.pixels) }
  const { pixels: before } = frames
  const pixels = new Uint8Array((before.length / 3) * 4).fill(255)
  // Byte by byte: a view of each pixel took twenty times as long, and more memory than all pixels.
  for (let from = 0, to = 0; from < before.length; from += 3, to += 4) {
    pixels[to] = before[from] ?? 0
    pixels[to + 1] = before[from + 1] ?? 0
    pixels[to + 2] = before[from + 2] ?? 0
  }
  return { ...frames, pixels, channels: 4 }
}
