import type { Sharp } from 'sharp'

import type { RawPixels } from '../../../ports/media/renderer.ts'
import type { Frames, OpenPixels } from './frames.ts'

/** Where the bell is cut off. libvips cuts at a fifth of its height, which is a much weaker blur. */
export const minAmplitude = 0.05

interface Blur {
  readonly sigma: number
  readonly open: OpenPixels
}

/** What the standard deviation comes down to on the smaller copy, at least. */
const smallSigma = 8

/**
 * Blurs each frame by itself, on a copy so much smaller that a small blur does: what a large blur
 * leaves has no detail that the copy could lose.
 */
export async function strongBlur(frames: Frames, blur: Blur): Promise<Frames> {
  const frameBytes = frames.width * frames.height * frames.channels
  const blurred = new Uint8Array(frames.pixels.length)
  for (let start = 0; start < blurred.length; start += frameBytes) {
    const frame = frames.pixels.subarray(start, start + frameBytes)
    blurred.set(await blurFrame(frame, frames, blur), start)
  }
  return { ...frames, pixels: blurred }
}

async function blurFrame(
  frame: Uint8Array,
  shape: RawPixels,
  { sigma, open }: Blur,
): Promise<Uint8Array> {
  const { width, height, channels } = shape
  const factor = Math.max(1, Math.floor(sigma / smallSigma))
  const small = { width: Math.ceil(width / factor), height: Math.ceil(height / factor), channels }
  const options = { fit: 'fill', fastShrinkOnLoad: false } as const
  const shrunk = await rawOf(open(frame, shape).resize({ ...small, ...options }))
  const blurred = await rawOf(open(shrunk, small).blur({ sigma: sigma / factor, minAmplitude }))
  const enlarging = { width, height, ...options, kernel: 'cubic' } as const
  return await rawOf(open(blurred, small).resize(enlarging))
}

const rawOf = async (image: Sharp): Promise<Uint8Array> => await image.raw().toBuffer()
