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
