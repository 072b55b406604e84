import type { Size, TransformJob } from '../../../../ports/media/renderer.ts'
import { invalid, ServiceError } from '../../../errors.ts'
import { maxOutputPixels } from '../image-limits.ts'
import type { Recipe } from '../recipe.ts'
import { type Focus, type Layout, layOutByFit, scaleBy, smallerOf } from './fits.ts'

export interface LayoutSource {
  readonly size: Size
  /** Drawn at any size without loss, so nothing counts as enlarging. */
  readonly isVector: boolean
  /** How many of them the result will have. */
  readonly frames: number
}

type Lengths = Pick<Recipe, 'width' | 'height' | 'fit'> &
  Partial<
    Pick<
      Recipe,
      | 'padding'
      | 'border'
      | 'scale'
      | 'aspectRatio'
      | 'minWidth'
      | 'minHeight'
      | 'mayEnlarge'
      | 'offset'
      | 'maxResultSide'
    >
  >

/** A scaled image longer than this before it is cropped is beyond what can be computed with. */
const maxScaledSide = 200_000

/**
 * Decides size, crop and canvas. A result of more pixels than are made, all frames together, is refused
 * with `UnprocessableImage`: the size is one that may be asked for, and there are images that bear it.
 */
export function layOut(recipe: Lengths, source: LayoutSource, focus: Focus): Layout {
  const whole = shifted(layOutUnchecked(recipe, source, focus), recipe.offset)
  const layout = withinSide(whole, recipe.maxResultSide)
  const { padding, border } = recipe
  const result = resultSizeOf({ ...layout, padding, border })
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
  border,
}: Layout & Pick<TransformJob, 'padding' | 'border'>): Size {
  const { width, height } = canvas?.size ?? crop ?? resize
  const around = [padding, border?.widths].filter((sides) => sides !== undefined)
  return {
    width: around.reduce((sum, { left, right }) => sum + left + right, width),
    height: around.reduce((sum, { top, bottom }) => sum + top + bottom, height),
  }
}

function layOutUnchecked(recipe: Lengths, source: LayoutSource, focus: Focus): Layout {
  const { fit = 'cover', mayEnlarge } = recipe
  const box = boxOf(recipe, source.size)
  const layout =
    box === undefined
      ? { resize: sizeWithoutBox(recipe, source) }
      : layOutByFit[fit]({
          box,
          source: source.size,
          focus,
          mayEnlarge: mayEnlarge !== false || source.isVector,
          isShape: recipe.aspectRatio !== undefined,
        })
  if (layout.crop !== undefined || layout.canvas !== undefined || fit === 'fill') return layout
  return { resize: atLeast(recipe, layout.resize, source.size) }
}

/** As it is named, or of the shape that is named. */
function boxOf(recipe: Lengths, source: Size): Size | undefined {
  const { width, height, aspectRatio, fit, scale = 1 } = recipe
  if (width !== undefined && height !== undefined) return { width, height }
  if (aspectRatio === undefined) return undefined
  if (width !== undefined) return { width, height: atLeastOne(width / aspectRatio) }
  if (height !== undefined) return { width: atLeastOne(height * aspectRatio), height }
  const isWider = source.width / source.height > aspectRatio
  const isByHeight = isWider === (fit !== 'contain')
  return isByHeight
    ? scaleBy({ width: source.height * aspectRatio, height: source.height }, scale)
    : scaleBy({ width: source.width, height: source.width / aspectRatio }, scale)
}

function sizeWithoutBox(recipe: Lengths, source: LayoutSource): Size {
  const { width, height, scale = 1 } = recipe
  if (width !== undefined || height !== undefined) return followOneSide(recipe, source)
  return scale === 1 ? boundedSize(source) : scaleBy(source.size, scale)
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
    : {
        width: Math.max(1, Math.floor(size.width * scale)),
        height: Math.floor(size.height * scale),
      }
}

function followOneSide(recipe: Lengths, { size, isVector }: LayoutSource): Size {
  const scale =
    recipe.width === undefined
      ? (recipe.height ?? size.height) / size.height
      : recipe.width / size.width
  const isFree = recipe.mayEnlarge ?? recipe.fit !== undefined
  const keepsSize = recipe.fit === 'scale-down' || recipe.fit === 'crop'
  const mayEnlarge = !keepsSize && (isVector || isFree)
  return scaleBy(size, mayEnlarge ? scale : Math.min(1, scale))
}

/** In the proportions of the source, of which nothing is lost in rounding twice. */
function atLeast({ minWidth = 1, minHeight = 1 }: Lengths, size: Size, source: Size): Size {
  if (size.width >= minWidth && size.height >= minHeight) return size
  return scaleBy(source, Math.max(minWidth / source.width, minHeight / source.height))
}

/** All of it in one scale, so that no side is longer. */
function withinSide(layout: Layout, maxSide = Infinity): Layout {
  const { resize, crop, canvas } = layout
  const { width, height } = canvas?.size ?? crop ?? resize
  const scale = maxSide / Math.max(width, height)
  if (scale >= 1) return layout
  const scaled = scaleBy(resize, scale)
  const cornerIn = (outer: Size, inner: Size, { left, top }: { left: number; top: number }) => ({
    left: moved(0, Math.round(left * scale), outer.width - inner.width),
    top: moved(0, Math.round(top * scale), outer.height - inner.height),
  })
  if (crop !== undefined) {
    const size = smallerOf(scaleBy(crop, scale), scaled)
    return { resize: scaled, crop: { ...size, ...cornerIn(scaled, size, crop) } }
  }
  if (canvas === undefined) return { resize: scaled }
  const size = scaleBy(canvas.size, scale)
  const inner = smallerOf(scaled, size)
  return { resize: inner, canvas: { size, ...cornerIn(size, inner, canvas) } }
}

/** Moves what is kept, or where it lies, as far as there is room. */
function shifted(layout: Layout, offset: Lengths['offset']): Layout {
  if (offset === undefined) return layout
  const { resize, crop, canvas } = layout
  if (crop !== undefined) {
    const left = moved(crop.left, offset.x, resize.width - crop.width)
    const top = moved(crop.top, offset.y, resize.height - crop.height)
    return { resize, crop: { ...crop, left, top } }
  }
  if (canvas === undefined) return layout
  const left = moved(canvas.left, offset.x, canvas.size.width - resize.width)
  const top = moved(canvas.top, offset.y, canvas.size.height - resize.height)
  return { resize, canvas: { ...canvas, left, top } }
}

const moved = (from: number, by: number, room: number): number =>
  Math.min(room, Math.max(0, from + by))

const atLeastOne = (pixels: number) => Math.max(1, Math.round(pixels))
const areaOf = ({ width, height }: Size) => width * height
