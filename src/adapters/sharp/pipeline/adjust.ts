import { colorMatrixOf } from './recolor.ts'
import type { Step } from './step.ts'

const middle = 128
const white = 255

/** Saturation, hue and sepia. */
const mixChannels: Step = (image, { adjust }) => {
  const matrix = adjust && colorMatrixOf(adjust)
  if (matrix === undefined) return image
  const [red, green, blue] = matrix
  return image.recomb([[...red], [...green], [...blue]])
}

/**
 * One line through all: brightness is its slope, contrast turns it about the middle, and inverted it
 * falls from white.
 */
const lighten: Step = (image, { adjust }) => {
  if (adjust === undefined) return image
  const { brightness, contrast, isInverted = false } = adjust
  const [slope, start] = [brightness * contrast, middle * (1 - contrast)]
  if (isInverted) return image.linear(-slope, white - start)
  return slope === 1 && contrast === 1 ? image : image.linear(slope, start)
}

const tint: Step = (image, { adjust }) =>
  adjust?.tint === undefined ? image : image.tint(adjust.tint)

export const adjustSteps: readonly Step[] = [mixChannels, lighten, tint]
