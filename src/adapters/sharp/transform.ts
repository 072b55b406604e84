import sharp, { type Sharp } from 'sharp'

import type { EncodedImage, TransformJob } from '../../ports/media/renderer.ts'
import { encode, type Motion } from './encoders.ts'
import { openSource } from './open-source.ts'
import { maxLightSigma } from './pipeline/light-blur.ts'
import { applySteps, effectSteps, layoutSteps } from './pipeline/steps.ts'
import { type Frames, strongBlur } from './pipeline/strong-blur.ts'

export async function transform(job: TransformJob): Promise<EncodedImage> {
  const source = await openSource(job.source, { isAnimated: job.isAnimated, target: job.resize })
  const laidOut = applySteps(layoutSteps, source, job)
  if (needsFrames(job)) return await transformFrames(laidOut, job)
  return await finish(applySteps(effectSteps, laidOut, job), job, {})
}

/** A strong blur needs pixels in hand; any blur of several frames must not run from one into the next. */
const needsFrames = ({ blurSigma = 0, isAnimated }: TransformJob): boolean =>
  blurSigma > maxLightSigma || (isAnimated && blurSigma > 0)

async function transformFrames(laidOut: Sharp, job: TransformJob): Promise<EncodedImage> {
  const motion = job.isAnimated ? await motionOf(laidOut) : {}
  const { width, height, channels, frames, pixels } = await strongBlur(
    await framesOf(laidOut),
    job.blurSigma ?? 0,
  )
  const raw = { width, height: height * frames, channels, pageHeight: height }
  const { blurSigma: _done, ...rest } = job
  return await finish(applySteps(effectSteps, sharp(pixels, { raw }), rest), rest, motion)
}

async function framesOf(image: Sharp): Promise<Frames> {
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true })
  const height = info.pageHeight ?? info.height
  return {
    pixels: data,
    width: info.width,
    height,
    channels: info.channels === 4 ? 4 : 3,
    frames: info.height / height,
  }
}

async function motionOf(image: Sharp): Promise<Partial<Motion>> {
  const { delay, loop } = await image.metadata()
  return { ...(delay && { delay }), ...(loop !== undefined && { loop }) }
}

async function finish(
  image: Sharp,
  { output }: TransformJob,
  motion: Partial<Motion>,
): Promise<EncodedImage> {
  const { data, info } = await encode(image, output, motion).toBuffer({ resolveWithObject: true })
  return {
    bytes: data,
    width: info.width,
    height: info.pageHeight ?? info.height,
    frames: info.pages ?? 1,
  }
}
