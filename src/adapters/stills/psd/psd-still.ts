import { UnrenderableImageError } from '../../../ports/media/renderer.ts'
import { encodeStill, maxPixels, openPixels, type Pixels } from '../encode-still.ts'
import { type FileReader, openFileReader } from '../file-reader.ts'
import type { MakeStill } from '../still-messages.ts'
import { unpackRow } from './packed-rows.ts'

interface Header {
  readonly channels: number
  readonly height: number
  readonly width: number
  readonly depth: number
  readonly mode: number
}

/** Of the file header of the Photoshop file format specification. */
const [gray, rgb, cmyk] = [1, 3, 4] as const
const runLengths = 1

/** How many colours each mode has, besides what says how opaque a pixel is. */
const coloursByMode: Readonly<Record<number, 1 | 3 | 4>> = { [gray]: 1, [rgb]: 3, [cmyk]: 4 }

/** All layers together, as whoever saved it saw them: Photoshop keeps that at the end of the file. */
export const makePsdStill: MakeStill = async (file) => {
  using reader = openFileReader(file)
  const header = readHeader(reader.read(0, 26))
  const colours = coloursByMode[header.mode]
  if (colours === undefined || (header.depth !== 8 && header.depth !== 16))
    throw new UnrenderableImageError(
      'unsupported-type',
      'must be of shades of grey, RGB or CMYK, with 8 or 16 bits a channel',
    )
  if (header.width * header.height > maxPixels)
    throw new UnrenderableImageError('too-many-pixels', 'must have fewer pixels')
  const start = [1, 2, 3].reduce((at) => at + 4 + lengthAt(reader, at), 26)
  const planes = readPlanes(reader, start, header)
  if (planes === undefined) return { outcome: 'none' }
  return { outcome: 'made', ...(await encodeStill(openPixels(pixelsOf(planes, header, colours)))) }
}

function readHeader(bytes: Buffer): Header {
  return {
    channels: bytes.readUInt16BE(12),
    height: bytes.readUInt32BE(14),
    width: bytes.readUInt32BE(18),
    depth: bytes.readUInt16BE(22),
    mode: bytes.readUInt16BE(24),
  }
}

/** Colour table, resources and layers each begin with their length. */
const lengthAt = (reader: FileReader, at: number): number => reader.read(at, 4).readUInt32BE(0)

/** One after another, one byte a pixel; none where the file was saved without what it looks like. */
function readPlanes(
  reader: FileReader,
  start: number,
  { channels, width, height, depth }: Header,
): readonly Uint8Array[] | undefined {
  if (start + 2 >= reader.sizeBytes) return undefined
  const compression = reader.read(start, 2).readUInt16BE(0)
  const rowBytes = (width * depth) / 8
  const used = Math.min(channels, 5)
  if (compression > runLengths) throw new UnrenderableImageError('unsupported-type', 'is packed')
  const data = reader.read(start + 2, reader.sizeBytes)
  const rowOf = compression === runLengths ? packedRows(data, channels * height) : bareRows(data)
  return Array.from({ length: used }, (_, channel) => {
    const plane = new Uint8Array(width * height)
    const row = new Uint8Array(rowBytes)
    for (let y = 0; y < height; y += 1) {
      rowOf(channel * height + y, row)
      for (let x = 0; x < width; x += 1) plane[y * width + x] = row[(x * depth) / 8] ?? 0
    }
    return plane
  })
}

type RowReader = (index: number, out: Uint8Array) => void

const bareRows =
  (data: Buffer): RowReader =>
  (index, out) => {
    const row = data.subarray(index * out.length, (index + 1) * out.length)
    if (row.length < out.length) throw new Error('rows are missing')
    out.set(row)
  }

/** The lengths of all rows come first. */
function packedRows(data: Buffer, count: number): RowReader {
  const starts = new Float64Array(count + 1)
  starts[0] = count * 2
  for (let index = 0; index < count; index += 1)
    starts[index + 1] = (starts[index] ?? 0) + data.readUInt16BE(index * 2)
  return (index, out) => unpackRow(data.subarray(starts[index], starts[index + 1]), out)
}

/** A channel more than the colours says how opaque a pixel is. */
function pixelsOf(
  planes: readonly Uint8Array[],
  { width, height }: Header,
  colours: 1 | 3 | 4,
): Pixels {
  const seen = [0, 1, 2].flatMap((index) => planes[colours === 1 ? 0 : index] ?? [])
  if (planes.length < colours || seen.length < 3) throw new Error('channels are missing')
  const black = colours === 4 ? planes[3] : undefined
  const alpha = planes[colours]
  const all = alpha === undefined ? seen : [...seen, alpha]
  const channels = all.length === 4 ? 4 : 3
  const data = new Uint8Array(width * height * channels)
  for (const [channel, plane] of all.entries())
    fillChannel({ data, channel, channels }, plane, plane === alpha ? undefined : black)
  return { data, width, height, channels }
}

interface Channel {
  readonly data: Uint8Array
  readonly channel: number
  readonly channels: number
}

/** Photoshop says of CMYK how much of each ink is missing. */
function fillChannel(
  { data, channel, channels }: Channel,
  plane: Uint8Array,
  black: Uint8Array | undefined,
): void {
  for (const [index, value] of plane.entries())
    data[index * channels + channel] =
      black === undefined ? value : (value * (black[index] ?? 255)) / 255
}
