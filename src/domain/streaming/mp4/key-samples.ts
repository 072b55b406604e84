import { setImmediate } from 'node:timers/promises'

import { type ByteSource, refuse } from './byte-source.ts'
import { viewOf } from './boxes.ts'
import type { CodecFacts } from './codecs.ts'
import type { SampleTables } from './sample-tables.ts'

/**
 * The samples at which a segment may begin: marked as sync samples, with no frame after them that is
 * shown before them, and, where the codec lets it be seen, really an IDR frame. Files claim more
 * than they hold, and a wrong cut shows as garbage for seconds.
 */
export async function findKeySamples(
  source: ByteSource,
  tables: SampleTables,
  nalUnits: CodecFacts['nalUnits'],
): Promise<Uint32Array> {
  const marked = tables.syncSamples ?? Uint32Array.from({ length: tables.count }, (_, i) => i)
  const closed = withoutLeadingFrames(marked, tables)
  if (nalUnits === undefined) return bounded(closed)
  const keys: number[] = []
  const inFileOrder = closed.toSorted((a, b) => placeOf(tables, a) - placeOf(tables, b))
  for (const [looked, sample] of inFileOrder.entries()) {
    if (looked % samplesPerSlice === samplesPerSlice - 1) await setImmediate()
    if (await startsWithKeyFrame(source, tables, { sample, nalUnits })) keys.push(sample)
  }
  return bounded(Uint32Array.from(keys).sort())
}

/** More than an hour of nothing but key frames; how a video is cut is looked for among all of them. */
const maxKeySamples = 100_000

function bounded(keys: Uint32Array): Uint32Array {
  return keys.length > maxKeySamples
    ? refuse(`The video has more than ${maxKeySamples} key frames`)
    : keys
}

const placeOf = ({ offsets }: SampleTables, sample: number): number => offsets[sample] ?? 0
/** Others have their turn after so many. */
const samplesPerSlice = 5000

/** Goes backwards: a key sample is closed where nothing after it is composed before it. */
function withoutLeadingFrames(marked: Uint32Array, tables: SampleTables): Uint32Array {
  const { compositionOffsets, decodeTimes } = tables
  if (compositionOffsets === undefined) return marked
  const closed: number[] = []
  let earliest = Infinity
  let sample = tables.count - 1
  for (const key of marked.toReversed()) {
    for (; sample > key; sample -= 1)
      earliest = Math.min(earliest, (decodeTimes[sample] ?? 0) + (compositionOffsets[sample] ?? 0))
    const time = (decodeTimes[key] ?? 0) + (compositionOffsets[key] ?? 0)
    if (earliest >= time) closed.push(key)
  }
  return Uint32Array.from(closed.toReversed())
}

interface Candidate {
  readonly sample: number
  readonly nalUnits: NonNullable<CodecFacts['nalUnits']>
}

/** Parameter sets, delimiters and messages come first; more than this many are not worth reading. */
const maxLeadingUnits = 64

async function startsWithKeyFrame(
  source: ByteSource,
  tables: SampleTables,
  { sample, nalUnits }: Candidate,
): Promise<boolean> {
  let offset = tables.offsets[sample] ?? 0
  const end = offset + (tables.sizes[sample] ?? 0)
  for (let unit = 0; unit < maxLeadingUnits; unit += 1) {
    if (offset + nalUnits.lengthBytes + 1 > end) return false
    const headBytes = nalUnits.lengthBytes + 1
    const head = source.held(offset, headBytes) ?? (await source.read(offset, headBytes))
    const verdict = verdicts[nalUnits.standard](head[nalUnits.lengthBytes] ?? 0)
    if (verdict !== 'go on') return verdict === 'key'
    offset += nalUnits.lengthBytes + bigEndian(head, nalUnits.lengthBytes)
  }
  return false
}

type Verdict = 'key' | 'not key' | 'go on'

/** By the first byte of a NAL unit: ITU-T H.264 table 7-1, H.265 table 7-1. */
const verdicts: Readonly<Record<Candidate['nalUnits']['standard'], (byte: number) => Verdict>> = {
  h264(byte) {
    const type = byte & 0x1f
    if (type === 5) return 'key'
    return type >= 1 && type <= 4 ? 'not key' : 'go on'
  },
  hevc(byte) {
    const type = (byte >> 1) & 0x3f
    // 16 to 18 BLA, 19 and 20 IDR, 21 CRA: without leading frames, which are ruled out before, as good.
    if (type >= 16 && type <= 21) return 'key'
    return type < 32 ? 'not key' : 'go on'
  },
}

function bigEndian(bytes: Uint8Array, length: number): number {
  const view = viewOf(bytes)
  if (length === 4) return view.getUint32(0)
  return bytes.subarray(0, length).reduce((value, byte) => value * 256 + byte, 0)
}
