import type { MediaFacts } from '../../../../ports/media/media-facts-store.ts'
import type { Box, Point, Size, TransformJob } from '../../../../ports/media/renderer.ts'
import type { Recipe } from '../recipe.ts'
import { chooseFocus, type ChosenFocus, type FocusedFacts, isFound } from './gravity.ts'
import type { Layout } from './fits.ts'
import { layOut, resultSizeOf } from './layout.ts'
import { lookOf, shownSize } from './look-plan.ts'
import { type FoundOverlay, type OverlayPlan, overlayPlanOf } from './overlay-plan.ts'
import { type Orientation, orientationOf, turnedPoint, turnedSize } from './orientation.ts'
import {
  affordableFormat,
  isMoving,
  outputOf,
  type TransformOptions,
  wantedFormat,
} from './output-plan.ts'
import { closeToFaces } from './face-region.ts'
import { requireWanted } from './source-limits.ts'
import { textJobOf } from './text-plan.ts'
import { factsWithin, pointWithin, regionOf } from './source-region.ts'

/**
 * Everything that decides what the result looks like, and nothing else: the job but for the file that
 * it is made from. Every member is named, so that one that the job gains cannot be forgotten here.
 */
export type TransformPlan = Readonly<Required<Omit<TransformJob, 'source' | 'overlays'>>> & {
  readonly overlays: readonly OverlayPlan[] | undefined
}

export interface PlannedTransform {
  readonly plan: TransformPlan
  /** What callers are told about how it came to be so. */
  readonly notes: readonly string[]
}

/**
 * Whether the pixels have to be looked at first: only a crop is led by what is found in them, and only
 * faces are made unknown alone.
 */
export const needsAnalysis = (recipe: Recipe): boolean =>
  isLed(recipe) || recipe.pixelate === 'faces'

const isLed = (recipe: Recipe): boolean =>
  recipe.focal === undefined &&
  isFound(recipe.gravity) &&
  (isCropped(recipe) || recipe.region?.length === 2)

/** Whether something of what is taken may be cropped away. */
const isCropped = ({ fit = 'cover', width, height, aspectRatio }: Recipe): boolean =>
  (fit === 'cover' || fit === 'crop' || fit === 'auto') &&
  (aspectRatio !== undefined || (width !== undefined && height !== undefined))

/** What has been found out for a transform besides what is known of its image. */
export interface Findings {
  /** What is left of the source without its border, where the recipe asks for that. */
  readonly trimmed?: Box | undefined
  /** Whether what is known of the image is of its pixels as they are stored, not as they are shown. */
  readonly isAsStored?: boolean | undefined
  /** Those that the recipe names, in their order. */
  readonly overlays?: readonly FoundOverlay[] | undefined
}

/**
 * Decides a transform to the pixel. Throws `UnprocessableImage` for a result that is too large, at all or for the
 * format that was named, and for a part or a frame that is not there.
 */
export function planTransform(
  facts: FocusedFacts,
  options: TransformOptions,
  { trimmed, isAsStored, overlays = [] }: Findings = {},
): PlannedTransform {
  const { recipe } = options
  const { header } = facts
  requireWanted(recipe, header)
  const wanted = wantedFormat(facts, options, hasAlpha(facts, recipe))
  const isAnimated = isMoving(facts, recipe) && (wanted === 'webp' || wanted === 'gif')
  const shown = shownOf(facts, { recipe, trimmed, frames: isAnimated ? header.frames : 1 })
  const { layout, look, orientation } = shown
  const { format, why } = affordableFormat(wanted, {
    pixels: areaOf(resultSizeOf({ ...layout, ...look })),
    options,
    hasAlpha: hasAlpha(facts, recipe, layout),
  })
  const plan: TransformPlan = {
    kind: 'transform',
    isAnimated,
    frame: laterFrame(recipe),
    isAsStored,
    region: shown.region,
    resize: turnedSize(layout.resize, orientation),
    ...orientation,
    crop: layout.crop,
    canvas: layout.canvas,
    ...look,
    overlays:
      overlays.length === 0
        ? undefined
        : overlays.map((each) => overlayPlanOf(each, shownSize(layout))),
    texts:
      recipe.texts.length === 0
        ? undefined
        : recipe.texts.map((each) => textJobOf(each, shownSize(layout))),
    output: outputOf(format, facts, options),
  }
  return { plan, notes: [...shown.notes, why].filter((each) => each !== undefined) }
}

interface Showing {
  readonly recipe: Recipe
  readonly trimmed: Box | undefined
  /** Of the result. */
  readonly frames: number
}

/** What is taken of the image, where it comes to lie, and how it looks there. */
function shownOf(facts: FocusedFacts, { recipe, trimmed, frames }: Showing) {
  const { header } = facts
  const orientation = orientationOf(recipe)
  const region = takenRegion(facts, recipe, trimmed)
  const taken = factsWithin(facts, region)
  const { focus, note } = focusOf(recipe, { facts, taken, region, orientation })
  const { width, height } = region ?? header
  const size = turnedSize({ width, height }, orientation)
  const layout = layOut(recipe, { size, isVector: header.format === 'svg', frames }, focus)
  const faces = taken.analysis?.faces ?? []
  const look = lookOf(recipe, { layout, orientation, faces })
  const isFaceless = recipe.pixelate === 'faces' && look.pixelate === undefined
  const notes = [layout.crop && note, isFaceless ? 'no-faces' : undefined]
  return { region, orientation, layout, look, notes }
}

/** The part that is named, and of that what is near to the faces where the caller wants to be. */
function takenRegion(facts: FocusedFacts, recipe: Recipe, trimmed: Box | undefined) {
  const size = { width: facts.header.width, height: facts.header.height }
  const { focus } = recipe.focal
    ? { focus: always(recipe.focal) }
    : chooseFocus(usefulGravity(recipe), facts)
  const region = regionOf(recipe, { size, trimmed, focus })
  return closeToFaces(recipe, { facts: factsWithin(facts, region), size, region })
}

const always = (point: Point) => () => point

const laterFrame = ({ frame = 1 }: Recipe): number | undefined =>
  frame === 1 ? undefined : frame - 1

interface Focusing {
  readonly facts: FocusedFacts
  /** The same of what is taken of the image. */
  readonly taken: FocusedFacts
  readonly region: Box | undefined
  readonly orientation: Orientation
}

/** What is a place of the source is turned with it; sides are those of what is seen. */
function focusOf(
  recipe: Recipe,
  { facts: { header }, taken, region, orientation }: Focusing,
): ChosenFocus {
  const { focal } = recipe
  if (focal !== undefined) {
    const point = region === undefined ? focal : pointWithin(focal, header, region)
    return { focus: () => turnedPoint(point, orientation), note: undefined }
  }
  const gravity = usefulGravity(recipe)
  const { focus, note } = chooseFocus(gravity, taken)
  if (!isFound(gravity)) return { focus, note }
  return {
    focus: (share) => turnedPoint(focus(turnedSize(share, orientation)), orientation),
    note,
  }
}

const usefulGravity = (recipe: Recipe): Recipe['gravity'] =>
  isFound(recipe.gravity) && !isLed(recipe) ? 'center' : recipe.gravity

/** Whether anything of the result is transparent. */
const hasAlpha = (
  { header }: MediaFacts,
  { background, radius, padding, opacity }: Recipe,
  layout?: Layout,
): boolean =>
  background === undefined &&
  (header.hasAlpha ||
    radius !== undefined ||
    padding !== undefined ||
    opacity !== 100 ||
    layout?.canvas !== undefined)

/** Of all frames together. */
export const pixelsOf = (plan: TransformPlan, frames: number): number =>
  areaOf(resultSizeOf(plan)) * (plan.isAnimated ? frames : 1)

const areaOf = ({ width, height }: Size): number => width * height
