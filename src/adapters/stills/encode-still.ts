import sharp, { type Sharp } from 'sharp'

export interface Pixels {
  readonly data: Uint8Array
  readonly width: number
  readonly height: number
  readonly channels: 1 | 2 | 3 | 4
}

export interface EncodedStill {
  readonly bytes: Uint8Array
  readonly format: 'png' | 'jpeg'
}

/** Of a still: what the renderer takes of any image. */
export const maxPixels = 50_000_000
/** More than what is shown on a screen is not kept of a still. */
const maxSide = 4096
/** A photograph of more is a JPEG, in which it takes a tenth and loses what nobody sees. */
const maxPixelsWithoutLoss = 1_500_000

/** Little time is spent on making it small. */
export const encodePng = async (image: Sharp): Promise<Uint8Array> =>
  await image.png({ compressionLevel: 3, adaptiveFiltering: true }).toBuffer()

export const openPixels = ({ data, ...raw }: Pixels): Sharp =>
  sharp(data, { raw, limitInputPixels: maxPixels })

/** What was decoded, as an image that the renderer reads: in sRGB, with 8 bits, and not too large. */
export async function encodeStill(image: Sharp): Promise<EncodedStill> {
  sharp.concurrency(1)
  const { width, height, hasAlpha } = await image.metadata()
  const fit = { width: maxSide, height: maxSide, fit: 'inside', withoutEnlargement: true } as const
  const fitting = image.resize(fit).toColourspace('srgb')
  if (hasAlpha || width * height <= maxPixelsWithoutLoss)
    return { bytes: await encodePng(fitting), format: 'png' }
  const bytes = await fitting.jpeg({ quality: 95, chromaSubsampling: '4:4:4' }).toBuffer()
  return { bytes, format: 'jpeg' }
}
