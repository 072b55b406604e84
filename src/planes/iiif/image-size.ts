import { invalid } from '../../domain/errors.ts'
import type { Size } from '../../ports/media/renderer.ts'

/** What the service makes at most; told in the description of each image. */
export const limits = { maxWidth: 8192, maxHeight: 8192, maxArea: 40_000_000 } as const

/**
 * §4.2: the size to which a region is scaled. Without `^` it must not be larger than the region. Throws
 * `InvalidParameter`.
 */
export function readSize(text: string, region: Size): Size {
  const mayEnlarge = text.startsWith('^')
  const size = sizeIn(mayEnlarge ? text.slice(1) : text, { region, mayEnlarge })
  if (size === undefined)
    throw invalid('size', 'must be max, w,h, w, ,h, !w,h or pct:n, with ^ in front to enlarge')
  if (size.width < 1 || size.height < 1) throw invalid('size', 'must be at least a pixel')
  if (!mayEnlarge && (size.width > region.width || size.height > region.height))
    throw invalid('size', 'must be no larger than the region, unless ^ stands in front of it')
  if (!isAllowed(size))
    throw invalid('size', `must be at most ${limits.maxWidth} wide and high, and 40 megapixels`)
  return size
}

interface Scaling {
  readonly region: Size
  readonly mayEnlarge: boolean
}

function sizeIn(text: string, scaling: Scaling): Size | undefined {
  const { region, mayEnlarge } = scaling
  if (text === 'max') return largest(region, mayEnlarge)
  const percent = /^pct:(\d{1,4}(?:\.\d{1,10})?)$/u.exec(text)?.[1]
  if (percent !== undefined) return scaled(region, Number(percent) / 100)
  const box = /^!(\d{1,9}),(\d{1,9})$/u.exec(text)
  if (box) return confinedTo({ width: Number(box[1]), height: Number(box[2]) }, scaling)
  const lengths = /^(\d{0,9}),(\d{0,9})$/u.exec(text)
  return lengths === null ? undefined : ofLengths(lengths[1] ?? '', lengths[2] ?? '', region)
}

/** What is left out follows from the other, by the proportions of the region. */
function ofLengths(w: string, h: string, region: Size): Size | undefined {
  const [width, height] = [Number(w), Number(h)]
  if (w !== '' && h !== '') return { width, height }
  if (w !== '') return { width, height: lengthOf((region.height * width) / region.width, width) }
  if (h === '') return undefined
  return { width: lengthOf((region.width * height) / region.height, height), height }
}

/** As large as possible, with the proportions of the region. */
function confinedTo(box: Size, { region, mayEnlarge }: Scaling): Size {
  const scale = Math.min(box.width / region.width, box.height / region.height)
  return scaled(region, mayEnlarge ? Math.min(scale, largestScale(region)) : Math.min(1, scale))
}

const largest = (region: Size, mayEnlarge: boolean): Size =>
  scaled(region, mayEnlarge ? largestScale(region) : Math.min(1, largestScale(region)), Math.floor)

const largestScale = ({ width, height }: Size): number =>
  Math.min(
    limits.maxWidth / width,
    limits.maxHeight / height,
    Math.sqrt(limits.maxArea / (width * height)),
  )

const scaled = ({ width, height }: Size, scale: number, round = Math.round): Size => ({
  width: lengthOf(width * scale, scale, round),
  height: lengthOf(height * scale, scale, round),
})

/** What is there at all has a pixel; nothing wanted stays nothing. */
const lengthOf = (length: number, wanted: number, round = Math.round): number =>
  wanted === 0 ? 0 : Math.max(1, round(length + 1e-9))

export const isAllowed = ({ width, height }: Size): boolean =>
  width <= limits.maxWidth && height <= limits.maxHeight && width * height <= limits.maxArea

/** As the canonical form of a URL has it (§4.7). */
export function sizeText(size: Size, region: Size): string {
  const isEnlarged = size.width > region.width || size.height > region.height
  const max = largest(region, isEnlarged)
  const text =
    size.width === max.width && size.height === max.height ? 'max' : `${size.width},${size.height}`
  return isEnlarged ? `^${text}` : text
}
