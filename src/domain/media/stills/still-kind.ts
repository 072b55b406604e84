import type { StillKind } from '../../../ports/media/still-maker.ts'

interface Signature {
  readonly kind: StillKind
  readonly matches: (bytes: Uint8Array) => boolean
}

const ascii = (bytes: Uint8Array, start: number, end: number): string =>
  String.fromCharCode(...bytes.subarray(start, end))

const startsWith =
  (...magics: readonly (readonly number[])[]) =>
  (bytes: Uint8Array): boolean =>
    magics.some((magic) => magic.every((byte, index) => bytes[index] === byte))

/** By a text at the very beginning. */
const begins =
  (...texts: readonly string[]) =>
  (bytes: Uint8Array): boolean =>
    texts.some((text) => ascii(bytes, 0, text.length) === text)

/** What ISO base media files call themselves: the brand of their first box (ISO 14496-12 §4.3). */
const brand = (bytes: Uint8Array): string | undefined =>
  ascii(bytes, 4, 8) === 'ftyp' ? ascii(bytes, 8, 12) : undefined

const isBranded =
  (pattern: RegExp) =>
  (bytes: Uint8Array): boolean =>
    pattern.test(brand(bytes) ?? '')

/** A PDF may begin with up to a kilobyte of something else (PDF 1.7, appendix H.3.4.1). */
const isPdf = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1024)).includes('%PDF-')

const signatures: readonly Signature[] = [
  { kind: 'pdf', matches: isPdf },
  { kind: 'heic', matches: isBranded(/^(?:hei[cmsx]|hev[cmx]|mi[af]1|msf1)$/u) },
  {
    kind: 'jxl',
    matches: startsWith(
      [0xff, 0x0a],
      [0, 0, 0, 0x0c, 0x4a, 0x58, 0x4c, 0x20, 0x0d, 0x0a, 0x87, 0x0a],
    ),
  },
  { kind: 'psd', matches: begins('8BPS\0\u0001') },
  { kind: 'tiff', matches: begins('II*\0', 'MM\0*', 'II+\0', 'MM\0+') },
  { kind: 'audio', matches: isBranded(/^(?:M4[ABP] |F4[AB] )$/u) },
  { kind: 'audio', matches: begins('ID3', 'fLaC', 'OggS') },
  { kind: 'video', matches: (bytes) => brand(bytes) !== undefined },
  // Matroska and WebM.
  { kind: 'video', matches: startsWith([0x1a, 0x45, 0xdf, 0xa3]) },
  { kind: 'font', matches: begins('\0\u0001\0\0', 'OTTO', 'true', 'ttcf', 'wOFF', 'wOF2') },
]

/** Of what kind a file is, by its first bytes; `undefined` where nothing can be seen of it. */
export const stillKindOf = (bytes: Uint8Array): StillKind | undefined =>
  signatures.find(({ matches }) => matches(bytes))?.kind
