import { u16 } from '../mp4/box-writer.ts'
import { refuse } from '../mp4/byte-source.ts'
import type { FrameCodec, FrameFormat } from '../key-frames/frame-format.ts'
import { childOf, elementsIn, type HeldElement, numberIn } from './ebml.ts'

/** The track whose frames are shown. */
export interface MatroskaTrack {
  readonly number: number
  readonly format: FrameFormat
  /** What every frame begins with, which the file does not repeat (RFC 9559 §5.1.4.1.31.6). */
  readonly prefix: Uint8Array
}

// RFC 9559 §5.1.4
const trackEntry = 0xae
const trackNumber = 0xd7
const trackType = 0x83
const codecId = 0x86
const codecPrivate = 0x63a2
const contentEncodings = 0x6d80
const contentEncoding = 0x6240
const contentCompression = 0x5034
const compressionAlgorithm = 0x4254
const compressionSettings = 0x4255
const video = 0xe0
const pixelWidth = 0xb0
const pixelHeight = 0xba
const colour = 0x55b0
const matrixCoefficients = 0x55b1
const range = 0x55b9
const transfer = 0x55ba
const primaries = 0x55bb

const videoType = 1
const headerStripping = 3
const fullRange = 2

const codecByName: Readonly<Record<string, FrameCodec>> = {
  V_VP8: 'vp8',
  V_VP9: 'vp9',
  V_AV1: 'av1',
  'V_MPEG4/ISO/AVC': 'h264',
  'V_MPEGH/ISO/HEVC': 'hevc',
  V_MJPEG: 'jpeg',
}

/** The first track of images in a format that is known. */
export function videoTrackOf(tracks: Uint8Array): MatroskaTrack | undefined {
  const entries = elementsIn(tracks)
    .filter(({ id }) => id === trackEntry)
    .map(({ data }) => elementsIn(data))
    .filter((entry) => numberOf(entry, trackType) === videoType)
  for (const entry of entries) {
    const name = Buffer.from(childOf(entry, codecId) ?? []).toString('latin1')
    const codec = Object.hasOwn(codecByName, name) ? codecByName[name] : undefined
    if (codec !== undefined)
      return {
        number: numberOf(entry, trackNumber) ?? 0,
        format: formatOf(entry, codec),
        prefix: prefixOf(entry),
      }
  }
  return undefined
}

const numberOf = (elements: readonly HeldElement[], id: number): number | undefined => {
  const data = childOf(elements, id)
  return data && numberIn(data)
}

function formatOf(entry: readonly HeldElement[], codec: FrameCodec): FrameFormat {
  const settings = elementsIn(childOf(entry, video) ?? new Uint8Array())
  return {
    codec,
    configuration: (childOf(entry, codecPrivate) ?? new Uint8Array()).slice(),
    width: numberOf(settings, pixelWidth) ?? 0,
    height: numberOf(settings, pixelHeight) ?? 0,
    rotation: 0,
    colour: colourOf(elementsIn(childOf(settings, colour) ?? new Uint8Array())),
  }
}

/** As MP4 says it: primaries, transfer, matrix (ITU-T H.273) and whether the range is the full one. */
function colourOf(elements: readonly HeldElement[]): Uint8Array | undefined {
  if (elements.length === 0) return undefined
  const unspecified = 2
  const [first, second, third] = [primaries, transfer, matrixCoefficients].map(
    (id) => numberOf(elements, id) ?? unspecified,
  )
  const isFull = numberOf(elements, range) === fullRange
  return Buffer.concat([
    Buffer.from('nclx'),
    u16(first ?? unspecified, second ?? unspecified, third ?? unspecified),
    Uint8Array.of(isFull ? 0x80 : 0),
  ])
}

function prefixOf(entry: readonly HeldElement[]): Uint8Array {
  const encodings = elementsIn(childOf(entry, contentEncodings) ?? new Uint8Array())
  const [first, ...more] = encodings.filter(({ id }) => id === contentEncoding)
  if (first === undefined) return new Uint8Array()
  const compression = childOf(elementsIn(first.data), contentCompression)
  const settings = compression && elementsIn(compression)
  if (settings === undefined || numberOf(settings, compressionAlgorithm) !== headerStripping)
    return refuse('Its pictures are encrypted or compressed once more')
  if (more.length > 0) refuse('Its pictures are compressed more than once')
  return (childOf(settings, compressionSettings) ?? new Uint8Array()).slice()
}
