import { rgbaToThumbHash } from 'thumbhash'

import type { ImageSummary } from '../../../ports/media/image-summary.ts'
import { dominantColors } from './dominant-colors.ts'
import { fitWithin, type RawImage, smaller } from './raw-image.ts'

/** The longer side of what is looked at; ThumbHash takes no more. */
export const summarySide = 100

/** What stands for an image until it is there, found on a smaller one of the same. */
export async function summaryOf(image: RawImage): Promise<ImageSummary> {
  const size = fitWithin(image, summarySide)
  const isSmall = size.width === image.width && size.height === image.height
  const small = isSmall ? image : await smaller(image, size)
  return { thumbHash: thumbHashOf(small), colors: await dominantColors(image) }
}

function thumbHashOf(image: RawImage): string {
  const hash = rgbaToThumbHash(image.width, image.height, withAlpha(image))
  return Buffer.from(hash).toString('base64')
}

function withAlpha({ pixels, width, height, channels }: RawImage): Uint8Array {
  if (channels === 4) return pixels
  const all = new Uint8Array(width * height * 4).fill(255)
  for (let place = 0; place < width * height; place += 1)
    for (let channel = 0; channel < 3; channel += 1)
      all[place * 4 + channel] = pixels[place * 3 + channel] ?? 0
  return all
}
