import type { StillKind } from '../../../ports/media/still-maker.ts'

const imageFormats: ReadonlySet<string> = new Set('jpg jpeg png webp gif avif svg'.split(' '))

/** Whether files of that name are images that the renderer reads. */
export const isImageFormat = (format: string): boolean => imageFormats.has(format)

const extensionsByKind: Readonly<Record<StillKind, readonly string[]>> = {
  pdf: ['pdf', 'ai'],
  heic: ['heic', 'heif'],
  jxl: ['jxl'],
  psd: ['psd'],
  tiff: ['tif', 'tiff'],
  video: ['mp4', 'm4v', 'mov', 'webm', 'mkv'],
  audio: ['mp3', 'flac', 'm4a', 'm4b', 'ogg', 'oga', 'opus'],
  font: ['woff2', 'woff', 'otf', 'ttf', 'ttc'],
  thumbnail: [],
}

/** Names of files of which a still can be made mostly have one of these. The nearest to an image first. */
export const stillExtensions: readonly string[] = [
  ...extensionsByKind.psd,
  ...extensionsByKind.tiff,
  ...extensionsByKind.jxl,
  ...extensionsByKind.heic,
  ...extensionsByKind.pdf,
  ...extensionsByKind.video,
  ...extensionsByKind.audio,
  ...extensionsByKind.font,
]
const extensions: ReadonlySet<string> = new Set(stillExtensions)

/** Whether it is worth the while to look for a still, by what a file is called. */
export const isStillFormat = (format: string): boolean => extensions.has(format)

const videos: ReadonlySet<string> = new Set(extensionsByKind.video)

/** Whether a file is called what videos are. */
export const isVideoFormat = (format: string): boolean => videos.has(format)
