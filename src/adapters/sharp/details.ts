import sharp, { type Metadata } from 'sharp'

import type { ImageDetails } from '../../ports/media/image-details.ts'
import { type DetailsJob, UnrenderableImageError } from '../../ports/media/renderer.ts'
import { readCarried } from './embedded/carried/read-carried.ts'
import { PagedFile } from './embedded/paged-file.ts'
import { exifValues, exifValuesOf } from './embedded/tiff/exif-values.ts'
import { formatOf, frameSize, inspect } from './inspect.ts'
import { allowOnly } from './open-source.ts'
import { profileName } from './profile-name.ts'

/** What a file says of the image in it. Its bounds are not asked: no pixel is decoded. */
export async function details({ path, format }: DetailsJob): Promise<ImageDetails> {
  if (format === 'svg') return { ...svgDetails, ...(await inspectedSize(path)) }
  allowOnly(format)
  const metadata = await sharp(path, {
    limitInputPixels: false,
    animated: format !== 'tiff',
  }).metadata()
  if (formatOf(metadata) !== format)
    throw new UnrenderableImageError('unsupported-type', 'is of a kind that cannot be transformed')
  const { space, icc, hasAlpha, isProgressive, orientation = 1 } = metadata
  return {
    ...frameSize(metadata),
    ...timesAndPages(metadata),
    colorModel: colorModels[space] ?? 'other',
    profile: icc && profileName(icc),
    bitDepth: metadata.bitsPerSample ?? bitsByDepth[metadata.depth],
    hasAlpha,
    isProgressive,
    orientation,
    exif: exifIn(path, metadata),
    ...readCarried(path, format),
  }
}

const svgDetails = {
  frames: 1,
  durationMs: undefined,
  pages: 1,
  colorModel: 'rgb',
  profile: undefined,
  bitDepth: undefined,
  hasAlpha: true,
  isProgressive: false,
  orientation: 1,
  exif: {},
} as const

async function inspectedSize(path: string) {
  const { width, height } = await inspect({ kind: 'inspect', path, format: 'svg' })
  return { width, height }
}

function timesAndPages({ format, pages = 1, delay = [] }: Metadata) {
  if (format === 'tiff') return { frames: 1, durationMs: undefined, pages }
  const durationMs = pages > 1 ? delay.reduce((sum, each) => sum + each, 0) : undefined
  return { frames: pages, durationMs, pages: 1 }
}

/** By the names that libvips has for them. */
const colorModels: Readonly<Record<string, ImageDetails['colorModel']>> = {
  srgb: 'rgb',
  rgb: 'rgb',
  rgb16: 'rgb',
  scrgb: 'rgb',
  'b-w': 'grey',
  grey16: 'grey',
  cmyk: 'cmyk',
  lab: 'lab',
  labq: 'lab',
  labs: 'lab',
}

const bitsByDepth: Readonly<Record<string, number>> = {
  uchar: 8,
  char: 8,
  ushort: 16,
  short: 16,
  uint: 32,
  int: 32,
  float: 32,
  double: 64,
}

/** A TIFF is EXIF itself; numbers in a damaged one lead anywhere, and then it says nothing. */
function exifIn(path: string, { format, exif }: Metadata): ImageDetails['exif'] {
  try {
    if (format !== 'tiff') return exif === undefined ? {} : exifValues(exif)
    using file = new PagedFile(path)
    return exifValuesOf(file)
  } catch (error) {
    if (error instanceof RangeError) return {}
    throw error
  }
}
