import { invalid } from '../../domain/errors.ts'
import type { Box, Size } from '../../ports/media/renderer.ts'
import { readRegion, regionText } from './image-region.ts'
import { readSize, sizeText } from './image-size.ts'

/** The four segments behind the identifier, decoded. */
export interface ImageSegments {
  readonly region: string
  readonly size: string
  readonly rotation: string
  /** Quality and format. */
  readonly file: string
}

/** One image of an image, as the same steps make it that every transform is made of. */
export interface ImageRequest {
  /** The parameters of a transform. */
  readonly query: URLSearchParams
  /** The segments in their canonical form (§4.7). */
  readonly canonical: string
}

const qualities = ['default', 'color', 'gray'] as const
type Quality = (typeof qualities)[number]

/** What a format is called as a parameter of a transform. */
const formats = { jpg: 'jpeg', png: 'png', webp: 'webp', avif: 'avif', gif: 'gif' } as const
type Format = keyof typeof formats

/** IIIF Image API 3.0 §4, of an image of that size. Throws `InvalidParameter`, which names the segment. */
export function readImageRequest(segments: ImageSegments, image: Size): ImageRequest {
  const { quality, format } = readFile(segments.file)
  const { isMirrored, degrees } = readRotation(segments.rotation)
  const region = readRegion(segments.region, image)
  const size = readSize(segments.size, region)
  const turn = { isMirrored, degrees }
  return {
    query: queryOf({ region, size, turn, quality, format, image }),
    canonical: [
      regionText(region, image),
      sizeText(size, region),
      `${isMirrored ? '!' : ''}${degrees}`,
      // Colour is what an image has by default.
      `${quality === 'gray' ? 'gray' : 'default'}.${format}`,
    ].join('/'),
  }
}

interface Turn {
  readonly isMirrored: boolean
  readonly degrees: number
}

function readRotation(text: string): Turn {
  const [, mirror, number] = /^(!?)(\d{1,3}(?:\.\d{1,10})?)$/u.exec(text) ?? []
  const degrees = Number(number) % 360
  if (number === undefined || Number(number) > 360 || degrees % 90 !== 0)
    throw invalid('rotation', 'must be 0, 90, 180 or 270, with ! in front to mirror it first')
  return { isMirrored: mirror === '!', degrees }
}

function readFile(text: string): { readonly quality: Quality; readonly format: Format } {
  const dot = text.indexOf('.')
  const quality = qualities.find((each) => each === text.slice(0, dot))
  if (dot < 0 || quality === undefined)
    throw invalid('quality', `must be ${qualities.join(', ')}, and a dot and a format behind it`)
  const format = text.slice(dot + 1)
  if (!isFormat(format)) throw invalid('format', `must be ${Object.keys(formats).join(', ')}`)
  return { quality, format }
}

const isFormat = (text: string): text is Format => Object.hasOwn(formats, text)

interface Wanted {
  readonly region: Box
  readonly size: Size
  readonly turn: Turn
  readonly quality: Quality
  readonly format: Format
  readonly image: Size
}

/** A transform says its size as it is once turned; here it is said of the region. */
function queryOf({ region, size, turn, quality, format, image }: Wanted): URLSearchParams {
  const isUpright = turn.degrees % 180 === 0
  const query = new URLSearchParams({
    w: String(isUpright ? size.width : size.height),
    h: String(isUpright ? size.height : size.width),
    fit: 'fill',
    anim: '0',
    format: formats[format],
  })
  if (regionText(region, image) !== 'full')
    query.set('crop', [region.left, region.top, region.width, region.height].join(','))
  if (turn.isMirrored) query.set('flip', 'h')
  if (turn.degrees !== 0) query.set('rotate', String(turn.degrees))
  if (quality === 'gray') query.set('grayscale', '1')
  return query
}
