import { createByteReader, createByteWriter, type ByteReader, type ByteWriter } from './varint.ts'
import type { AudioTrack, Samples, StreamIndex, Track, VideoTrack } from './stream-index.ts'
import { UnstreamableMediaError } from '../mp4/byte-source.ts'

/**
 * An index as bytes, or the reason why there is none: 5 bytes of mark and version, the CRC-32 of the
 * rest, a JSON head with the facts of each track, then per track its samples in columns of varints.
 * Sample times and places are kept as runs, so most samples cost two or three bytes.
 */
const mark = 'SdgX'
/** Raise it whenever the meaning of the bytes, or what the parser finds, changes. */
const indexVersion = 2
const headBytes = 9

type TrackHead =
  | (Omit<VideoTrack, 'samples' | 'sampleEntry' | 'matrix'> & EncodedBytes & { matrix: string })
  | (Omit<AudioTrack, 'samples' | 'sampleEntry'> & EncodedBytes)

/** In base64. */
interface EncodedBytes {
  readonly sampleEntry: string
}

type Head = { readonly refused: string } | { readonly tracks: readonly TrackHead[] }

export type Indexed = StreamIndex | UnstreamableMediaError

export function encodeIndex(indexed: Indexed): Uint8Array {
  if (indexed instanceof UnstreamableMediaError) return seal({ refused: indexed.message }, [])
  const tracks: readonly Track[] = indexed.video ? [indexed.video, ...indexed.audio] : indexed.audio
  return seal(
    { tracks: tracks.map(headOf) },
    tracks.map(({ samples }) => encodeSamples(samples)),
  )
}

/** `undefined` where the bytes are damaged or of another version: index the file again. */
export function decodeIndex(bytes: Uint8Array): Indexed | undefined {
  const body = unseal(bytes)
  if (body === undefined) return undefined
  const reader = createByteReader(body)
  const head = JSON.parse(new TextDecoder().decode(reader.bytes(reader.unsigned()))) as Head
  if ('refused' in head) return new UnstreamableMediaError(head.refused)
  const tracks = head.tracks.map((track) => decodeTrack(track, reader))
  return {
    video: tracks.find((track) => track.kind === 'video'),
    audio: tracks.filter((track) => track.kind === 'audio'),
  }
}

function seal(head: Head, columns: readonly Uint8Array[]): Uint8Array {
  const json = Buffer.from(JSON.stringify(head))
  const length = createByteWriter()
  length.unsigned(json.length)
  const body = Buffer.concat([length.finish(), json, ...columns])
  const front = Buffer.alloc(headBytes)
  front.write(mark, 'latin1')
  front.writeUInt8(indexVersion, mark.length)
  front.writeUInt32BE(Bun.hash.crc32(body), mark.length + 1)
  return Buffer.concat([front, body])
}

function unseal(bytes: Uint8Array): Uint8Array | undefined {
  if (bytes.length < headBytes) return undefined
  const front = Buffer.from(bytes.buffer, bytes.byteOffset, headBytes)
  const body = bytes.subarray(headBytes)
  const isOurs =
    front.toString('latin1', 0, mark.length) === mark &&
    front.readUInt8(mark.length) === indexVersion &&
    front.readUInt32BE(mark.length + 1) === Bun.hash.crc32(body)
  return isOurs ? body : undefined
}

function headOf(track: Track): TrackHead {
  const sampleEntry = Buffer.from(track.sampleEntry).toString('base64')
  if (track.kind === 'audio') {
    const { samples: _, ...facts } = track
    return { ...facts, sampleEntry }
  }
  const { samples: _, ...facts } = track
  return { ...facts, sampleEntry, matrix: Buffer.from(track.matrix).toString('base64') }
}

function decodeTrack(head: TrackHead, reader: ByteReader): Track {
  const sampleEntry = new Uint8Array(Buffer.from(head.sampleEntry, 'base64'))
  const samples = decodeSamples(reader)
  return head.kind === 'audio'
    ? { ...head, sampleEntry, samples }
    : { ...head, sampleEntry, samples, matrix: new Uint8Array(Buffer.from(head.matrix, 'base64')) }
}

function encodeSamples(samples: Samples): Uint8Array {
  const writer = createByteWriter()
  const { count, decodeTimes, compositionOffsets, keySamples, offsets, sizes } = samples
  writer.unsigned(count)
  for (const size of sizes) writer.unsigned(size)
  writer.unsigned(decodeTimes[0] ?? 0)
  writeRuns(writer, count, (index) => (decodeTimes[index + 1] ?? 0) - (decodeTimes[index] ?? 0))
  writeRuns(writer, count, (index) => compositionOffsets?.[index] ?? 0)
  writeRuns(writer, count, gapBefore(offsets, sizes))
  writer.unsigned(keySamples === undefined ? 0 : keySamples.length + 1)
  keySamples?.forEach((key, index) => {
    writer.unsigned(key - (index === 0 ? 0 : (keySamples[index - 1] ?? 0)))
  })
  return writer.finish()
}

/** How far a sample begins behind the end of the one before: 0 within a chunk. */
const gapBefore = (offsets: Float64Array, sizes: Uint32Array) => (index: number) =>
  (offsets[index] ?? 0) - (index === 0 ? 0 : (offsets[index - 1] ?? 0) + (sizes[index - 1] ?? 0))

function decodeSamples(reader: ByteReader): Samples {
  const count = reader.unsigned()
  const sizes = new Uint32Array(count)
  for (let index = 0; index < count; index += 1) sizes[index] = reader.unsigned()
  const decodeTimes = new Float64Array(count + 1)
  decodeTimes[0] = reader.unsigned()
  readRuns(reader, count, (index, duration) => {
    decodeTimes[index + 1] = (decodeTimes[index] ?? 0) + duration
  })
  const compositionOffsets = new Int32Array(count)
  let isReordered = false
  readRuns(reader, count, (index, offset) => {
    compositionOffsets[index] = offset
    isReordered ||= offset !== 0
  })
  const offsets = new Float64Array(count)
  let end = 0
  readRuns(reader, count, (index, gap) => {
    offsets[index] = end + gap
    end += gap + (sizes[index] ?? 0)
  })
  return {
    count,
    offsets,
    sizes,
    decodeTimes,
    compositionOffsets: isReordered ? compositionOffsets : undefined,
    keySamples: readKeys(reader),
  }
}

function readKeys(reader: ByteReader): Uint32Array | undefined {
  const lengthPlusOne = reader.unsigned()
  if (lengthPlusOne === 0) return undefined
  const keys = new Uint32Array(lengthPlusOne - 1)
  let key = 0
  for (let index = 0; index < keys.length; index += 1) {
    key += reader.unsigned()
    keys[index] = key
  }
  return keys
}

/** Pairs of how many samples in a row share a value, and the value. */
function writeRuns(writer: ByteWriter, count: number, valueAt: (index: number) => number): void {
  let start = 0
  while (start < count) {
    const value = valueAt(start)
    let end = start + 1
    while (end < count && valueAt(end) === value) end += 1
    writer.unsigned(end - start)
    writer.signed(value)
    start = end
  }
}

function readRuns(
  reader: ByteReader,
  count: number,
  take: (index: number, value: number) => void,
): void {
  for (let index = 0; index < count;) {
    const end = index + reader.unsigned()
    const value = reader.signed()
    for (; index < end; index += 1) take(index, value)
  }
}
