import type { Mip } from '../../../ports/media/renderer.ts'
import { imageOf, isOpaque, type RawImage, smaller } from './raw-image.ts'

/** A copy must be so much smaller than its image, or it saves nothing. */
const maxShare = 0.75
/** What is made of the copy has no more bytes for the same likeness than what is made of the image. */
const jpegQuality = 97

interface Wanted {
  readonly sourceWidth: number
  readonly widths: readonly number[]
  readonly isGraphic: boolean
}

/**
 * Smaller copies: as JPEG where nothing is transparent, as bare pixels where something is. Other formats
 * take too long to decode to be worth it. Photographs are sent with half of their colour anyway.
 */
export async function makeMips(
  base: RawImage,
  { sourceWidth, widths, isGraphic }: Wanted,
): Promise<readonly Mip[]> {
  const mips: Mip[] = []
  for (const width of widths)
    if (width <= base.width && width <= sourceWidth * maxShare)
      mips.push(await makeMip(base, width, isGraphic))
  return mips
}

async function makeMip(base: RawImage, wanted: number, isGraphic: boolean): Promise<Mip> {
  const height = Math.max(1, Math.round((base.height * wanted) / base.width))
  const copy = wanted === base.width ? base : await smaller(base, { width: wanted, height })
  if (isOpaque(copy)) {
    const jpeg = imageOf(copy).removeAlpha()
    const chromaSubsampling = isGraphic ? '4:4:4' : '4:2:0'
    const options = { quality: jpegQuality, chromaSubsampling }
    return { width: copy.width, height: copy.height, bytes: await jpeg.jpeg(options).toBuffer() }
  }
  const { width, channels, pixels } = copy
  return {
    width,
    height: copy.height,
    bytes: pixels,
    raw: { width, height: copy.height, channels },
  }
}
