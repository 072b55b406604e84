import sharp, { type Sharp } from 'sharp'

import type { RawPixels } from '../../../ports/media/renderer.ts'
import { minAmplitude } from './light-blur.ts'

/** Pixels of all frames, one below the other. */
export interface Frames extends RawPixels {
  readonly pixels: Uint8Array
  readonly frames: number
}

/** What the standard deviation comes down to on the smaller copy, at least. */
const smallSigma = 8

/**
 * Blurs each frame by itself, on a copy so much smaller that a small blur does: what a large blur
 * leaves has no detail that the copy could lose.
 */
export async function strongBlur(frames: Frames, sigma: number): Promise<Frames> {
  const frameBytes = frames.width * frames.height * frames.channels
  const blurred = new Uint8Array(frames.pixels.length)
  for (let start = 0; start < blurred.length; start += frameBytes) {
    const frame = frames.pixels.subarray(start, start + frameBytes)
    blurred.set(await blurFrame(frame, frames, sigma), start)
  }
  return { ...frames, pixels: blurred }
}

async function blurFrame(frame: Uint8Array, shape: RawPixels, sigma: number): Promise<Uint8Array> {
  const { width, height, channels } = shape
  const factor = Math.max(1, Math.floor(sigma / smallSigma))
  const small = { width: Math.ceil(width / factor), height: Math.ceil(height / factor), channels }
  const options = { fit: 'fill', fastShrinkOnLoad: false } as const
  const shrunk = await rawOf(fromRaw(frame, shape).resize({ ...small, ...options }))
  const blurred = await rawOf(fromRaw(shrunk, small).blur({ sigma: sigma / factor, minAmplitude }))
  const enlarging = { width, height, ...options, kernel: 'cubic' } as const
  return await rawOf(fromRaw(blurred, small).resize(enlarging))
}

const fromRaw = (pixels: Uint8Array, { width, height, channels }: RawPixels): Sharp =>
  sharp(pixels, { raw: { width, height, channels } })

const rawOf = async (image: Sharp): Promise<Uint8Array> => await image.raw().toBuffer()
