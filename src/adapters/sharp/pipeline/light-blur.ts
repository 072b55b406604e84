import type { Step } from './step.ts'

/** Up to here a blur is cheap as it is; stronger ones are made on a smaller copy. */
export const maxLightSigma = 16
/** libvips takes nothing less. */
const minSigma = 0.3
/** Where the bell is cut off. libvips cuts at a fifth of its height, which is a much weaker blur. */
export const minAmplitude = 0.05

export const lightBlur: Step = (image, { blurSigma }) =>
  blurSigma === undefined
    ? image
    : image.blur({ sigma: Math.max(minSigma, blurSigma), minAmplitude })
