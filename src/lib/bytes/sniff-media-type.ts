/** So many first bytes say what a file is. */
export const sniffedBytes = 4096

const unknownType = 'application/octet-stream'

/**
 * The media type that the first bytes of a file say it has, without parameters, after the WHATWG's MIME
 * Sniffing. Where several types begin alike (Matroska and WebM, text of any kind), `named` is the answer if
 * it is one of them. `application/octet-stream` where the bytes say nothing, whatever the name says.
 */
export function sniffMediaType(head: Uint8Array, named: string): string {
  const wanted = canonicalType(named)
  const kind = signatures.find((each) => each.matches(head))
  if (kind !== undefined)
    return kind.type === wanted || kind.alike?.test(wanted) === true ? wanted : kind.type
  return isText(head) ? textTypeOf(decodeStart(head), wanted) : unknownType
}

/** In lower case, without parameters, and by the name that is used most. */
export function canonicalType(type: string): string {
  const essence = (type.split(';')[0] ?? '').trim().toLowerCase()
  return otherNames[essence] ?? essence
}

const otherNames: Readonly<Record<string, string>> = {
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'image/heif': 'image/heic',
  'image/vnd.microsoft.icon': 'image/x-icon',
  'image/x-ms-bmp': 'image/bmp',
  'audio/mp3': 'audio/mpeg',
  'audio/m4a': 'audio/mp4',
  'audio/x-m4a': 'audio/mp4',
  'audio/wave': 'audio/wav',
  'audio/x-wav': 'audio/wav',
  'audio/vnd.wave': 'audio/wav',
  'audio/x-flac': 'audio/flac',
  'video/x-m4v': 'video/mp4',
  'application/ogg': 'audio/ogg',
  'application/x-gzip': 'application/gzip',
  'application/x-zip-compressed': 'application/zip',
  'application/x-javascript': 'text/javascript',
  'application/javascript': 'text/javascript',
  'text/xml': 'application/xml',
  'text/json': 'application/json',
  'application/x-mpegurl': 'application/vnd.apple.mpegurl',
  'audio/mpegurl': 'application/vnd.apple.mpegurl',
  'font/sfnt': 'font/ttf',
}

interface Signature {
  readonly type: string
  readonly matches: (head: Uint8Array) => boolean
  /** Other types that begin the same way. */
  readonly alike?: RegExp
}

/** `hex` stands `offset` bytes from the beginning. */
const begins =
  (hex: string, offset = 0) =>
  (head: Uint8Array): boolean => {
    const magic = Buffer.from(hex, 'hex')
    return magic.equals(head.subarray(offset, offset + magic.length))
  }

const ascii = (head: Uint8Array, start: number, end: number): string =>
  Buffer.from(head.subarray(start, end)).toString('latin1')

/** A file of RIFF, of this form. */
const riff = (form: string) => (head: Uint8Array) =>
  ascii(head, 0, 4) === 'RIFF' && ascii(head, 8, 12) === form

/** A file of boxes (ISO/IEC 14496-12 §4.3) that is of one of these brands, or made to be read as one. */
const brand =
  (...brands: readonly string[]) =>
  (head: Uint8Array): boolean => {
    if (ascii(head, 4, 8) !== 'ftyp') return false
    const boxBytes = Buffer.from(head.subarray(0, 4)).readUInt32BE()
    const end = Math.min(boxBytes, head.length, 256)
    for (let at = 8; at + 4 <= end; at += 4)
      if (at !== 12 && brands.includes(ascii(head, at, at + 4))) return true
    return false
  }

/** EBML whose header names this document type (RFC 8794 §11.2.4). */
const documentType = (name: string) => (head: Uint8Array) => {
  const header = ascii(head, 0, 64)
  const at = header.indexOf('\x42\x82')
  return header.startsWith('\x1a\x45\xdf\xa3') && at > 0 && header.slice(at).includes(name)
}

/** A frame of layer II or III (ISO/IEC 11172-3 §2.4.1.3); layer I would be taken for a mark of UTF-16. */
function isMpegFrame([first = 0, second = 0]: Uint8Array): boolean {
  const [version, layer] = [(second >> 3) & 3, (second >> 1) & 3]
  return first === 0xff && second >= 0xe0 && version !== 1 && (layer === 1 || layer === 2)
}

/** The first that matches says it. */
const signatures: readonly Signature[] = [
  { type: 'image/png', matches: begins('89504e470d0a1a0a'), alike: /^image\/apng$/u },
  { type: 'image/jpeg', matches: begins('ffd8ff') },
  { type: 'image/gif', matches: begins('47494638') },
  { type: 'image/webp', matches: riff('WEBP') },
  { type: 'image/avif', matches: brand('avif', 'avis') },
  { type: 'image/heic', matches: brand('heic', 'heix', 'hevc', 'heim', 'heis', 'mif1', 'msf1') },
  { type: 'image/jxl', matches: begins('ff0a') },
  { type: 'image/jxl', matches: begins('0000000c4a584c200d0a870a') },
  { type: 'image/tiff', matches: begins('49492a00') },
  { type: 'image/tiff', matches: begins('4d4d002a') },
  { type: 'image/x-icon', matches: begins('00000100') },
  {
    type: 'image/bmp',
    matches: (head) => begins('424d')(head) && begins('00000000', 6)(head),
  },
  { type: 'video/quicktime', matches: brand('qt  ') },
  { type: 'audio/mp4', matches: brand('M4A ', 'M4B '), alike: /^video\/mp4$/u },
  {
    type: 'video/mp4',
    matches: (head) => ascii(head, 4, 8) === 'ftyp',
    alike: /^(?:audio\/mp4|video\/(?:3gpp2?|quicktime|iso\.segment))$/u,
  },
  { type: 'video/iso.segment', matches: (head) => /^(?:styp|moof|sidx)$/u.test(ascii(head, 4, 8)) },
  { type: 'video/webm', matches: documentType('webm'), alike: /^audio\/webm$/u },
  { type: 'video/x-matroska', matches: documentType('matroska'), alike: /^audio\/x-matroska$/u },
  { type: 'video/x-msvideo', matches: riff('AVI ') },
  {
    type: 'video/mp2t',
    matches: (head) => head[0] === 0x47 && head[188] === 0x47 && head[376] === 0x47,
  },
  { type: 'audio/wav', matches: riff('WAVE') },
  { type: 'audio/ogg', matches: begins('4f676753'), alike: /^(?:video\/ogg|audio\/opus)$/u },
  { type: 'audio/flac', matches: begins('664c6143') },
  { type: 'audio/mpeg', matches: begins('494433') },
  { type: 'audio/aac', matches: (head) => head[0] === 0xff && ((head[1] ?? 0) & 0xf6) === 0xf0 },
  { type: 'audio/mpeg', matches: isMpegFrame },
  { type: 'font/woff', matches: begins('774f4646') },
  { type: 'font/woff2', matches: begins('774f4632') },
  { type: 'font/otf', matches: begins('4f54544f') },
  { type: 'font/ttf', matches: begins('0001000000') },
  { type: 'font/ttf', matches: begins('74727565') },
  { type: 'font/collection', matches: begins('74746366') },
  { type: 'application/pdf', matches: begins('255044462d') },
  { type: 'application/wasm', matches: begins('0061736d') },
  { type: 'application/gzip', matches: begins('1f8b08') },
  { type: 'application/zstd', matches: begins('28b52ffd') },
  {
    type: 'application/zip',
    matches: (head) => begins('504b0304')(head) || begins('504b0506')(head),
    alike:
      /^application\/(?:epub\+zip|vnd\.openxmlformats-officedocument\.|vnd\.oasis\.opendocument\.)/u,
  },
  { type: 'model/gltf-binary', matches: begins('676c5446') },
]

/** What no text has (MIME Sniffing §7.1). */
const binaryByte = /[\u0000-\u0008\u000b\u000e-\u001a\u001c-\u001f]/u

/** Whether it is UTF-8, or says that it is UTF-16. A last character that is cut off counts as whole. */
function isText(head: Uint8Array): boolean {
  if (isUtf16(head)) return true
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true })
    return !binaryByte.test(text)
  } catch {
    return false
  }
}

const isUtf16 = (head: Uint8Array): boolean => begins('fffe')(head) || begins('feff')(head)

function decodeStart(head: Uint8Array): string {
  if (begins('fffe')(head)) return new TextDecoder('utf-16le').decode(head)
  if (begins('feff')(head)) return new TextDecoder('utf-16be').decode(head)
  return new TextDecoder().decode(head)
}

/** Declarations, comments and a document type. */
const prolog = /^\s*(?:<\?[^>]*>\s*|<!--[^]*?-->\s*|<!DOCTYPE[^>[]*(?:\[[^]*?\]\s*)?>\s*)*/iu

const isSvg = (text: string): boolean =>
  /^<(?:[A-Za-z_][\w.-]*:)?svg[\s/>]/u.test(text.replace(prolog, ''))

const htmlElement =
  /^<(?:html|head|body|script|iframe|title|h1|div|p|a|table|style|br|b|font)[\s/>]/iu

const isHtml = (text: string): boolean =>
  /^\s*<!doctype html[\s>]/iu.test(text) || htmlElement.test(text.replace(prolog, ''))

/** Texts that have to begin in their own way; of any other kind whatever is text will do. */
const textKinds: readonly { readonly of: RegExp; readonly is: (text: string) => boolean }[] = [
  { of: /^image\/svg\+xml$/u, is: isSvg },
  { of: /^application\/(?:xml|[\w.-]+\+xml)$/u, is: (text) => text.trimStart().startsWith('<') },
  {
    of: /^(?:application|model)\/(?:json|[\w.-]+\+json)$/u,
    is: (text) => /^(?:[[{"\d-]|true|false|null)/u.test(text.trimStart()),
  },
  { of: /^text\/vtt$/u, is: (text) => text.startsWith('WEBVTT') },
  { of: /^application\/vnd\.apple\.mpegurl$/u, is: (text) => text.startsWith('#EXTM3U') },
  { of: /^application\/rtf$/u, is: (text) => text.startsWith(String.raw`{\rtf`) },
  { of: /^(?:text\/[\w.+-]+|application\/x-subrip)$/u, is: () => true },
]

function textTypeOf(text: string, wanted: string): string {
  if (textKinds.find(({ of }) => of.test(wanted))?.is(text) === true) return wanted
  if (isSvg(text)) return 'image/svg+xml'
  if (isHtml(text)) return 'text/html'
  return text.trimStart().startsWith('<?xml') ? 'application/xml' : 'text/plain'
}
