import type { Step } from './step.ts'

const scale = 24

/**
 * Each pixel moves away from the mean of its eight neighbours, by a third of the difference for every
 * unit of strength: one small convolution, where sharp's own takes a way through another colour space.
 */
export const sharpen: Step = (image, job) => {
  if (job.sharpen === undefined) return image
  const around = -job.sharpen
  const middle = scale - 8 * around
  const kernel = [around, around, around, around, middle, around, around, around, around]
  return image.convolve({ width: 3, height: 3, kernel, scale })
}
