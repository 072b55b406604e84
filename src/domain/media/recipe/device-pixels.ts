import type { NamedOverlay } from './parameters/overlay-value.ts'
import type { Border, Sides } from './parameters/parameter-values.ts'
import { maxSide } from './parameters/size-parameters.ts'
import type { NamedText } from './parameters/text-value.ts'

/** Everything but `w` and `h` that is said in CSS pixels. */
interface Lengths {
  readonly radius: number | 'max' | undefined
  readonly pixelate: number | 'faces' | undefined
  readonly overlays: readonly NamedOverlay[]
  readonly texts: readonly NamedText[]
  readonly padding: Sides | undefined
  readonly border: Border | undefined
  readonly offset: { readonly x: number; readonly y: number } | undefined
  readonly minWidth: number | undefined
  readonly minHeight: number | undefined
}

/** The same in device pixels, of which there are `dpr` to a CSS pixel. */
export function inDevicePixels(lengths: Lengths, dpr: number) {
  const { overlays, texts, padding, border, offset } = lengths
  const rounded = (length: number): number => Math.round(length * dpr)
  const atLeastOne = (length: number): number => Math.max(1, rounded(length))
  const ifNumber = <Word>(length: number | Word) =>
    typeof length === 'number' ? atLeastOne(length) : length
  return {
    radius: ifNumber(lengths.radius),
    pixelate: ifNumber(lengths.pixelate),
    overlays: overlays.map((each) => ({ ...each, margin: rounded(each.margin) })),
    texts: texts.map((each) => ({
      ...each,
      size: atLeastOne(each.size),
      margin: rounded(each.margin),
    })),
    padding: padding && scaledSides(padding, dpr),
    border: border && { color: border.color, widths: scaledSides(border.widths, dpr) },
    offset: offset && { x: rounded(offset.x), y: rounded(offset.y) },
    minWidth: lengths.minWidth && Math.min(maxSide, rounded(lengths.minWidth)),
    minHeight: lengths.minHeight && Math.min(maxSide, rounded(lengths.minHeight)),
  } as const
}

function scaledSides(sides: Sides, dpr: number) {
  const [top, right, bottom, left] = sides.map((length) => Math.round(length * dpr))
  return { top: top ?? 0, right: right ?? 0, bottom: bottom ?? 0, left: left ?? 0 } as const
}
