import type { Sharp } from 'sharp'

import type { OverlayJob, TransformJob } from '../../../ports/media/renderer.ts'
import type { Frames, OpenPixels } from './frames.ts'

/** One change to an image; leaves it alone where the job does not ask for it. */
export type Step = (image: Sharp, job: TransformJob) => Sharp

/** An overlay in its size, with four channels. */
export interface DrawnOverlay extends Omit<OverlayJob, 'source'> {
  readonly pixels: Uint8Array
}

/** What steps work with besides pixels. */
export interface FrameTools {
  readonly open: OpenPixels
  readonly overlays: readonly DrawnOverlay[]
}

/** A change that needs the pixels of each frame in hand. */
export interface FrameStep {
  isNeeded(job: TransformJob): boolean
  apply(frames: Frames, job: TransformJob, tools: FrameTools): Frames | Promise<Frames>
}
