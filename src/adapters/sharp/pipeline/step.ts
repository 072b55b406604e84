import type { Sharp } from 'sharp'

import type { TransformJob } from '../../../ports/media/renderer.ts'
import type { Frames, OpenPixels } from './frames.ts'

/** One change to an image; leaves it alone where the job does not ask for it. */
export type Step = (image: Sharp, job: TransformJob) => Sharp

/** A change that needs the pixels of each frame in hand. */
export interface FrameStep {
  isNeeded(job: TransformJob): boolean
  apply(frames: Frames, job: TransformJob, open: OpenPixels): Frames | Promise<Frames>
}
