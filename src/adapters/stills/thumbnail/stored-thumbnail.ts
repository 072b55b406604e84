import { readFile } from 'node:fs/promises'
import sharp from 'sharp'

import { UnrenderableImageError } from '../../../ports/media/renderer.ts'
import { encodeStill, maxPixels } from '../encode-still.ts'
import { stillOfHeic } from '../heic/heic-still.ts'
import type { MakeStill } from '../still-messages.ts'
import { thumbnailItemIn } from './thumbnail-item.ts'

/** The thumbnail that a camera has put into an AVIF or a HEIC. */
export const makeStoredThumbnail: MakeStill = async ({ path, packages }) => {
  const thumbnail = thumbnailItemIn(await readFile(path))
  if (thumbnail === undefined) return { outcome: 'none' }
  const { type, file } = thumbnail
  return type === 'av01' ? await stillOfAvif(file) : await stillOfHeic(file, packages)
}

async function stillOfAvif(file: Buffer) {
  sharp.cache(false)
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: ['VipsForeignLoadHeif'] })
  const { width, height } = await sharp(file).metadata()
  if (width * height > maxPixels)
    throw new UnrenderableImageError('too-many-pixels', 'must have fewer pixels')
  const image = sharp(file, { failOn: 'warning', limitInputPixels: maxPixels })
  return { outcome: 'made', ...(await encodeStill(image)) } as const
}
