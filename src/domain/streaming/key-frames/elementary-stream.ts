import { refuse } from '../mp4/byte-source.ts'
import { viewOf } from '../mp4/boxes.ts'
import type { FrameFormat } from './frame-format.ts'

const startCode = Uint8Array.of(0, 0, 0, 1)
const maxUnits = 4096

/**
 * A frame of H.264 or H.265 as decoders take it by itself: every NAL unit behind a start code, those of
 * the configuration first (ITU-T H.264 annex B; ISO/IEC 14496-15 §5.2.4.1, §8.3.3.1).
 */
export function elementaryStream({ codec, configuration }: FrameFormat, frame: Uint8Array) {
  const isHevc = codec === 'hevc'
  const sets = isHevc ? hevcSets(configuration) : h264Sets(configuration)
  const lengthBytes = ((configuration[isHevc ? 21 : 4] ?? 3) & 3) + 1
  const units = [...sets, ...unitsIn(frame, lengthBytes)]
  return Buffer.concat(units.flatMap((unit) => [startCode, unit]))
}

function* unitsIn(frame: Uint8Array, lengthBytes: number): Generator<Uint8Array> {
  let offset = 0
  for (let count = 0; offset + lengthBytes <= frame.length; count += 1) {
    if (count === maxUnits) refuse('The frame has too many parts')
    const start = offset + lengthBytes
    const length = frame.subarray(offset, start).reduce((value, byte) => value * 256 + byte, 0)
    if (start + length > frame.length) refuse('The frame is cut off')
    yield frame.subarray(start, start + length)
    offset = start + length
  }
}

function h264Sets(avcC: Uint8Array): readonly Uint8Array[] {
  const sequences = setsAt(avcC, 6, (avcC[5] ?? 0) & 0x1f)
  const pictures = setsAt(avcC, sequences.end + 1, avcC[sequences.end] ?? 0)
  return [...sequences.sets, ...pictures.sets]
}

function hevcSets(hvcC: Uint8Array): readonly Uint8Array[] {
  const sets: Uint8Array[] = []
  let offset = 23
  for (let array = 0; array < (hvcC[22] ?? 0) && offset + 3 <= hvcC.length; array += 1) {
    const found = setsAt(hvcC, offset + 3, viewOf(hvcC).getUint16(offset + 1))
    sets.push(...found.sets)
    offset = found.end
  }
  return sets
}

/** So many parameter sets, each behind its length of two bytes. */
function setsAt(bytes: Uint8Array, from: number, count: number) {
  const sets: Uint8Array[] = []
  let offset = from
  while (sets.length < count && offset + 2 <= bytes.length) {
    const end = offset + 2 + viewOf(bytes).getUint16(offset)
    if (end > bytes.length) refuse('The configuration of the decoder is cut off')
    sets.push(bytes.subarray(offset + 2, end))
    offset = end
  }
  return { sets, end: offset }
}
