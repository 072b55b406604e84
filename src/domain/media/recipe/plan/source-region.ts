import type { Box, Point, Size } from '../../../../ports/media/renderer.ts'
import { ServiceError } from '../../../errors.ts'
import type { SourceBox, SourceExtent, SourceLength } from '../parameters/parameter-values.ts'
import type { Recipe } from '../recipe.ts'
import { type Focus, startAround } from './fits.ts'
import type { FocusedFacts } from './gravity.ts'

interface Taking {
  readonly size: Size
  readonly trimmed: Box | undefined
  /** Of the source as it is stored; where only the size of a part is said, it lies there. */
  readonly focus: Focus
}

/**
 * The part of a source that is taken, in its pixels; `undefined` for all of it. What lies outside of the
 * source is left off; where that is everything, `UnprocessableImage`.
 */
export function regionOf(
  recipe: Pick<Recipe, 'region' | 'cut' | 'trim'>,
  taking: Taking,
): Box | undefined {
  const { size } = taking
  const box = wantedBox(recipe, taking)
  if (box === undefined || (box.width === size.width && box.height === size.height))
    return undefined
  if (box.width >= 1 && box.height >= 1) return box
  throw new ServiceError(
    'UnprocessableImage',
    `Nothing of the image is in that part: it has ${size.width} × ${size.height} pixels`,
    { target: recipe.cut === undefined ? 'crop' : 'cut' },
  )
}

function wantedBox(
  { region, cut, trim }: Pick<Recipe, 'region' | 'cut' | 'trim'>,
  { size, trimmed, focus }: Taking,
): Box | undefined {
  if (cut !== undefined) return withoutSides(cut, size)
  if (region !== undefined) return namedBox(region, size, focus)
  return trimmed && withEqualSides(trimmed, size, trim?.equal)
}

/** No more is taken away on one side than on the other. */
function withEqualSides(box: Box, size: Size, equal = ''): Box {
  const left = Math.min(box.left, size.width - box.left - box.width)
  const top = Math.min(box.top, size.height - box.top - box.height)
  return {
    ...box,
    ...(equal.includes('h') && { left, width: size.width - 2 * left }),
    ...(equal.includes('v') && { top, height: size.height - 2 * top }),
  }
}

const namedBox = (region: SourceBox | SourceExtent, size: Size, focus: Focus): Box =>
  region.length === 2 ? focusedBox(region, size, focus) : clipped(region, size)

function focusedBox([w, h]: SourceExtent, size: Size, focus: Focus): Box {
  const width = Math.min(size.width, pixels(w, size.width))
  const height = Math.min(size.height, pixels(h, size.height))
  const { x, y } = focus({ width: width / size.width, height: height / size.height })
  const [left, top] = [startAround(x, width, size.width), startAround(y, height, size.height)]
  return { left, top, width, height }
}

function withoutSides([top, right, bottom, left]: SourceBox, size: Size): Box {
  const from = { left: pixels(left, size.width), top: pixels(top, size.height) }
  return {
    ...from,
    width: size.width - from.left - pixels(right, size.width),
    height: size.height - from.top - pixels(bottom, size.height),
  }
}

function clipped([x, y, w, h]: SourceBox, size: Size): Box {
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
