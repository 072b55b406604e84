import { box, fullBox, text, u16, u32, u64, zeros } from '../mp4/box-writer.ts'
import type { Track } from '../index/stream-index.ts'

const unityMatrix = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)
/** Each rendition is a file of its own, so its one track may have the same number everywhere. */
export const trackId = 1
const emptyTable = u32(0)

/** The CMAF header of a track (ISO/IEC 23000-19 §7.3.1): everything but samples. */
export function initSegment(track: Track): Uint8Array<ArrayBuffer> {
  return Buffer.concat([
    box('ftyp', text('iso6'), u32(0), text('iso6cmfcmp41')),
    box('moov', movieHeader(track), trackBox(track), box('mvex', trackExtends())),
  ])
}

const movieHeader = (track: Track): Uint8Array =>
  fullBox(
    'mvhd',
    {},
    u32(0, 0, track.timescale, 0, 0x10000),
    u16(0x0100, 0),
    zeros(8),
    unityMatrix,
    zeros(24),
    u32(trackId + 1),
  )

const trackBox = (track: Track): Uint8Array =>
  box(
    'trak',
    trackHeader(track),
    editList(track),
    box('mdia', mediaHeader(track), handler(track), mediaInformation(track)),
  )

function trackHeader(track: Track): Uint8Array {
  const isVideo = track.kind === 'video'
  const [width, height] = isVideo ? codedOrientation(track) : [0, 0]
  return fullBox(
    'tkhd',
    // Enabled and in the movie.
    { flags: 3 },
    u32(0, 0, trackId, 0, 0),
    zeros(8),
    u16(0, 0, isVideo ? 0 : 0x0100, 0),
    isVideo ? track.matrix : unityMatrix,
    u32(width * 0x10000, height * 0x10000),
  )
}

/** The header has the size before the matrix turns it. */
function codedOrientation(track: Extract<Track, { kind: 'video' }>): readonly [number, number] {
  const view = new DataView(track.matrix.buffer, track.matrix.byteOffset)
  const isTurned = view.getInt32(0) === 0 && view.getInt32(4) !== 0
  return isTurned ? [track.height, track.width] : [track.width, track.height]
}

/** Only what hides the start: a duration of 0 means that the rest is presented. */
function editList({ editStart }: Track): Uint8Array {
  if (editStart === 0) return zeros(0)
  return box('edts', fullBox('elst', { version: 1 }, u32(1), u64(0), u64(editStart), u16(1, 0)))
}

const mediaHeader = ({ timescale, language }: Track): Uint8Array =>
  fullBox('mdhd', {}, u32(0, 0, timescale, 0), u16(packedLanguage(language), 0))

/** Three letters in 15 bits; the playlist has the whole tag. */
function packedLanguage(language: string): number {
  const code = /^[a-z]{3}$/u.test(language) ? language : 'und'
  return Buffer.from(code).reduce((packed, letter) => packed * 32 + (letter - 0x60), 0)
}

const handler = ({ kind }: Track): Uint8Array =>
  fullBox(
    'hdlr',
    {},
    u32(0),
    text(kind === 'video' ? 'vide' : 'soun'),
    zeros(12),
    text(kind === 'video' ? 'Video\0' : 'Sound\0'),
  )

const mediaInformation = (track: Track): Uint8Array =>
  box(
    'minf',
    track.kind === 'video'
      ? fullBox('vmhd', { flags: 1 }, zeros(8))
      : fullBox('smhd', {}, zeros(4)),
    box('dinf', fullBox('dref', {}, u32(1), fullBox('url ', { flags: 1 }))),
    box(
      'stbl',
      fullBox('stsd', {}, u32(1), track.sampleEntry),
      fullBox('stts', {}, emptyTable),
      fullBox('stsc', {}, emptyTable),
      fullBox('stsz', {}, u32(0, 0)),
      fullBox('stco', {}, emptyTable),
    ),
  )

/** Fragments say all of it themselves, but for the sample description. */
const trackExtends = (): Uint8Array => fullBox('trex', {}, u32(trackId, 1, 0, 0, 0))
