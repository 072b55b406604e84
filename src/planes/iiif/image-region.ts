import { invalid } from '../../domain/errors.ts'
import type { Box, Size } from '../../ports/media/renderer.ts'

/** §4.1: what is taken of an image. What lies outside of it is left off; nothing left is refused. */
export function readRegion(text: string, image: Size): Box {
  const whole = { left: 0, top: 0, ...sizeOf(image) }
  if (text === 'full') return whole
  if (text === 'square') return squareOf(image)
  const pixels = /^(\d{1,9}),(\d{1,9}),(\d{1,9}),(\d{1,9})$/u.exec(text)
  if (pixels) return within(image, pixels.slice(1).map(Number))
  const percents = percentPattern.exec(text)
  if (!percents) throw invalid('region', 'must be full, square, x,y,w,h or pct:x,y,w,h')
  const lengths = [image.width, image.height, image.width, image.height]
  const shares = percents.slice(1).map(Number)
  return within(
    image,
    shares.map((share, index) => Math.round(((lengths[index] ?? 0) * share) / 100)),
  )
}

const percentPattern =
  /^pct:(\d{1,3}(?:\.\d{1,10})?),(\d{1,3}(?:\.\d{1,10})?),(\d{1,3}(?:\.\d{1,10})?),(\d{1,3}(?:\.\d{1,10})?)$/u

const sizeOf = ({ width, height }: Size): Size => ({ width, height })

/** Where the square lies is ours to say: in the middle. */
function squareOf({ width, height }: Size): Box {
  const side = Math.min(width, height)
  return {
    left: Math.floor((width - side) / 2),
    top: Math.floor((height - side) / 2),
    width: side,
    height: side,
  }
}

function within(image: Size, [left = 0, top = 0, width = 0, height = 0]: readonly number[]): Box {
  if (width === 0 || height === 0) throw invalid('region', 'must be at least a pixel')
  if (left >= image.width || top >= image.height) throw invalid('region', 'must be in the image')
  return {
    left,
    top,
    width: Math.min(width, image.width - left),
    height: Math.min(height, image.height - top),
  }
}

/** As the canonical form of a URL has it (§4.7). */
export const regionText = ({ left, top, width, height }: Box, image: Size): string =>
  width === image.width && height === image.height ? 'full' : [left, top, width, height].join(',')
