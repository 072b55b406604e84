import { transformPath } from '../assets/asset.ts'
import { maxSide, type Recipe } from './recipe.ts'

export interface SnippetSource {
  /** Where the service is reached from outside. */
  readonly origin: string
  readonly path: string
  readonly recipe: Recipe
  /** Of the original, in pixels; `undefined` where it is not known. */
  readonly width: number | undefined
  readonly height: number | undefined
}

export const transformUrlOf = (
  { origin, path, recipe }: SnippetSource,
  changes: Readonly<Record<string, string | number | undefined>> = {},
): string => origin + transformPath(path, { ...recipe, ...changes })

/** An `img` that takes the width it is shown at; the format follows what the browser accepts. */
export const imageSnippet = (source: SnippetSource): string =>
  [
    '<img',
    `  src="${escaped(transformUrlOf(source))}"`,
    `  srcset="${srcset(source, source.recipe.format)}"`,
    `  sizes="${sizesOf(source)}"`,
    ...dimensions(source),
    '  alt=""',
    '  loading="lazy"',
    '/>',
  ].join('\n')

/** A `picture` that names its formats, for places where nothing may depend on `Accept`. */
export function sourceSetSnippet(source: SnippetSource): string {
  const sources = (['avif', 'webp'] as const).map(
    (format) =>
      `  <source type="image/${format}" srcset="${srcset(source, format)}" sizes="${sizesOf(source)}" />`,
  )
  const fallback = source.path.endsWith('.png') || source.path.endsWith('.svg') ? 'png' : 'jpeg'
  const image = `  <img src="${escaped(transformUrlOf(source, { format: fallback }))}"${dimensions(
    source,
  )
    .map((line) => ` ${line.trim()}`)
    .join('')} alt="" loading="lazy" />`
  return ['<picture>', ...sources, image, '</picture>'].join('\n')
}

const usualWidths = [320, 640, 960, 1280, 1920]

/** Half, once and twice the wanted width; without one, what screens usually need. */
export function widthsOf({ recipe, width }: SnippetSource): readonly number[] {
  const wanted = Number(recipe.w ?? 0)
  const largest = Math.min(width ?? maxSide, maxSide)
  const widths = wanted > 0 ? [wanted / 2, wanted, wanted * 2] : usualWidths
  const fitting = widths.map(Math.round).filter((each) => each >= 1 && each <= largest)
  return fitting.length > 0 ? fitting : [Math.min(wanted || largest, largest)]
}

function srcset(source: SnippetSource, format: string | undefined): string {
  const { h, w } = source.recipe
  const ratio = h !== undefined && w !== undefined ? Number(h) / Number(w) : undefined
  const heightOf = (width: number) =>
    ratio === undefined ? undefined : Math.max(1, Math.round(width * ratio))
  return widthsOf(source)
    .filter((width) => (heightOf(width) ?? 0) <= maxSide)
    .map((width) => {
      const height = heightOf(width)
      const address = transformUrlOf(source, { w: width, h: height, dpr: undefined, format })
      return `${escaped(address)} ${width}w`
    })
    .join(', ')
}

const sizesOf = ({ recipe }: SnippetSource): string =>
  recipe.w === undefined ? '100vw' : `(max-width: ${recipe.w}px) 100vw, ${recipe.w}px`

/** So that the page does not jump when the image comes. */
function dimensions({ recipe, width, height }: SnippetSource): readonly string[] {
  const ratio = width !== undefined && height !== undefined ? height / width : undefined
  const w = Number(recipe.w ?? width ?? 0)
  const h = Number(recipe.h ?? (ratio === undefined ? 0 : Math.round(w * ratio)))
  return w > 0 && h > 0 ? [`  width="${w}"`, `  height="${h}"`] : []
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
