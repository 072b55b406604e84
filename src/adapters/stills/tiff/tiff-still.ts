import sharp from 'sharp'

import { UnrenderableImageError } from '../../../ports/media/renderer.ts'
import { encodeStill, maxPixels } from '../encode-still.ts'
import type { MakeStill } from '../still-messages.ts'

/** A page of a TIFF, by libvips. */
export const makeTiffStill: MakeStill = async ({ path }, { page = 1 }) => {
  sharp.cache(false)
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: ['VipsForeignLoadTiff'] })
  const { pages = 1 } = await sharp(path).metadata()
  if (page > pages)
    return { outcome: 'beyond', target: 'page', has: pages === 1 ? 'one page' : `${pages} pages` }
  const { width, height } = await sharp(path, { page: page - 1 }).metadata()
  if (width * height > maxPixels)
    throw new UnrenderableImageError('too-many-pixels', 'must have fewer pixels')
  const image = sharp(path, {
    page: page - 1,
    autoOrient: true,
    failOn: 'warning',
    limitInputPixels: maxPixels,
  })
  return { outcome: 'made', ...(await encodeStill(image)), pages }
}
