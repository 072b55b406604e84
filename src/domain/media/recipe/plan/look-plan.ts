import type { Box, Face, Size, TransformJob } from '../../../../ports/media/renderer.ts'
import type { Recipe } from '../recipe.ts'
import type { Layout } from './fits.ts'
import { type Orientation, turnedBox } from './orientation.ts'

/** What is done to pixels in their places. What changes nothing is `undefined`, or equal results had two keys. */
export type Look = Required<
  Pick<
    TransformJob,
    | 'background'
    | 'blurSigma'
    | 'sharpen'
    | 'adjust'
    | 'gamma'
    | 'pixelate'
    | 'opacity'
    | 'radius'
    | 'padding'
    | 'border'
  >
>

interface Shown {
  /** As it is seen, turned. */
  readonly layout: Layout
  readonly orientation: Orientation
  /** In shares of what is taken of the source. */
  readonly faces: readonly Face[]
}

export function lookOf(recipe: Recipe, shown: Shown): Look {
  const { blur, sharpen, gamma, opacity, padding, border, background } = recipe
  return {
    background,
    blurSigma: blur === undefined ? undefined : blur / 2,
    sharpen,
    adjust: adjustmentOf(recipe),
    gamma: gamma === 1 ? undefined : gamma,
    pixelate: pixelationOf(recipe, shown),
    opacity: opacity === 100 ? undefined : opacity / 100,
    radius: radiusOf(recipe, shown.layout),
    padding: padding && isAround(padding) ? padding : undefined,
    border: border && isAround(border.widths) ? border : undefined,
  }
}

const isAround = (sides: NonNullable<Recipe['padding']>): boolean =>
  Object.values(sides).some((length) => length > 0)

function adjustmentOf({
  brightness,
  contrast,
  saturation,
  isGrayscale,
  tint,
  hue,
  sepia,
  isInverted,
}: Recipe): TransformJob['adjust'] {
  const further = {
    ...(hue !== 0 && { hue }),
    ...(sepia !== 0 && { sepia: sepia / 100 }),
    ...(isInverted && { isInverted }),
  }
  const usual = { brightness, contrast, saturation: isGrayscale ? 0 : saturation, tint }
  const isNone = brightness === 1 && contrast === 1 && usual.saturation === 1 && tint === undefined
  return isNone && Object.keys(further).length === 0 ? undefined : { ...usual, ...further }
}

function radiusOf({ radius }: Recipe, layout: Layout): number | undefined {
  if (radius === undefined) return undefined
  const { width, height } = shownSize(layout)
  const most = Math.floor(Math.min(width, height) / 2)
  return radius === 'max' ? most : Math.min(radius, most)
}

function pixelationOf({ pixelate }: Recipe, shown: Shown): TransformJob['pixelate'] {
  if (pixelate !== 'faces') return pixelate === undefined ? undefined : { size: pixelate }
  const boxes = shown.faces.flatMap((face) => shownFace(face, shown))
  return boxes.length === 0 ? undefined : { size: blockOf(boxes), boxes }
}

/** So coarse that nobody is known by it. */
const blocksAcrossFace = 7
const minBlock = 4

const blockOf = (boxes: readonly Box[]): number =>
  Math.max(minBlock, Math.round(Math.max(...boxes.map(({ width }) => width)) / blocksAcrossFace))

/** A finder's box ends at brow and chin. */
const faceMargin = 0.2

function shownFace(face: Face, { layout, orientation }: Shown): readonly Box[] {
  const { resize, crop, canvas } = layout
  const share = turnedBox(face, orientation)
  const left = (share.left - share.width * faceMargin) * resize.width
  const top = (share.top - share.height * faceMargin) * resize.height
  const grown = 1 + 2 * faceMargin
  const shift = {
    left: (canvas?.left ?? 0) - (crop?.left ?? 0),
    top: (canvas?.top ?? 0) - (crop?.top ?? 0),
  }
  return clip(
    {
      left: left + shift.left,
      top: top + shift.top,
      width: share.width * grown * resize.width,
      height: share.height * grown * resize.height,
    },
    shownSize(layout),
  )
}

function clip(box: Box, size: Size): readonly Box[] {
  const left = Math.max(0, Math.floor(box.left))
  const top = Math.max(0, Math.floor(box.top))
  const width = Math.min(size.width, Math.ceil(box.left + box.width)) - left
  const height = Math.min(size.height, Math.ceil(box.top + box.height)) - top
  return width > 0 && height > 0 ? [{ left, top, width, height }] : []
}

/** Without what is added around it. */
export const shownSize = ({ resize, crop, canvas }: Layout): Size => canvas?.size ?? crop ?? resize
