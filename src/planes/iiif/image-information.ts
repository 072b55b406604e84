import type { Size } from '../../ports/media/renderer.ts'
import { isAllowed, limits } from './image-size.ts'

export const context = 'http://iiif.io/api/image/3/context.json'
export const profile = 'http://iiif.io/api/image/3/level2.json'

const tileSide = 512
const smallestSide = 96

/** §5: what a client needs to know of an image. */
export function imageInformation(id: string, { width, height }: Size) {
  const factors = factorsOf({ width, height })
  return {
    '@context': context,
    id,
    type: 'ImageService3',
    protocol: 'http://iiif.io/api/image',
    profile: 'level2',
    width,
    height,
    ...limits,
    sizes: factors
      .map((factor) => dividedBy({ width, height }, factor))
      .filter((size) => isAllowed(size))
      .toReversed(),
    tiles: [{ width: tileSide, height: tileSide, scaleFactors: factors }],
    preferredFormats: ['avif', 'webp', 'jpg'],
    extraFormats: ['webp', 'avif', 'gif'],
    extraQualities: ['color', 'gray'],
    extraFeatures: ['canonicalLinkHeader', 'mirroring', 'profileLinkHeader', 'sizeUpscaling'],
  }
}

/** By how much the image is made smaller until a thumbnail is left. */
function factorsOf({ width, height }: Size): readonly number[] {
  const factors = [1]
  for (let factor = 2; Math.max(width, height) / factor >= smallestSide; factor *= 2)
    factors.push(factor)
  return factors
}

const dividedBy = ({ width, height }: Size, factor: number): Size => ({
  width: Math.ceil(width / factor),
  height: Math.ceil(height / factor),
})
