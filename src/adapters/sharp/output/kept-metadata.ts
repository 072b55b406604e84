import sharp, { type Sharp } from 'sharp'

import type { OutputSpec, RenderSource } from '../../../ports/media/renderer.ts'
import { exifCredits } from '../embedded/tiff/exif-credits.ts'
import { saysOfCarried, withoutCarried } from './carried-xmp.ts'
import { readEmbedded } from '../embedded/read-embedded.ts'

/** The members of EXIF's first directory that say whose an image is. */
export type Credits = Readonly<Partial<Record<'Artist' | 'Copyright', string>>>

interface Kept {
  readonly source: RenderSource
  /** Whether the source is not behind the image any more. */
  readonly isInHand: boolean
}

/** Where the source is not behind the image any more, its creator and copyright are all that can be kept. */
export async function withMetadata(
  image: Sharp,
  metadata: OutputSpec['metadata'],
  { source, isInHand }: Kept,
): Promise<Sharp> {
  if (metadata === undefined) return image
  if (metadata === 'all' && !isInHand && source.format !== 'svg')
    return await withXmp(image.keepExif(), source)
  const credits = await creditsOf(source)
  return credits === undefined ? image : image.withExif({ IFD0: { ...credits } })
}

/** Words alone: what they say of a map or a manifest beside the pixels would be said of nothing. */
async function withXmp(image: Sharp, { path }: RenderSource): Promise<Sharp> {
  const { xmp } = await sharp(path).metadata()
  const text = xmp?.toString() ?? ''
  if (!saysOfCarried(text)) return image.keepXmp()
  const words = withoutCarried(text)
  return words === undefined ? image : image.withXmp(words)
}

/** Whose an image is; `undefined` where it does not say so. */
export async function creditsOf({ path, format }: RenderSource): Promise<Credits | undefined> {
  const found = await readEmbedded({ kind: 'embedded', path, format })
  const { exif } = format === 'svg' ? {} : await sharp(path).metadata()
  const { artist, copyright = found.copyright } = exif === undefined ? {} : exifCredits(exif)
  if (artist === undefined && copyright === undefined) return undefined
  return { ...(artist && { Artist: artist }), ...(copyright && { Copyright: copyright }) }
}
