import type { Box, Point, Size } from '../../../../ports/media/renderer.ts'
import { ServiceError } from '../../../errors.ts'
import type { SourceLength } from '../parameters/parameter-values.ts'
import type { Recipe } from '../recipe.ts'
import type { FocusedFacts } from './gravity.ts'

/**
 * The part of a source that is taken, in its pixels; `undefined` for all of it. What lies outside of the
 * source is left off; where that is everything, `UnprocessableImage`.
 */
export function regionOf(
  { region }: Pick<Recipe, 'region'>,
  size: Size,
  trimmed: Box | undefined,
): Box | undefined {
  const box = region === undefined ? trimmed : clipped(region, size)
  if (box === undefined || (box.width === size.width && box.height === size.height))
    return undefined
  if (box.width < 1 || box.height < 1)
    throw new ServiceError(
      'UnprocessableImage',
      `Nothing of the image is in that part: it has ${size.width} × ${size.height} pixels`,
      { target: 'crop' },
    )
  return box
}

function clipped([x, y, w, h]: NonNullable<Recipe['region']>, size: Size): Box {
  const left = Math.min(size.width, pixels(x, size.width))
  const top = Math.min(size.height, pixels(y, size.height))
  return {
    left,
    top,
    width: Math.min(size.width - left, pixels(w, size.width)),
    height: Math.min(size.height - top, pixels(h, size.height)),
  }
}

const pixels = ({ value, isPercent }: SourceLength, whole: number): number =>
  Math.round(isPercent ? (value * whole) / 100 : value)

/** What is known of the whole image, as it is in a part of it. */
export function factsWithin(facts: FocusedFacts, region: Box | undefined): FocusedFacts {
  if (region === undefined) return facts
  const { header, analysis, focalPoint } = facts
  const within = (point: Point): Point => pointWithin(point, header, region)
  return {
    ...facts,
    focalPoint: focalPoint && within(focalPoint),
    analysis: analysis && {
      ...analysis,
      faces: analysis.faces.flatMap((face) => {
        const box = boxWithin(face, header, region)
        return box === undefined ? [] : [{ ...box, score: face.score }]
      }),
      saliency: { ...analysis.saliency, point: within(analysis.saliency.point) },
    },
  }
}

/** The nearest place in the part, where it is outside. */
export const pointWithin = ({ x, y }: Point, whole: Size, region: Box): Point => ({
  x: clamp((x * whole.width - region.left) / region.width),
  y: clamp((y * whole.height - region.top) / region.height),
})

function boxWithin(box: Box, whole: Size, region: Box): Box | undefined {
  const from = pointWithin({ x: box.left, y: box.top }, whole, region)
  const to = pointWithin({ x: box.left + box.width, y: box.top + box.height }, whole, region)
  const inside = { left: from.x, top: from.y, width: to.x - from.x, height: to.y - from.y }
  return inside.width > 0 && inside.height > 0 ? inside : undefined
}

const clamp = (share: number): number => Math.min(1, Math.max(0, share))
