import type { Step } from './step.ts'

/**
 * From here on the decoder may shrink as far as it can: that halves the cost for at most 0.002 of
 * similarity. For results that are nearer to the source the last halving is left to the filter, or it
 * shows.
 */
const minFastShrink = 4

export const resize: Step = (image, { source, resize: { width, height } }) =>
  image.resize({
    width,
    height,
    fit: 'fill',
    kernel: 'lanczos3',
    fastShrinkOnLoad: source.size.width >= width * minFastShrink,
  })
