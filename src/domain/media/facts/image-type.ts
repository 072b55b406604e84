import type { EmbeddedFormat, SourceFormat } from '../../../ports/media/renderer.ts'

/** How many first bytes {@link sniffImageType} wants to see. */
export const sniffedBytes = 4096

interface Magic {
  readonly format: SourceFormat
  readonly matches: (bytes: Uint8Array) => boolean
}

const ascii = (bytes: Uint8Array, start: number, end: number): string =>
  String.fromCharCode(...bytes.subarray(start, end))

const magics: readonly Magic[] = [
  { format: 'jpeg', matches: (bytes) => startsWith(bytes, [0xff, 0xd8, 0xff]) },
  {
    format: 'png',
    matches: (bytes) => startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  },
  { format: 'gif', matches: (bytes) => /^GIF8[79]a$/u.test(ascii(bytes, 0, 6)) },
  {
    format: 'webp',
    matches: (bytes) => ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP',
  },
  { format: 'avif', matches: isAvif },
  { format: 'svg', matches: looksLikeSvg },
]

/** `undefined` for everything that no loader is kept open for. */
export const sniffImageType = (bytes: Uint8Array): SourceFormat | undefined =>
  magics.find(({ matches }) => matches(bytes))?.format

/** The same with what says something of itself besides. */
export const sniffEmbeddedType = (bytes: Uint8Array): EmbeddedFormat | undefined =>
  sniffImageType(bytes) ?? (isTiff(bytes) ? 'tiff' : undefined)

/** TIFF 6.0 §2. */
const isTiff = (bytes: Uint8Array): boolean =>
  ['II\u002a\0', 'MM\0\u002a'].includes(ascii(bytes, 0, 4))

const startsWith = (bytes: Uint8Array, magic: readonly number[]): boolean =>
  magic.every((byte, index) => bytes[index] === byte)

/** The file type box names `avif` or `avis` as its brand or among the compatible ones (AVIF §6). */
function isAvif(bytes: Uint8Array): boolean {
  if (bytes.length < 16 || ascii(bytes, 4, 8) !== 'ftyp') return false
  const boxBytes = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0)
  const end = Math.min(boxBytes, bytes.length)
  for (let at = 8; at + 4 <= end; at += 4) {
    const brand = ascii(bytes, at, at + 4)
    if (at !== 12 && (brand === 'avif' || brand === 'avis')) return true
  }
  return false
}

/** Text whose first element, after declaration, comments and document type, is `svg`. */
function looksLikeSvg(bytes: Uint8Array): boolean {
  if (!mayBeginMarkup(bytes)) return false
  const text = decodeStart(bytes.subarray(0, sniffedBytes))
  const rest = text.replace(
    /^\s*(?:<\?[^>]*>\s*|<!--[^]*?-->\s*|<!DOCTYPE[^>[]*(?:\[[^]*?\]\s*)?>\s*)*/iu,
    '',
  )
  return /^<(?:[A-Za-z_][\w.-]*:)?svg[\s/>]/u.test(rest)
}

/** By the first byte that is no ASCII space; to decode what is no text takes long. */
function mayBeginMarkup(bytes: Uint8Array): boolean {
  const first = bytes.find((byte) => byte !== 0x20 && (byte < 0x09 || byte > 0x0d))
  return first !== undefined && markupBeginnings.has(first)
}

/** `<`, the first byte of each space of Unicode in UTF-8, and those of a byte order mark. */
const markupBeginnings: ReadonlySet<number> = new Set([
  0x3c, 0xc2, 0xe1, 0xe2, 0xe3, 0xef, 0xfe, 0xff,
])

function decodeStart(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  return new TextDecoder().decode(bytes)
}
