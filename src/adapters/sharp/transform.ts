import sharp, { type Sharp } from 'sharp'

import type { EncodedImage, Size, TransformJob } from '../../ports/media/renderer.ts'
import { drawOverlays } from './overlays/draw-overlays.ts'
import { drawTexts } from './overlays/draw-texts.ts'
import { encodeWithin } from './output/encode-within.ts'
import { encode, type Motion } from './output/encoders.ts'
import { qualityFor } from './output/quality-for.ts'
import { creditsOf, withMetadata } from './output/kept-metadata.ts'
import { openSource } from './open-source.ts'
import type { Frames, OpenPixels } from './pipeline/frames.ts'
import type { DrawnOverlay, FrameStep } from './pipeline/step.ts'
import { applySteps, paddedSize, shownSize, stages } from './pipeline/steps.ts'

export async function transform(wanted: TransformJob): Promise<EncodedImage> {
  const { source, isAnimated, frame, isAsStored } = wanted
  const overlays = [
    ...(await drawOverlays(wanted.overlays ?? [])),
    ...(await drawTexts(wanted.texts ?? [], shownSize(wanted))),
  ]
  const opened = await openSource(source, {
    isAnimated,
    frame,
    isAsStored,
    target: drawnSize(wanted),
  })
  const job = await withDrawnPart(opened, wanted)
  const work: Work = { image: opened, motion: {}, frames: undefined }
  for (const { steps, frameSteps } of stages) {
    work.image = applySteps(steps, work.image, job)
    const needed = frameSteps.filter((step) => step.isNeeded(job))
    if (needed.length === 0) continue
    if (job.isAnimated && work.frames === undefined) work.motion = await motionOf(work.image)
    const inHand = await applyInHand(needed, work, { job, overlays })
    work.image = openFrames(inHand)
    work.frames = inHand.frames
  }
  return await finish(work, job)
}

/** The size that a whole SVG is drawn at, so that the part that is taken has the wanted one. */
function drawnSize({ source: { size }, region, resize }: TransformJob): Size {
  if (region === undefined) return resize
  return {
    width: (resize.width * size.width) / region.width,
    height: (resize.height * size.height) / region.height,
  }
}

/** A part of an SVG is named in its natural size. */
async function withDrawnPart(image: Sharp, job: TransformJob): Promise<TransformJob> {
  const { source, region } = job
  if (region === undefined || source.format !== 'svg') return job
  const drawn = await image.metadata()
  const [x, y] = [drawn.width / source.size.width, drawn.height / source.size.height]
  const left = Math.min(drawn.width - 1, Math.floor(region.left * x))
  const top = Math.min(drawn.height - 1, Math.floor(region.top * y))
  const width = Math.max(1, Math.min(drawn.width - left, Math.round(region.width * x)))
  const height = Math.max(1, Math.min(drawn.height - top, Math.round(region.height * y)))
  return { ...job, region: { left, top, width, height } }
}

async function applyInHand(
  steps: readonly FrameStep[],
  work: Work,
  { job, overlays }: { readonly job: TransformJob; readonly overlays: readonly DrawnOverlay[] },
): Promise<Frames> {
  let inHand = await framesOf(work)
  for (const step of steps) inHand = await step.apply(inHand, job, { open: openPixels, overlays })
  return inHand
}

const openFrames = ({ width, height, channels, frames, pixels }: Frames): Sharp =>
  sharp(pixels, { raw: { width, height: height * frames, channels, pageHeight: height } })

const openPixels: OpenPixels = (pixels, { width, height, channels }) =>
  sharp(pixels, { raw: { width, height, channels } })

/** Of what has been extended the library says how high a frame was before. */
async function framesOf({ image, frames }: Pick<Work, 'image' | 'frames'>): Promise<Frames> {
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true })
  const height = frames === undefined ? (info.pageHeight ?? info.height) : info.height / frames
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

interface Work {
  image: Sharp
  motion: Partial<Motion>
  /** How many there are of what is pixels now, and has no source behind it any more. */
  frames: number | undefined
}

async function finish(work: Work, job: TransformJob): Promise<EncodedImage> {
  const { output, source } = job
  const { image, motion } = work
  const isInHand = work.frames !== undefined
  if (output.maxBytes === undefined && output.similarity === undefined) {
    const kept = output.keepsProfile === true && !isInHand ? image.keepIccProfile() : image
    const named = await withMetadata(kept, output.metadata, { source, isInHand })
    return await encoded(encode(named, output, motion), job)
  }
  const moving = job.isAnimated && !isInHand ? await motionOf(image) : motion
  const inHand = await framesOf(work)
  const credits = output.metadata === undefined ? undefined : await creditsOf(source)
  const most = output.similarity === undefined ? output.quality : await qualityFor(inHand, output)
  return await encodeWithin(output.maxBytes ?? Infinity, most, async (quality) => {
    const again = openFrames(inHand)
    const named = credits === undefined ? again : again.withExif({ IFD0: { ...credits } })
    return await encoded(encode(named, { ...output, quality }, moving), job)
  })
}

/** What the library says of a size is of before it extended. */
async function encoded(image: Sharp, job: TransformJob): Promise<EncodedImage> {
  const { data, info } = await image.toBuffer({ resolveWithObject: true })
  const size = paddedSize(job) ?? { width: info.width, height: info.pageHeight ?? info.height }
  return { ...size, bytes: data, frames: info.pages ?? 1 }
}
