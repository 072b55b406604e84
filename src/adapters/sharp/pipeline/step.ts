import type { Sharp } from 'sharp'

import type { TransformJob } from '../../../ports/media/renderer.ts'

/** One change to a picture; leaves it alone where the job does not ask for it. */
export type Step = (image: Sharp, job: TransformJob) => Sharp
