import type { Sharp } from 'sharp'

import type { TransformJob } from '../../../ports/media/renderer.ts'
import type { Frames, OpenPixels } from './frames.ts'
import { minAmplitude, strongBlur } from './strong-blur.ts'

/** One change to an image; leaves it alone where the job does not ask for it. */
type Step = (image: Sharp, job: TransformJob) => Sharp

/** A change that needs the pixels of each frame in hand. */
interface FrameStep {
  isNeeded(job: TransformJob): boolean
  apply(frames: Frames, job: TransformJob, open: OpenPixels): Frames | Promise<Frames>
}

/** Embedded profiles, CMYK and 16 bits become 8-bit sRGB; the profile itself is dropped. */
const convertColors: Step = (image) => image.toColourspace('srgb')

/** What is transparent becomes white where the format cannot say so. */
const flatten: Step = (image, { output }) =>
  output.format === 'jpeg' ? image.flatten({ background: '#ffffff' }) : image

/**
 * From here on the decoder may shrink as far as it can: that halves the cost for at most 0.002 of
 * similarity. For results that are nearer to the source the last halving is left to the filter, or it
 * shows.
 */
const minFastShrink = 4

const resize: Step = (image, { source, resize: { width, height } }) =>
  image.resize({
    width,
    height,
    fit: 'fill',
    kernel: 'lanczos3',
    fastShrinkOnLoad: source.size.width >= width * minFastShrink,
  })

/** The library mirrors what it has scaled before it cuts or pads, whenever it is told to. */
const flip: Step = (image, job) => image.flop(isFlipped(job, 'h')).flip(isFlipped(job, 'v'))

const isFlipped = (job: TransformJob, way: 'h' | 'v'): boolean => job.flip?.includes(way) === true

/** All frames were turned upside down as one, so the last is the first now. */
const frameOrder: FrameStep = {
  isNeeded: (job) => job.isAnimated && isFlipped(job, 'v'),
  apply(frames) {
    const pixels = new Uint8Array(frames.pixels.length)
    const frameBytes = frames.width * frames.height * frames.channels
    for (let start = 0; start < pixels.length; start += frameBytes) {
      const frame = frames.pixels.subarray(start, start + frameBytes)
      pixels.set(frame, pixels.length - start - frameBytes)
    }
    return { ...frames, pixels }
  },
}

const crop: Step = (image, job) => (job.crop ? image.extract(job.crop) : image)

const transparent = { r: 255, g: 255, b: 255, alpha: 0 }

const placeOnCanvas: Step = (image, { canvas, resize: scaled, output }) => {
  if (canvas === undefined) return image
  const { left, top, size } = canvas
  return image.extend({
    left,
    top,
    right: size.width - left - scaled.width,
    bottom: size.height - top - scaled.height,
    background: output.format === 'jpeg' ? '#ffffff' : transparent,
  })
}

/** Up to here a blur is cheap as it is; stronger ones are made on a smaller copy. */
const maxLightSigma = 16
/** libvips takes nothing less. */
const minSigma = 0.3

/** A strong blur needs pixels in hand; any blur of several frames must not run from one into the next. */
const blurByFrame: FrameStep = {
  isNeeded: ({ blurSigma = 0, isAnimated }) =>
    blurSigma > maxLightSigma || (isAnimated && blurSigma > 0),
  apply: (frames, { blurSigma: sigma = 0 }, open) => strongBlur(frames, { sigma, open }),
}

const lightBlur: Step = (image, job) =>
  job.blurSigma === undefined || blurByFrame.isNeeded(job)
    ? image
    : image.blur({ sigma: Math.max(minSigma, job.blurSigma), minAmplitude })

const sharpenScale = 24

/**
 * Each pixel moves away from the mean of its eight neighbours, by a third of the difference for every
 * unit of strength: one small convolution, where sharp's own takes a way through another colour space.
 */
const sharpen: Step = (image, job) => {
  if (job.sharpen === undefined) return image
  const around = -job.sharpen
  const middle = sharpenScale - 8 * around
  const kernel = [around, around, around, around, middle, around, around, around, around]
  return image.convolve({ width: 3, height: 3, kernel, scale: sharpenScale })
}

/** From the source to the pixels' places. */
export const layoutSteps: readonly Step[] = [
  convertColors,
  flatten,
  resize,
  flip,
  crop,
  placeOnCanvas,
]

/** With the pixels in their places, a frame at a time. */
export const frameSteps: readonly FrameStep[] = [frameOrder, blurByFrame]

/** From pixels in their places to how they look. */
export const effectSteps: readonly Step[] = [lightBlur, sharpen]

export const applySteps = (steps: readonly Step[], image: Sharp, job: TransformJob): Sharp =>
  steps.reduce((each, step) => step(each, job), image)

/** What steps hold in memory at most, for each pixel of the scaled image. */
export const heldBytesPerPixel = (job: TransformJob): number => heldForBlur(job) + heldForFlip(job)

function heldForBlur(job: TransformJob): number {
  if (job.blurSigma === undefined) return 0
  return blurByFrame.isNeeded(job) ? 11 : 3.5
}

/** From the last row to the first: none can be given away before all are there. */
function heldForFlip(job: TransformJob): number {
  if (!isFlipped(job, 'v')) return 0
  return frameOrder.isNeeded(job) ? 12 : 4
}
