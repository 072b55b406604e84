import type { EncodedImage } from '../../../ports/media/renderer.ts'

/** Below, nothing is to be seen any more. */
const minQuality = 10

/**
 * Encodes in the highest quality, `quality` at most, that needs no more than `maxBytes`; in the lowest
 * where none does. Halves the qualities that are left each time.
 */
export async function encodeWithin(
  maxBytes: number,
  quality: number,
  encodeIn: (quality: number) => Promise<EncodedImage>,
): Promise<EncodedImage> {
  const best = await encodeIn(quality)
  if (best.bytes.length <= maxBytes || quality <= minQuality) return best
  let fitting: EncodedImage | undefined
  let [low, high] = [minQuality, quality - 1]
  while (low <= high) {
    const middle = Math.ceil((low + high) / 2)
    const made = await encodeIn(middle)
    if (made.bytes.length <= maxBytes) {
      fitting = made
      low = middle + 1
    } else high = middle - 1
  }
  return fitting ?? (await encodeIn(minQuality))
}
