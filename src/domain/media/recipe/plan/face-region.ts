import type { Box, Size } from '../../../../ports/media/renderer.ts'
import type { Recipe } from '../recipe.ts'
import { startAround } from './fits.ts'
import { type FocusedFacts, unionOf } from './gravity.ts'
import { orientationOf, turnedSize } from './orientation.ts'

interface Closing {
  /** Of the part that is taken. */
  readonly facts: FocusedFacts
  readonly size: Size
  /** The part that is taken, in pixels of the source; all of it where left out. */
  readonly region: Box | undefined
}

/** Of the larger side of the faces, on each side of them: with hair and neck. */
const faceMargin = 0.35

/**
 * The part of the source around its faces, in the shape of the box that is to be filled: between the
 * widest (`zoom` 0) and the one that has nothing but them (1). Without faces, or a box, what was taken.
 */
export function closeToFaces(recipe: Recipe, { facts, size, region }: Closing): Box | undefined {
  const shape = shapeOf(recipe)
  const faces = facts.analysis?.faces ?? []
  if (shape === undefined || faces.length === 0 || facts.focalPoint !== undefined) return region
  const whole = region ?? { left: 0, top: 0, ...size }
  const found = grown(inPixels(unionOf(faces), whole))
  const widest = largestWithin(whole, shape)
  const closest = Math.min(widest.width, Math.max(found.width, found.height * shape))
  const width = widest.width + (closest - widest.width) * recipe.zoom
  const box = { width: Math.round(width), height: Math.round(width / shape) }
  const [x, y] = [found.left + found.width / 2, found.top + found.height / 2]
  return {
    width: Math.max(1, Math.min(box.width, whole.width)),
    height: Math.max(1, Math.min(box.height, whole.height)),
    left: whole.left + startAround(x / whole.width, box.width, whole.width),
    top: whole.top + startAround(y / whole.height, box.height, whole.height),
  }
}

/** Width by height of the box, as it lies in the source; `undefined` where nothing is asked to be closer. */
function shapeOf(recipe: Recipe): number | undefined {
  const { zoom, gravity, focal, width, height, aspectRatio, fit = 'cover' } = recipe
  if (zoom === 0 || gravity !== 'face' || focal !== undefined || fit !== 'cover') return undefined
  const named = width !== undefined && height !== undefined ? width / height : aspectRatio
  if (named === undefined) return undefined
  const box = turnedSize({ width: named, height: 1 }, orientationOf(recipe))
  return box.width / box.height
}

const inPixels = ({ left, top, width, height }: Box, whole: Size): Box => ({
  left: left * whole.width,
  top: top * whole.height,
  width: width * whole.width,
  height: height * whole.height,
})

function grown({ left, top, width, height }: Box): Box {
  const margin = Math.max(width, height) * faceMargin
  return {
    left: left - margin,
    top: top - margin,
    width: width + 2 * margin,
    height: height + 2 * margin,
  }
}

const largestWithin = ({ width, height }: Size, shape: number): Size =>
  width / height > shape ? { width: height * shape, height } : { width, height: width / shape }
