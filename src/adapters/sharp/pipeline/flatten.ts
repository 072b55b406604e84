import type { Step } from './step.ts'

/** What is transparent becomes white where the format cannot say so. */
export const flatten: Step = (image, { output }) =>
  output.format === 'jpeg' ? image.flatten({ background: '#ffffff' }) : image
