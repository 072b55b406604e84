import type { Sharp } from 'sharp'

import type { TransformJob } from '../../../ports/media/renderer.ts'
import { convertColors } from './convert-colors.ts'
import { crop } from './crop.ts'
import { flatten } from './flatten.ts'
import { lightBlur } from './light-blur.ts'
import { placeOnCanvas } from './place-on-canvas.ts'
import { resize } from './resize.ts'
import { sharpen } from './sharpen.ts'
import type { Step } from './step.ts'

/** From the source to the pixels' places. */
export const layoutSteps: readonly Step[] = [convertColors, flatten, resize, crop, placeOnCanvas]

/** From pixels in their places to how they look. */
export const effectSteps: readonly Step[] = [lightBlur, sharpen]

export const applySteps = (steps: readonly Step[], image: Sharp, job: TransformJob): Sharp =>
  steps.reduce((each, step) => step(each, job), image)
