import type { ImageSource, ResponsiveImage } from './responsive-image.ts'

interface Markup {
  readonly image: ResponsiveImage
  readonly alt: string
  /** The `sizes` of the page. */
  readonly sizes: string
  /** A data URI that is shown until the image is there. */
  readonly placeholder: string | undefined
}

/** `srcset` with a width for each size; `undefined` of what has but one. */
export const srcsetOf = (sources: readonly ImageSource[]): string | undefined =>
  sources.length === 0 ? undefined : sources.map(({ url, width }) => `${url} ${width}w`).join(', ')

/** Narrower, in CSS pixels, is no page. */
const narrowestPage = 320

/** Without sizes that are too small for a page that says these `sizes`, where that can be told of them. */
export function neededBy(sizes: string, sources: readonly ImageSource[]): readonly ImageSource[] {
  const shown = sizes
    .replaceAll(/\([^()]*\)/gu, '')
    .split(',')
    .map((size) => /^\s*(\d{1,5})(vw|px)\s*$/u.exec(size))
    .map((found) => Number(found?.[1]) * (found?.[2] === 'vw' ? narrowestPage / 100 : 1))
  const least = Math.min(...shown)
  const needed = sources.filter(({ width }) => width >= least)
  return needed.length > 0 ? needed : sources.slice(Number.isNaN(least) ? 0 : -1)
}

/** An `<img>` that takes its room before it is there, so that nothing on the page moves. */
export function imageTag({ image, alt, sizes, placeholder }: Markup): string {
  const { width, height, src, sources } = image
  const srcset = srcsetOf(neededBy(sizes, sources))
  const attributes = {
    src,
    ...(srcset !== undefined && { srcset, sizes }),
    width: String(width),
    height: String(height),
    alt,
    loading: 'lazy',
    decoding: 'async',
    style: `max-width:100%;height:auto${placeholder === undefined ? '' : `;background:url(${placeholder}) center/cover no-repeat`}`,
  }
  return `<img ${attributesOf(attributes)}>`
}

const pictureFormats = ['avif', 'webp'] as const

/** A `<picture>` for pages whose caches do not heed `Vary`: each format by its own URLs. */
export function tagByFormat(markup: Markup): string {
  const { image, sizes } = markup
  const sources = pictureFormats.map((format) => {
    const srcset = srcsetOf(
      neededBy(sizes, image.sources).map((source) => inFormat(source, format)),
    )
    return srcset === undefined
      ? ''
      : `<source ${attributesOf({ type: `image/${format}`, srcset, sizes })}>`
  })
  return `<picture>${sources.join('')}${imageTag(markup)}</picture>`
}

const inFormat = (source: ImageSource, format: string): ImageSource => ({
  ...source,
  url: `${source.url}&format=${format}`,
})

const attributesOf = (attributes: Readonly<Record<string, string>>): string =>
  Object.entries(attributes)
    .map(([name, value]) => `${name}="${escaped(value)}"`)
    .join(' ')

const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
