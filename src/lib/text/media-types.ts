/**
 * Types that a browser shows, plays or saves without running anything of theirs in the page's own origin.
 * All that is not named here counts as active: new types come, and nobody is told which of them act.
 */
const harmlessTypes: ReadonlySet<string> = new Set([
  'application/epub+zip',
  'application/font-woff',
  'application/geo+json',
  'application/gzip',
  'application/javascript',
  'application/json',
  'application/ld+json',
  'application/manifest+json',
  'application/octet-stream',
  'application/pdf',
  'application/problem+json',
  'application/rtf',
  'application/vnd.apple.mpegurl',
  'application/vnd.ms-fontobject',
  'application/wasm',
  'application/x-javascript',
  'application/x-mpegurl',
  'application/x-subrip',
  'application/zip',
  'application/zstd',
  'audio/aac',
  'audio/flac',
  'audio/mp4',
  'audio/mpeg',
  'audio/ogg',
  'audio/opus',
  'audio/wav',
  'audio/webm',
  'audio/x-wav',
  'font/collection',
  'font/otf',
  'font/ttf',
  'font/woff',
  'font/woff2',
  'image/apng',
  'image/avif',
  'image/bmp',
  'image/gif',
  'image/heic',
  'image/heif',
  'image/jpeg',
  'image/jxl',
  'image/png',
  'image/tiff',
  'image/vnd.microsoft.icon',
  'image/webp',
  'image/x-icon',
  'model/gltf+json',
  'model/gltf-binary',
  'text/css',
  'text/csv',
  'text/event-stream',
  'text/javascript',
  'text/markdown',
  'text/plain',
  'text/vtt',
  'video/iso.segment',
  'video/mp2t',
  'video/mp4',
  'video/mpeg',
  'video/ogg',
  'video/quicktime',
  'video/webm',
  'video/x-matroska',
])

/** What keeps a document from running anything, and from the origin that it comes from. */
export const sandboxPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

const token = "[a-z0-9!#$%&'*+.^_`|~-]+"
/** One type and nothing else: of several in one field, browsers take the last. */
const oneType = new RegExp(
  `^(${token}/${token})(?:\\s*;\\s*${token}=(?:${token}|"[^",\\\\]*"))*$`,
  'iu',
)
/** Longer than any that the service stores. */
const maxLength = 250

export function isHarmless(contentType: string): boolean {
  if (contentType.length > maxLength) return false
  const [, essence = ''] = oneType.exec(contentType.trim()) ?? []
  return harmlessTypes.has(essence.toLowerCase())
}

/** Whether a browser takes it for a program, and so could keep it as a service worker. */
export const isScript = (contentType: string): boolean => /script/iu.test(contentType)

const mediaType = new RegExp(`^${token}/${token}(\\s*;\\s*${token}=(${token}|"[^"\\\\]*"))*$`, 'iu')
const maxAskedLength = 200

/** Whether it is one media type with its parameters, and nothing besides (RFC 9110 §8.3.1). */
export const isMediaType = (text: string): boolean =>
  text.length <= maxAskedLength && mediaType.test(text)
