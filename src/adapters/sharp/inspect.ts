import sharp, { type Metadata } from 'sharp'

import type { SourceFormat } from '../../ports/media/renderer.ts'
import {
  type ImageHeader,
  type InspectJob,
  UnrenderableImageError,
} from '../../ports/media/renderer.ts'
import { isSrgbProfile } from './color-profile.ts'
import { carriedFacts } from './embedded/carried/read-carried.ts'
import { countScans } from './jpeg-scans.ts'
import { maxScans, maxSourceFrames, maxSourcePixels, maxSourceSide } from './limits.ts'
import { allowOnly, readBytes } from './open-source.ts'
import { readSafeSvg } from './svg/read-svg.ts'

/** Reads the header and holds it to the limits. No pixel is decoded. */
export async function inspect({ path, format }: InspectJob): Promise<ImageHeader> {
  allowOnly(format)
  return format === 'svg' ? await inspectSvg(path) : await inspectRaster(path, format)
}

async function inspectRaster(path: string, format: SourceFormat): Promise<ImageHeader> {
  const metadata = await sharp(path, { limitInputPixels: false, animated: true }).metadata()
  if (formatOf(metadata) !== format)
    throw new UnrenderableImageError('unsupported-type', 'is of a kind that cannot be transformed')
  if (format === 'jpeg') await refuseManyScans(path)
  const { width, height } = frameSize(metadata)
  if (Math.max(width, height) > maxSourceSide || width * height > maxSourcePixels) throw tooLarge()
  const frames = metadata.pages ?? 1
  const isTooLong = frames > maxSourceFrames || width * height * frames > maxSourcePixels
  return {
    format,
    width,
    height,
    frames: isTooLong ? 1 : frames,
    hasAlpha: metadata.hasAlpha,
    isProgressive: metadata.isProgressive,
    isSrgb: isSrgb(metadata),
    carried: carriedFacts(path, format),
  }
}

/** Encoders write about ten. Each more costs a pass over the whole image, whatever is in it. */
async function refuseManyScans(path: string): Promise<void> {
  if (countScans(await readBytes(path), maxScans + 1) > maxScans)
    throw new UnrenderableImageError('too-complex', `must have at most ${maxScans} scans`)
}

export const formatOf = ({ format, compression }: Metadata) =>
  format === 'heif' && compression === 'av1' ? 'avif' : format

/** Without a profile the colour space says it; grey and CMYK are converted by their own rules. */
const isSrgb = ({ space, icc }: Metadata): boolean =>
  space === 'srgb' && (icc === undefined || isSrgbProfile(icc))

export function frameSize({ autoOrient, pageHeight }: Metadata) {
  return { width: autoOrient.width, height: pageHeight ?? autoOrient.height }
}

const tooLarge = () =>
  new UnrenderableImageError(
    'too-many-pixels',
    `must have at most ${maxSourcePixels / 1e6} megapixels and ${maxSourceSide} pixels a side`,
  )

/** Its size is only where it starts from, so a large one is scaled, not refused. */
async function inspectSvg(path: string): Promise<ImageHeader> {
  const svg = readSafeSvg(await readBytes(path))
  const metadata = await sharp(Buffer.from(svg), { limitInputPixels: false }).metadata()
  const scale = Math.min(1, maxSourceSide / Math.max(metadata.width, metadata.height))
  return {
    format: 'svg',
    width: Math.max(1, Math.round(metadata.width * scale)),
    height: Math.max(1, Math.round(metadata.height * scale)),
    frames: 1,
    hasAlpha: true,
    isProgressive: false,
    isSrgb: true,
    carried: { hdr: null, hasCredentials: false },
  }
}
