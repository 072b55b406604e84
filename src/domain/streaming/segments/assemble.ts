import type { BlobBytes } from '../../../ports/content/blob-store.ts'
import { fragmentHeader, type SampleSpan } from './fragment.ts'
import type { Samples, Track } from '../index/stream-index.ts'
import { refuse } from '../mp4/byte-source.ts'

/** One piece of a body. What is no array is read when its turn comes. */
export type Part = Uint8Array<ArrayBuffer> | BlobBytes

/** Bytes of the source that belong together to a segment, and where in its payload they go. */
interface Run {
  readonly start: number
  readonly end: number
  readonly target: number
}

/** Reading over a gap is cheaper than another read, up to here. */
const maxGapBytes = 128 * 1024
const maxReadBytes = 4 * 2 ** 20
/** A larger segment (a video without key frames) is streamed from its pieces, never held. */
const maxHeldBytes = 8 * 2 ** 20
/** Each piece of a segment that is streamed is read for itself. */
const maxRuns = 20_000

/**
 * The bytes of a segment. `sequenceNumber` starts at 1. Throws `UnstreamableMediaError` where its
 * samples lie scattered all over the file.
 */
export async function assembleSegment(
  source: BlobBytes,
  track: Track,
  { sequenceNumber, ...span }: SampleSpan & { readonly sequenceNumber: number },
): Promise<readonly Part[]> {
  const header = fragmentHeader(track, span, sequenceNumber)
  const runs = runsOf(track.samples, span)
  const last = runs.at(-1)
  const payloadBytes = last === undefined ? 0 : last.target + last.end - last.start
  if (payloadBytes > maxHeldBytes)
    return [header, ...runs.map(({ start, end }) => source.slice(start, end))]
  const reads = coalesce(runs)
  const [only] = reads
  return reads.length === 1 && only !== undefined && isAscending(runs)
    ? [await readInPlace(source, header, only)]
    : [header, await readApart(source, reads, payloadBytes)]
}

function runsOf(samples: Samples, { from, to }: SampleSpan): readonly Run[] {
  const runs: Run[] = []
  let start = samples.offsets[from] ?? 0
  let end = start
  let target = 0
  for (let sample = from; sample < to; sample += 1) {
    const offset = samples.offsets[sample] ?? 0
    if (offset !== end) {
      if (runs.length === maxRuns) refuse(`A segment would have more than ${maxRuns} pieces`)
      runs.push({ start, end, target })
      target += end - start
      start = offset
      end = offset
    }
    end += samples.sizes[sample] ?? 0
  }
  runs.push({ start, end, target })
  return runs
}

const isAscending = (runs: readonly Run[]): boolean =>
  runs.every(({ start }, index) => index === 0 || start >= (runs[index - 1]?.end ?? 0))

interface Read {
  readonly start: number
  end: number
  readonly runs: Run[]
}

/** In the order of the file, so that there are few whatever the order of the samples. */
function coalesce(runs: readonly Run[]): readonly Read[] {
  const reads: Read[] = []
  for (const run of isAscending(runs) ? runs : runs.toSorted((a, b) => a.start - b.start)) {
    const read = reads.at(-1)
    const isNear =
      read !== undefined &&
      run.start - read.end <= maxGapBytes &&
      run.end - read.start <= Math.max(maxReadBytes, run.end - run.start)
    if (isNear) {
      read.end = Math.max(read.end, run.end)
      read.runs.push(run)
    } else reads.push({ start: run.start, end: run.end, runs: [run] })
  }
  return reads
}

/**
 * One read, and no second buffer: the samples move together over what lies between them, and the
 * header goes over the bytes before them, which are read for that.
 */
async function readInPlace(source: BlobBytes, header: Uint8Array, read: Read) {
  const room = Math.min(read.start, header.length)
  const bytes = await source.slice(read.start - room, read.end).bytes()
  const target =
    room === header.length ? bytes : new Uint8Array(header.length + read.end - read.start)
  const shift = read.start - room
  let length = header.length
  for (const { start, end } of read.runs) {
    if (target !== bytes) target.set(bytes.subarray(start - shift, end - shift), length)
    else if (length !== start - shift) bytes.copyWithin(length, start - shift, end - shift)
    length += end - start
  }
  target.set(header)
  return target.subarray(0, length)
}

async function readApart(source: BlobBytes, reads: readonly Read[], payloadBytes: number) {
  const payload = new Uint8Array(payloadBytes)
  for (const read of reads) {
    const bytes = await source.slice(read.start, read.end).bytes()
    for (const { start, end, target } of read.runs)
      payload.set(bytes.subarray(start - read.start, end - read.start), target)
  }
  return payload
}
