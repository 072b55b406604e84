import type { Box, Point, Size, TransformJob } from '../../../../ports/media/renderer.ts'
import { invalid, ServiceError } from '../../../errors.ts'
import { maxOutputPixels } from '../image-limits.ts'
import type { Recipe } from '../recipe.ts'

/** Where every pixel of the result comes from. */
export type Layout = Pick<TransformJob, 'resize' | 'crop' | 'canvas'>

export interface LayoutSource {
  readonly size: Size
  /** Drawn at any size without loss, so nothing counts as enlarging. */
  readonly isVector: boolean
  /** How many of them the result will have. */
  readonly frames: number
}

/** Chooses the place to keep, told how much of the scaled image the crop can hold (0 to 1 a side). */
export type Focus = (share: Size) => Point

type Lengths = Pick<Recipe, 'width' | 'height' | 'fit'> & Partial<Pick<Recipe, 'padding'>>
type Fit = NonNullable<Recipe['fit']>

/** A scaled image longer than this before it is cropped is beyond what can be computed with. */
const maxScaledSide = 200_000

/**
 * Decides size, crop and canvas. A result of more pixels than are made, all frames together, is refused
 * with `UnprocessableImage`: the size is one that may be asked for, and there are images that bear it.
 */
export function layOut(recipe: Lengths, source: LayoutSource, focus: Focus): Layout {
  const layout = layOutUnchecked(recipe, source, focus)
  const result = resultSizeOf({ ...layout, padding: recipe.padding })
  const given = recipe.width === undefined ? 'h' : 'w'
  if (areaOf(result) * source.frames > maxOutputPixels) throw tooLarge(result, source.frames, given)
  if (Math.max(layout.resize.width, layout.resize.height) > maxScaledSide)
    throw invalid(given, 'must be nearer to the proportions of the source, or fit another one')
  return layout
}

/** With what is added around it. */
export function resultSizeOf({
  resize,
  crop,
  canvas,
  padding,
}: Layout & Pick<TransformJob, 'padding'>): Size {
  const { width, height } = canvas?.size ?? crop ?? resize
  const { top = 0, right = 0, bottom = 0, left = 0 } = padding ?? {}
  return { width: width + left + right, height: height + top + bottom }
}

function layOutUnchecked(recipe: Lengths, source: LayoutSource, focus: Focus): Layout {
  const { width, height } = recipe
  if (width !== undefined && height !== undefined)
    return layOutByFit[recipe.fit ?? 'cover']({ width, height }, source.size, focus)
  if (width === undefined && height === undefined) return { resize: boundedSize(source) }
  return { resize: followOneSide(recipe, source) }
}

function tooLarge({ width, height }: Size, frames: number, target: string): ServiceError {
  const megapixels = ((width * height * frames) / 1e6).toFixed(1)
  const what = frames === 1 ? `${width} × ${height}` : `${frames} frames of ${width} × ${height}`
  const less = frames === 1 ? `ask for less in ${target}` : `ask for less in ${target}, or anim=0`
  return new ServiceError(
    'UnprocessableImage',
    `The result would have ${megapixels} megapixels (${what}), of ${maxOutputPixels / 1e6} that are made: ${less}`,
    { target },
  )
}

/** Images that are larger than any result may be are made to fit where nobody asked for a size. */
function boundedSize({ size, frames }: LayoutSource): Size {
  const scale = Math.min(1, Math.sqrt(maxOutputPixels / (areaOf(size) * frames)))
  return scale === 1
    ? size
    : { width: atLeastOne(Math.floor(size.width * scale)), height: Math.floor(size.height * scale) }
}

function followOneSide(recipe: Lengths, { size, isVector }: LayoutSource): Size {
  const scale =
    recipe.width === undefined
      ? (recipe.height ?? size.height) / size.height
      : recipe.width / size.width
  const mayEnlarge = recipe.fit !== 'scale-down' && (isVector || recipe.fit !== undefined)
  return scaleBy(size, mayEnlarge ? scale : Math.min(1, scale))
}

const layOutByFit: Readonly<Record<Fit, (box: Size, source: Size, focus: Focus) => Layout>> = {
  fill: (box) => ({ resize: box }),
  inside: (box, source) => ({ resize: inside(box, source) }),
  outside: (box, source) => ({ resize: outside(box, source) }),
  'scale-down': (box, source) => ({ resize: holds(box, source) ? source : inside(box, source) }),
  contain: (box, source, focus) => pad(box, inside(box, source), focus),
  cover: (box, source, focus) => cropTo(box, outside(box, source), focus),
}

/** The largest of the same proportions that fits. Rounding must not go over the box. */
function inside(box: Size, source: Size): Size {
  const scale = Math.min(box.width / source.width, box.height / source.height)
  const { width, height } = scaleBy(source, scale)
  return { width: Math.min(box.width, width), height: Math.min(box.height, height) }
}

const holds = (box: Size, { width, height }: Size): boolean =>
  width <= box.width && height <= box.height

/** The smallest of the same proportions that covers. Rounding must not leave a gap. */
function outside(box: Size, source: Size): Size {
  const scale = Math.max(box.width / source.width, box.height / source.height)
  const { width, height } = scaleBy(source, scale)
  return { width: Math.max(box.width, width), height: Math.max(box.height, height) }
}

function cropTo(box: Size, resize: Size, focus: Focus): Layout {
  if (isSameSize(box, resize)) return { resize }
  const share = { width: box.width / resize.width, height: box.height / resize.height }
  const { x, y } = focus(share)
  const crop: Box = {
    ...box,
    left: startAround(x, box.width, resize.width),
    top: startAround(y, box.height, resize.height),
  }
  return { resize, crop }
}

function pad(box: Size, resize: Size, focus: Focus): Layout {
  if (isSameSize(box, resize)) return { resize }
  const { x, y } = focus({ width: 1, height: 1 })
  const left = Math.round((box.width - resize.width) * x)
  const top = Math.round((box.height - resize.height) * y)
  return { resize, canvas: { size: box, left, top } }
}

/** Puts the middle of a window at `at` (0 to 1), or as near as the window stays inside. */
const startAround = (at: number, window: number, whole: number): number =>
  Math.round(Math.min(whole - window, Math.max(0, at * whole - window / 2)))

const scaleBy = (size: Size, scale: number): Size => ({
  width: atLeastOne(Math.round(size.width * scale)),
  height: atLeastOne(Math.round(size.height * scale)),
})

const atLeastOne = (pixels: number) => Math.max(1, pixels)
const areaOf = ({ width, height }: Size) => width * height
const isSameSize = (a: Size, b: Size) => a.width === b.width && a.height === b.height
