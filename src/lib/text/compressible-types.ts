const compressibleTypes: ReadonlySet<string> = new Set([
  'application/javascript',
  'application/json',
  'application/ld+json',
  'application/manifest+json',
  'application/rtf',
  'application/vnd.apple.mpegurl',
  'application/vnd.ms-fontobject',
  'application/wasm',
  'application/x-javascript',
  'application/x-subrip',
  'application/xml',
  'font/otf',
  'font/ttf',
  'image/bmp',
  'image/svg+xml',
  'image/vnd.microsoft.icon',
  'image/x-icon',
])

/** Whether a type's bytes are worth compressing: text, and formats that do not compress themselves. */
export const isCompressible = (contentType: string): boolean => {
  const essence = essenceOf(contentType)
  return (
    essence.startsWith('text/') ||
    essence.endsWith('+xml') ||
    essence.endsWith('+json') ||
    compressibleTypes.has(essence)
  )
}

const essenceOf = (type: string): string => (type.split(';')[0] ?? '').trim().toLowerCase()
