import { snappedWidth, widthLadder } from '../../lib/width-ladder.ts'
import { imageUrl } from './image-url.ts'

/** How Astro asks for an image, as far as it is read here. */
export interface ImageTransform {
  src: unknown
  width?: number | undefined
  height?: number | undefined
  widths?: readonly number[] | undefined
  densities?: readonly (number | `${number}x`)[] | undefined
  quality?: unknown
  format?: string | undefined
  fit?: string | undefined
  [attribute: string]: unknown
}

export interface ImageConfig {
  /** `url` is where the service is. */
  readonly service: { readonly config: { readonly url?: string } }
}

const notAttributes =
  'src width height widths densities quality format fit position background layout priority inferSize formats'
const notAttribute: ReadonlySet<string> = new Set(notAttributes.split(' '))

function getURL({ src, ...options }: ImageTransform, { service }: ImageConfig): string {
  // What the site imports is its own file.
  if (typeof src !== 'string') return (src as { readonly src: string }).src
  const quality = Number(options.quality)
  const wanted = { ...options, quality: Number.isNaN(quality) ? undefined : quality }
  return imageUrl(src, wanted, service.config)
}

/** All steps of the ladder up to the widest that is wanted. */
function getSrcSet(options: ImageTransform) {
  const { src, width = 0, height, widths, densities = [] } = options
  const all = widths ?? densities.map((each) => Number.parseFloat(String(each)) * width)
  if (typeof src !== 'string' || all.length === 0) return []
  const most = snappedWidth(Math.max(...all))
  return widthLadder
    .filter((step) => step <= most && step >= 160)
    .map((step) => ({
      transform: { ...options, width: step, height: height && width && (height * step) / width },
      descriptor: `${step}w`,
      attributes: {},
    }))
}

/** Width and height, so that nothing moves, and what the page says besides. */
const getHTMLAttributes = ({ width, height, ...options }: ImageTransform) => ({
  ...Object.fromEntries(Object.entries(options).filter(([name]) => !notAttribute.has(name))),
  width,
  height,
})

/** An image service of Astro. */
const service = { getURL, getSrcSet, getHTMLAttributes }
// oxlint-disable-next-line import/no-default-export -- Astro takes a service so
export default service
