import { colorMatrixOf } from './recolor.ts'
import type { Step } from './step.ts'

const middle = 128

/** Saturation, hue and sepia. */
const mixChannels: Step = (image, { adjust }) => {
  const matrix = adjust && colorMatrixOf(adjust)
  if (matrix === undefined) return image
  const [red, green, blue] = matrix
  return image.recomb([[...red], [...green], [...blue]])
}

/** One line through both: brightness is its slope, contrast turns it about the middle. */
const lighten: Step = (image, { adjust }) => {
  if (adjust === undefined || (adjust.brightness === 1 && adjust.contrast === 1)) return image
  const { brightness, contrast } = adjust
  return image.linear(brightness * contrast, middle * (1 - contrast))
}

const tint: Step = (image, { adjust }) =>
  adjust?.tint === undefined ? image : image.tint(adjust.tint)

/** The library inverts last of all, whenever it is told to. */
const invert: Step = (image, { adjust }) =>
  adjust?.isInverted === true ? image.negate({ alpha: false }) : image

export const adjustSteps: readonly Step[] = [mixChannels, lighten, tint, invert]
