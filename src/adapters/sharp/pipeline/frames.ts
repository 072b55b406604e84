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
  const count = frames.pixels.length / 3
  const pixels = new Uint8Array(count * 4).fill(255)
  for (let index = 0; index < count; index += 1)
    pixels.set(frames.pixels.subarray(index * 3, index * 3 + 3), index * 4)
  return { ...frames, pixels, channels: 4 }
}
