import { isMediaType } from '../../lib/text/media-types.ts'
import { formatOf } from './asset-path.ts'

const typesByFormat: Readonly<Record<string, string>> = {
  svg: 'image/svg+xml',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  avif: 'image/avif',
  gif: 'image/gif',
  ico: 'image/x-icon',
  bmp: 'image/bmp',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  heic: 'image/heic',
  jxl: 'image/jxl',
  mp4: 'video/mp4',
  m4v: 'video/mp4',
  m4s: 'video/iso.segment',
  webm: 'video/webm',
  mov: 'video/quicktime',
  ts: 'video/mp2t',
  m3u8: 'application/vnd.apple.mpegurl',
  mpd: 'application/dash+xml',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  ogg: 'audio/ogg',
  wav: 'audio/wav',
  flac: 'audio/flac',
  vtt: 'text/vtt; charset=utf-8',
  srt: 'application/x-subrip',
  woff: 'font/woff',
  woff2: 'font/woff2',
  ttf: 'font/ttf',
  otf: 'font/otf',
  html: 'text/html; charset=utf-8',
  htm: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  mjs: 'text/javascript; charset=utf-8',
  json: 'application/json',
  map: 'application/json',
  webmanifest: 'application/manifest+json',
  xml: 'application/xml',
  txt: 'text/plain; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  pdf: 'application/pdf',
  wasm: 'application/wasm',
  zip: 'application/zip',
  gz: 'application/gzip',
}

/** What clients send without having been told: says nothing about the file. */
const meaningless: ReadonlySet<string> = new Set([
  'application/octet-stream',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'binary/octet-stream',
])

/** The media type a file's name says, with its charset where it is text. */
export const contentTypeOf = (fileName: string): string =>
  typesByFormat[formatOf(fileName)] ?? 'application/octet-stream'

/**
 * The declared type where it is a media type (RFC 9110 §8.3.1) that says something the name does not;
 * `undefined` where the name decides.
 */
export function declaredType(
  header: string | null | undefined,
  fileName: string,
): string | undefined {
  const type = header?.trim() ?? ''
  if (!isMediaType(type)) return undefined
  const essence = essenceOf(type)
  if (meaningless.has(essence) || essence === essenceOf(contentTypeOf(fileName))) return undefined
  return type
}

const essenceOf = (type: string): string => (type.split(';')[0] ?? '').trim().toLowerCase()
