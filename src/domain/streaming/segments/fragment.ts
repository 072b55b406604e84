import { box, fullBox, text, u32, u64 } from '../mp4/box-writer.ts'
import { viewOf } from '../mp4/boxes.ts'
import { trackId } from './init-segment.ts'
import { durationOf, type Samples, type Track } from '../index/stream-index.ts'

/** The samples from `from` up to, not including, `to`; at least one. */
export interface SampleSpan {
  readonly from: number
  readonly to: number
}

// ISO/IEC 14496-12 §8.8.3.1: whether a sample depends on others, and whether decoding can start there.
const keyFlags = 0x0200_0000
const deltaFlags = 0x0101_0000

// §8.8.7 tfhd, §8.8.8 trun
const defaultDuration = 0x08
const defaultFlags = 0x20
const baseIsMoof = 0x02_0000
const dataOffset = 0x01
const firstSampleFlags = 0x04
const eachDuration = 0x0100
const eachSize = 0x0200
const eachFlags = 0x0400
const eachCompositionOffset = 0x0800

/** Which columns the run of samples needs; what all samples share is said once. */
interface Layout {
  readonly hasDurations: boolean
  readonly hasCompositionOffsets: boolean
  readonly keys: 'all' | 'none' | 'first' | 'some'
}

const boxHeaderBytes = 8
const segmentTypeBytes = 24
/** moof, mfhd, traf, tfhd, tfdt and the fixed part of trun. */
const fixedMoofBytes = 8 + 16 + 8 + 24 + 20 + 20

/** How many bytes come before those of the samples. */
export const fragmentHeaderBytes = (track: Track, span: SampleSpan): number =>
  headerBytesOf(layoutOf(track.samples, span), span)

export function payloadBytes({ sizes }: Samples, { from, to }: SampleSpan): number {
  let total = 0
  for (let sample = from; sample < to; sample += 1) total += sizes[sample] ?? 0
  return total
}

/**
 * Everything of a CMAF segment that comes before its samples: `styp`, `moof` and the head of `mdat`.
 * `sequenceNumber` starts at 1.
 */
export function fragmentHeader(
  track: Track,
  span: SampleSpan,
  sequenceNumber: number,
): Uint8Array<ArrayBuffer> {
  const { samples } = track
  const layout = layoutOf(samples, span)
  const moofAndMdatHead = headerBytesOf(layout, span) - segmentTypeBytes
  return Buffer.concat([
    box('styp', text('msdh'), u32(0), text('msdhcmfs')),
    box(
      'moof',
      fullBox('mfhd', {}, u32(sequenceNumber)),
      box(
        'traf',
        fullBox(
          'tfhd',
          { flags: baseIsMoof | defaultDuration | defaultFlags },
          u32(
            trackId,
            durationOf(samples, span.from),
            layout.keys === 'all' ? keyFlags : deltaFlags,
          ),
        ),
        fullBox('tfdt', { version: 1 }, u64(samples.decodeTimes[span.from] ?? 0)),
        fullBox(
          'trun',
          { version: 1, flags: runFlags(layout) },
          u32(span.to - span.from, moofAndMdatHead),
          u32(...(layout.keys === 'first' ? [keyFlags] : [])),
          sampleRows(samples, span, layout),
        ),
      ),
    ),
    u32(boxHeaderBytes + payloadBytes(samples, span)),
    text('mdat'),
  ])
}

function headerBytesOf(layout: Layout, { from, to }: SampleSpan): number {
  const rowBytes = 4 * columnsOf(layout) * (to - from)
  const firstFlags = layout.keys === 'first' ? 4 : 0
  return segmentTypeBytes + fixedMoofBytes + firstFlags + rowBytes + boxHeaderBytes
}

const columnsOf = ({ hasDurations, hasCompositionOffsets, keys }: Layout): number =>
  1 + Number(hasDurations) + Number(hasCompositionOffsets) + Number(keys === 'some')

const runFlags = ({ hasDurations, hasCompositionOffsets, keys }: Layout): number =>
  dataOffset |
  eachSize |
  (hasDurations ? eachDuration : 0) |
  (hasCompositionOffsets ? eachCompositionOffset : 0) |
  (keys === 'some' ? eachFlags : 0) |
  (keys === 'first' ? firstSampleFlags : 0)

function sampleRows(samples: Samples, { from, to }: SampleSpan, layout: Layout): Uint8Array {
  const rows = new Uint8Array(4 * columnsOf(layout) * (to - from))
  const view = viewOf(rows)
  const keys = new Set(layout.keys === 'some' ? keysWithin(samples, { from, to }) : [])
  let offset = 0
  for (let sample = from; sample < to; sample += 1) {
    if (layout.hasDurations) put(durationOf(samples, sample))
    put(samples.sizes[sample] ?? 0)
    if (layout.keys === 'some') put(keys.has(sample) ? keyFlags : deltaFlags)
    if (layout.hasCompositionOffsets) put(samples.compositionOffsets?.[sample] ?? 0)
  }
  return rows

  function put(value: number): void {
    view.setUint32(offset, value)
    offset += 4
  }
}

function layoutOf(samples: Samples, span: SampleSpan): Layout {
  const { compositionOffsets } = samples
  const duration = durationOf(samples, span.from)
  let hasDurations = false
  let hasCompositionOffsets = false
  for (let sample = span.from; sample < span.to; sample += 1) {
    hasDurations ||= durationOf(samples, sample) !== duration
    hasCompositionOffsets ||= compositionOffsets !== undefined && compositionOffsets[sample] !== 0
  }
  return { hasDurations, hasCompositionOffsets, keys: keyLayout(samples, span) }
}

function keyLayout(samples: Samples, span: SampleSpan): Layout['keys'] {
  if (samples.keySamples === undefined) return 'all'
  const keys = keysWithin(samples, span)
  if (keys.length === span.to - span.from) return 'all'
  if (keys.length === 0) return 'none'
  return keys.length === 1 && keys[0] === span.from ? 'first' : 'some'
}

function keysWithin({ keySamples = new Uint32Array() }: Samples, span: SampleSpan): Uint32Array {
  return keySamples.subarray(firstAtLeast(keySamples, span.from), firstAtLeast(keySamples, span.to))
}

/** The place of the first number that is not below `least`, in ascending numbers. */
export function firstAtLeast(numbers: ArrayLike<number>, least: number): number {
  let low = 0
  let high = numbers.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((numbers[middle] ?? Infinity) < least) low = middle + 1
    else high = middle
  }
  return low
}
