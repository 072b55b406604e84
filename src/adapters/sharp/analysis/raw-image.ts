import sharp, { type Sharp } from 'sharp'

import type { RawPixels, Size } from '../../../ports/media/renderer.ts'

/** A decoded image: 8 bits a channel, not premultiplied. */
export interface RawImage extends RawPixels {
  readonly pixels: Uint8Array
}

export async function rawImage(image: Sharp): Promise<RawImage> {
  const { data, info } = await image.raw().toBuffer({ resolveWithObject: true })
  const channels = info.channels === 4 ? 4 : 3
  return { pixels: data, width: info.width, height: info.height, channels }
}

export const imageOf = ({ pixels, width, height, channels }: RawImage): Sharp =>
  sharp(pixels, { raw: { width, height, channels } })

/** The size of the same proportions with no side longer than `side`; never larger. */
export function fitWithin({ width, height }: Size, side: number): Size {
  const scale = Math.min(1, side / Math.max(width, height))
  return {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  }
}

export const smaller = (image: RawImage, size: Size): Promise<RawImage> =>
  rawImage(imageOf(image).resize({ width: size.width, height: size.height, fit: 'fill' }))

export function isOpaque({ pixels, channels }: RawImage): boolean {
  if (channels === 3) return true
  for (let alpha = 3; alpha < pixels.length; alpha += 4) if (pixels[alpha] !== 255) return false
  return true
}
