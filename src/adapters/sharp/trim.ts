import sharp from 'sharp'

import type { Box, TrimJob } from '../../ports/media/renderer.ts'
import { openSource } from './open-source.ts'

/** Larger images are looked at in this size, and what is found is rounded outwards. */
const maxSide = 2048

/** An SVG is looked at in its natural size. */
export async function trim({ source, threshold, color }: TrimJob): Promise<Box> {
  const { width, height } = source.size
  const scale = Math.min(1, maxSide / Math.max(width, height))
  const target = { width: scaled(width, scale), height: scaled(height, scale) }
  const image = await openSource(source, { isAnimated: false, target })
  const { data, info } = await image
    .resize({ ...target, fit: 'fill' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const raw = { width: info.width, height: info.height, channels: info.channels }
  const found = await sharp(data, { raw })
    .trim({ threshold, ...(color !== undefined && { background: color }) })
    .raw()
    .toBuffer({ resolveWithObject: true })
  // The library says how far the image was moved: never to the right.
  const left = Math.abs(found.info.trimOffsetLeft ?? 0)
  const top = Math.abs(found.info.trimOffsetTop ?? 0)
  const [x, y] = [width / target.width, height / target.height]
  const box = { left: Math.floor(left * x), top: Math.floor(top * y) }
  return {
    ...box,
    width: Math.min(width, Math.ceil((left + found.info.width) * x)) - box.left,
    height: Math.min(height, Math.ceil((top + found.info.height) * y)) - box.top,
  }
}

const scaled = (length: number, scale: number): number => Math.max(1, Math.round(length * scale))
