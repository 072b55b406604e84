import type { Sharp } from 'sharp'

import type { Size, TransformJob } from '../../../ports/media/renderer.ts'
import { adjustSteps } from './adjust.ts'
import { overlayStep } from './overlays.ts'
import { pixelateStep } from './pixelate.ts'
import { roundCorners } from './round-corners.ts'
import { gammaStep, opacityStep } from './tone.ts'
import type { FrameStep, Step } from './step.ts'
import { minAmplitude, strongBlur } from './strong-blur.ts'

/** Embedded profiles, CMYK and 16 bits become 8-bit sRGB; the profile itself is dropped. */
const convertColors: Step = (image) => image.toColourspace('srgb')

/** What is transparent becomes the background, where there is one, and white where the format cannot say so. */
const flatten: Step = (image, job) => {
  const background = opaqueBackground(job)
  return background === undefined ? image : image.flatten({ background })
}

const opaqueBackground = ({ background, output }: TransformJob): string | undefined =>
  background ?? (output.format === 'jpeg' ? '#ffffff' : undefined)

const takePart: Step = (image, { region }) => (region ? image.extract(region) : image)

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

const turn: Step = (image, { rotate }) => (rotate === undefined ? image : image.rotate(rotate))

const crop: Step = (image, job) => (job.crop ? image.extract(job.crop) : image)

const transparent = { r: 255, g: 255, b: 255, alpha: 0 }

const placeOnCanvas: Step = (image, job) => {
  const { canvas } = job
  if (canvas === undefined) return image
  const { left, top, size } = canvas
  const { width, height } = turnedSize(job)
  return image.extend({
    left,
    top,
    right: size.width - left - width,
    bottom: size.height - top - height,
    background: opaqueBackground(job) ?? transparent,
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
  apply: (frames, { blurSigma: sigma = 0 }, { open }) => strongBlur(frames, { sigma, open }),
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

const turnedSize = ({ resize: { width, height }, rotate }: TransformJob) =>
  rotate === undefined ? { width, height } : { width: height, height: width }

const pad: Step = (image, job) => {
  const { padding } = job
  if (padding === undefined) return image
  return image.extend({ ...padding, background: opaqueBackground(job) ?? transparent })
}

/** The library extends once, and before all effects. */
const padApart: FrameStep = {
  isNeeded: (job) =>
    job.padding !== undefined &&
    [job.canvas, job.crop, job.blurSigma, job.sharpen, job.adjust].some(
      (each) => each !== undefined,
    ),
  apply: (frames) => frames,
}

/** As with what is padded: it extends once. */
const borderApart: FrameStep = {
  isNeeded: ({ border }) => border !== undefined,
  apply: (frames) => frames,
}

const edge: Step = (image, { border }) =>
  border === undefined ? image : image.extend({ ...border.widths, background: border.color })

/** Steps that are one pass of the library, and then those that need its pixels. */
export interface Stage {
  readonly steps: readonly Step[]
  readonly frameSteps: readonly FrameStep[]
}

const lookSteps: readonly FrameStep[] = [
  gammaStep,
  pixelateStep,
  opacityStep,
  overlayStep,
  roundCorners,
  padApart,
]
const lateFrameSteps = [...lookSteps, borderApart]

/** From the source to the pixels' places, to how they look, to what is around them. */
export const stages: readonly Stage[] = [
  {
    steps: [convertColors, flatten, takePart, resize, flip, turn, crop, placeOnCanvas],
    frameSteps: [frameOrder, blurByFrame],
  },
  {
    steps: [lightBlur, sharpen, ...adjustSteps],
    frameSteps: lookSteps,
  },
  { steps: [pad, flatten], frameSteps: [borderApart] },
  { steps: [edge], frameSteps: [] },
]

export const applySteps = (steps: readonly Step[], image: Sharp, job: TransformJob): Sharp =>
  steps.reduce((each, step) => step(each, job), image)

/** What a result measures without what is added around it. */
export const shownSize = (job: TransformJob): Size =>
  job.canvas?.size ?? job.crop ?? turnedSize(job)

/** What a result measures with what is around it; `undefined` where nothing is added. */
export function paddedSize(job: TransformJob) {
  const around = [job.padding, job.border?.widths].filter((sides) => sides !== undefined)
  if (around.length === 0) return undefined
  const { width, height } = shownSize(job)
  return {
    width: around.reduce((sum, { left, right }) => sum + left + right, width),
    height: around.reduce((sum, { top, bottom }) => sum + top + bottom, height),
  }
}

/** What steps hold in memory at most, for each pixel of the scaled image. */
export const heldBytesPerPixel = (job: TransformJob): number =>
  heldForBlur(job) + heldForTurn(job) + heldForShape(job)

/** Pixels in hand, before and after. */
const heldForShape = (job: TransformJob): number =>
  lateFrameSteps.some((step) => step.isNeeded(job)) ? 8 : 0

function heldForBlur(job: TransformJob): number {
  if (job.blurSigma === undefined) return 0
  return blurByFrame.isNeeded(job) ? 11 : 3.5
}

/** From the last row to the first: none can be given away before all are there. */
function heldForTurn(job: TransformJob): number {
  if (job.rotate !== undefined) return 4
  if (!isFlipped(job, 'v')) return 0
  return frameOrder.isNeeded(job) ? 12 : 4
}
