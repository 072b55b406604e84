import type { Mip } from '../../../ports/media/renderer.ts'
import { imageOf, isOpaque, type RawImage, smaller } from './raw-image.ts'

/** A copy must be so much smaller than its image, or it saves nothing. */
const maxShare = 0.75
const jpegQuality = 94

/**
 * Smaller copies: as JPEG with all of its colour where nothing is transparent, as bare pixels where
 * something is. Other formats take too long to decode to be worth it.
 */
export async function makeMips(
  base: RawImage,
  { sourceWidth, widths }: { readonly sourceWidth: number; readonly widths: readonly number[] },
): Promise<readonly Mip[]> {
  const mips: Mip[] = []
  for (const width of widths)
    if (width <= base.width && width <= sourceWidth * maxShare)
      mips.push(await makeMip(base, width))
  return mips
}

async function makeMip(base: RawImage, wanted: number): Promise<Mip> {
  const height = Math.max(1, Math.round((base.height * wanted) / base.width))
  const copy = wanted === base.width ? base : await smaller(base, { width: wanted, height })
  if (isOpaque(copy)) {
    const jpeg = imageOf(copy).removeAlpha()
    const options = { quality: jpegQuality, chromaSubsampling: '4:4:4' } as const
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
