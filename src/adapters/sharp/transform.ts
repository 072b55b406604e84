import sharp, { type Sharp } from 'sharp'

import type { EncodedImage, TransformJob } from '../../ports/media/renderer.ts'
import { encode, type Motion } from './encoders.ts'
import { openSource } from './open-source.ts'
import type { Frames, OpenPixels } from './pipeline/frames.ts'
import { applySteps, effectSteps, frameSteps, layoutSteps } from './pipeline/steps.ts'

export async function transform(job: TransformJob): Promise<EncodedImage> {
  const source = await openSource(job.source, { isAnimated: job.isAnimated, target: job.resize })
  const laidOut = applySteps(layoutSteps, source, job)
  if (frameSteps.some((step) => step.isNeeded(job))) return await transformFrames(laidOut, job)
  return await finish(applySteps(effectSteps, laidOut, job), job, {})
}

async function transformFrames(laidOut: Sharp, job: TransformJob): Promise<EncodedImage> {
  const motion = job.isAnimated ? await motionOf(laidOut) : {}
  let inHand = await framesOf(laidOut)
  for (const step of frameSteps)
    if (step.isNeeded(job)) inHand = await step.apply(inHand, job, openPixels)
  const { width, height, channels, frames, pixels } = inHand
  const raw = { width, height: height * frames, channels, pageHeight: height }
  return await finish(applySteps(effectSteps, sharp(pixels, { raw }), job), job, motion)
}

const openPixels: OpenPixels = (pixels, { width, height, channels }) =>
  sharp(pixels, { raw: { width, height, channels } })

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
