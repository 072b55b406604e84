import { box, fullBox, text, u16, u32 } from '../mp4/box-writer.ts'
import { refuse } from '../mp4/byte-source.ts'
import type { FrameFormat } from './frame-format.ts'

/** An image file with the very bytes of a frame. */
export interface WrappedFrame {
  readonly mediaType: 'image/webp' | 'image/avif' | 'image/heic' | 'image/jpeg'
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** `undefined` for a format that no image file has. Nothing is decoded. */
export function stillOfFrame(format: FrameFormat, frame: Uint8Array): WrappedFrame | undefined {
  const wrap = wrapByCodec[format.codec]
  return wrap?.(frame, format)
}

type Wrap = (frame: Uint8Array, format: FrameFormat) => WrappedFrame

const wrapByCodec: Readonly<Partial<Record<FrameFormat['codec'], Wrap>>> = {
  vp8: (frame) => ({ mediaType: 'image/webp', bytes: webp(frame) }),
  av1: (frame, format) => ({ mediaType: 'image/avif', bytes: avif(frame, format) }),
  hevc: (frame, format) => ({ mediaType: 'image/heic', bytes: heic(frame, format) }),
  jpeg: (frame) => ({ mediaType: 'image/jpeg', bytes: new Uint8Array(frame) }),
}

/** RFC 9649 §2.5: a key frame of VP8 as it is (RFC 6386 §9.1: the lowest bit of its first byte is 0). */
function webp(frame: Uint8Array): Uint8Array<ArrayBuffer> {
  if (((frame[0] ?? 1) & 1) !== 0) refuse('The frame is no key frame')
  const padding = frame.length % 2
  const sizes = new DataView(new ArrayBuffer(8))
  sizes.setUint32(0, 12 + frame.length + padding, true)
  sizes.setUint32(4, frame.length, true)
  return Buffer.concat([
    text('RIFF'),
    new Uint8Array(sizes.buffer, 0, 4),
    text('WEBPVP8 '),
    new Uint8Array(sizes.buffer, 4, 4),
    frame,
    new Uint8Array(padding),
  ])
}

const sequenceHeader = 1
const temporalDelimiter = 2

/** AV1 Image File Format §2.1: an item is a sync sample, with one sequence header and no delimiter. */
function avif(frame: Uint8Array, format: FrameFormat): Uint8Array<ArrayBuffer> {
  const { configuration } = format
  if (configuration.length < 4) refuse('The av1C box is too short')
  const units = unitsOf(frame).filter(({ type }) => type !== temporalDelimiter)
  const hasHeader = units.some(({ type }) => type === sequenceHeader)
  const parts = units.map(({ bytes }) => bytes)
  return imageFile({
    brands: 'avifmif1miaf',
    type: 'av01',
    data: Buffer.concat(hasHeader ? parts : [configuration.subarray(4), ...parts]),
    properties: [pixelInformation(configuration), box('av1C', configuration.subarray(0, 4))],
    format,
  })
}

interface Unit {
  readonly type: number
  readonly bytes: Uint8Array
}

/** The open bitstream units of a sample (AV1 §5.3). */
function unitsOf(frame: Uint8Array): readonly Unit[] {
  const units: Unit[] = []
  let offset = 0
  while (offset < frame.length) {
    if (units.length === maxUnits) refuse('The frame has too many parts')
    const first = frame[offset] ?? 0
    const headerBytes = (first & 0x04) === 0 ? 1 : 2
    const size = (first & 0x02) === 0 ? undefined : leb128(frame, offset + headerBytes)
    const end = size === undefined ? frame.length : size.end + size.value
    if (end > frame.length) refuse('The frame is cut off')
    units.push({ type: (first >> 3) & 0x0f, bytes: frame.subarray(offset, end) })
    offset = end
  }
  return units
}

const maxUnits = 1024

function leb128(bytes: Uint8Array, offset: number) {
  let value = 0
  for (let index = 0; index < 5; index += 1) {
    const byte = bytes[offset + index] ?? 0
    value += (byte & 0x7f) * 2 ** (7 * index)
    if ((byte & 0x80) === 0) return { value, end: offset + index + 1 }
  }
  return refuse('A part of the frame has no size')
}

/** From `av1C` (AV1 in ISOBMFF §2.3.3): how many channels, of how many bits. */
function pixelInformation([, , flags = 0]: Uint8Array): Uint8Array {
  const depth = (flags & 0x40) === 0 ? 8 : (flags & 0x20) === 0 ? 10 : 12
  const channels = (flags & 0x10) === 0 ? 3 : 1
  return fullBox(
    'pixi',
    {},
    Uint8Array.of(channels, ...Array.from({ length: channels }, () => depth)),
  )
}

/** ISO/IEC 23008-12 annex B: the sample's NAL units with their lengths, as the track has them. */
function heic(frame: Uint8Array, format: FrameFormat): Uint8Array<ArrayBuffer> {
  const { configuration } = format
  if (configuration.length < 23) refuse('The hvcC box is too short')
  const isMain = ((configuration[1] ?? 0) & 0x1f) === 1
  return imageFile({
    brands: isMain ? 'heicmif1' : 'heixmif1',
    type: 'hvc1',
    data: frame,
    properties: [box('hvcC', configuration)],
    format,
  })
}

interface ImageFile {
  /** The first is the major one. */
  readonly brands: string
  readonly type: string
  readonly data: Uint8Array
  readonly properties: readonly Uint8Array[]
  readonly format: FrameFormat
}

/** A file of one item (ISO/IEC 23008-12 §6, ISO/IEC 14496-12 §8.11). */
function imageFile({ brands, type, data, properties, format }: ImageFile) {
  const { width, height, rotation, colour } = format
  const all = [
    fullBox('ispe', {}, u32(width, height)),
    ...properties,
    ...(colour === undefined ? [] : [box('colr', colour)]),
    // Quarters, the other way round than a track's.
    ...(rotation === 0 ? [] : [box('irot', Uint8Array.of(4 - rotation / 90))]),
  ]
  const fileType = box('ftyp', text(brands.slice(0, 4)), u32(0), text(brands))
  const metaOf = (offset: number) =>
    fullBox(
      'meta',
      {},
      fullBox('hdlr', {}, u32(0), text('pict'), new Uint8Array(13)),
      fullBox('pitm', {}, u16(1)),
      fullBox('iloc', {}, u16(0x4400, 1), u16(1, 0, 1), u32(offset, data.length)),
      fullBox('iinf', {}, u16(1), fullBox('infe', { version: 2 }, u16(1, 0), text(`${type}\0`))),
      box('iprp', box('ipco', ...all), associations(all.map((bytes) => nameOf(bytes)))),
    )
  const headBytes = fileType.length + metaOf(0).length + 8
  return Buffer.concat([fileType, metaOf(headBytes), u32(8 + data.length), text('mdat'), data])
}

const nameOf = (bytes: Uint8Array): string => Buffer.from(bytes.subarray(4, 8)).toString('latin1')

/** All properties belong to the one item; who cannot configure a decoder or turn it must not show it. */
function associations(names: readonly string[]): Uint8Array {
  const essential = 0x80
  const places = names.map((name, index) =>
    ['av1C', 'hvcC', 'irot'].includes(name) ? essential | (index + 1) : index + 1,
  )
  return fullBox('ipma', {}, u32(1), u16(1), Uint8Array.of(places.length, ...places))
}
