import { type Box, find, need, unsigned64, viewOf } from './boxes.ts'
import { refuse } from './byte-source.ts'

/** The samples of a track in decode order, as the `stbl` box tells them. Times in media units. */
export interface SampleTables {
  readonly count: number
  readonly offsets: Float64Array
  readonly sizes: Uint32Array
  /** One more than there are samples: the last is where the last sample ends. */
  readonly decodeTimes: Float64Array
  /** Composition time minus decode time; absent where they are the same throughout. */
  readonly compositionOffsets: Int32Array | undefined
  /** The numbers of the sync samples, from 0, ascending; absent where all are. */
  readonly syncSamples: Uint32Array | undefined
  /** Which entry of `stsd` they all use, from 1. */
  readonly descriptionIndex: number
  /** The sum of the sizes. */
  readonly totalBytes: number
}

/** What the file can hold at most: bounds time and memory, whatever its tables claim. */
export interface SampleLimits {
  readonly fileSizeBytes: number
  readonly samples: number
  /** Samples that share bytes would let a small file become a stream of any size. */
  readonly sampleBytes: number
}

const fullBoxBytes = 4

export function readSampleTables(stbl: readonly Box[], limits: SampleLimits): SampleTables {
  const sizes = readSizes(stbl, limits.samples)
  const totalBytes = sizes.reduce((sum, size) => sum + size, 0)
  if (totalBytes > limits.sampleBytes) refuse('The file is cut off, or its samples overlap')
  const { offsets, descriptionIndex } = readOffsets(stbl, sizes)
  checkExtent(offsets, sizes, limits.fileSizeBytes)
  return {
    totalBytes,
    count: sizes.length,
    offsets,
    sizes,
    decodeTimes: readDecodeTimes(stbl, sizes.length),
    compositionOffsets: readCompositionOffsets(stbl, sizes.length),
    syncSamples: readSyncSamples(stbl, sizes.length),
    descriptionIndex,
  }
}

function readSizes(stbl: readonly Box[], maxSamples: number): Uint32Array {
  const payload = find(stbl, 'stsz')?.payload ?? refuse('The stsz box is missing')
  if (payload.length < 12) refuse('The stsz box is too short')
  const view = viewOf(payload)
  const uniform = view.getUint32(4)
  const count = view.getUint32(8)
  if (count > maxSamples) refuse('The file has too many samples')
  if (uniform !== 0) return new Uint32Array(count).fill(uniform)
  if (12 + count * 4 > payload.length) refuse('The stsz box is shorter than its count of samples')
  const sizes = new Uint32Array(count)
  for (let index = 0; index < count; index += 1) sizes[index] = view.getUint32(12 + index * 4)
  return sizes
}

interface Table {
  readonly name: string
  readonly columns: number
  /** More would say nothing of any sample. */
  readonly maxRows: number
}

/** Rows of `columns` 32-bit numbers behind a count, which must fit the box it is in. */
interface Rows {
  readonly count: number
  at(row: number, column?: number): number
}

function readRows(payload: Uint8Array, { name, columns, maxRows }: Table): Rows {
  if (payload.length < fullBoxBytes + 4) refuse(`The ${name} box is too short`)
  const view = viewOf(payload)
  const count = view.getUint32(fullBoxBytes)
  const start = fullBoxBytes + 4
  if (start + count * columns * 4 > payload.length)
    refuse(`The ${name} box is shorter than its count of entries`)
  if (count > maxRows) refuse(`The ${name} box has more entries than its track has samples`)
  return { count, at: (row, column = 0) => view.getUint32(start + (row * columns + column) * 4) }
}

function readDecodeTimes(stbl: readonly Box[], count: number): Float64Array {
  const rows = readRows(need(stbl, 'stts'), { name: 'stts', columns: 2, maxRows: count + 1 })
  const times = new Float64Array(count + 1)
  let sample = 0
  for (let row = 0; row < rows.count && sample < count; row += 1) {
    const duration = rows.at(row, 1)
    const end = Math.min(count, sample + rows.at(row))
    for (; sample < end; sample += 1) times[sample + 1] = (times[sample] ?? 0) + duration
  }
  if (sample < count) refuse('The stts box tells the duration of too few samples')
  return times
}

function readCompositionOffsets(stbl: readonly Box[], count: number): Int32Array | undefined {
  const payload = find(stbl, 'ctts')?.payload
  if (payload === undefined) return undefined
  const rows = readRows(payload, { name: 'ctts', columns: 2, maxRows: count + 1 })
  const offsets = new Int32Array(count)
  let sample = 0
  for (let row = 0; row < rows.count && sample < count; row += 1) {
    const end = Math.min(count, sample + rows.at(row))
    // Version 0 calls them unsigned, yet writers use it for negative ones too.
    offsets.fill(rows.at(row, 1), sample, end)
    sample = end
  }
  return offsets.some((offset) => offset !== 0) ? offsets : undefined
}

function readSyncSamples(stbl: readonly Box[], count: number): Uint32Array | undefined {
  const payload = find(stbl, 'stss')?.payload
  if (payload === undefined) return undefined
  const rows = readRows(payload, { name: 'stss', columns: 1, maxRows: count })
  const samples = new Uint32Array(Math.min(rows.count, count))
  for (let row = 0; row < samples.length; row += 1) {
    const sample = rows.at(row) - 1
    const isAscending = sample > (row === 0 ? -1 : (samples[row - 1] ?? 0))
    if (!isAscending || sample >= count) refuse('The stss box is not a list of samples in order')
    samples[row] = sample
  }
  return samples
}

function readOffsets(
  stbl: readonly Box[],
  sizes: Uint32Array,
): { readonly offsets: Float64Array; readonly descriptionIndex: number } {
  const maxRows = sizes.length + 1
  const chunkOffsets = readChunkOffsets(stbl, maxRows)
  const runs = readRows(need(stbl, 'stsc'), { name: 'stsc', columns: 3, maxRows })
  const offsets = new Float64Array(sizes.length)
  let sample = 0
  for (let row = 0; row < runs.count && sample < sizes.length; row += 1) {
    const [first, next] = chunkSpan(runs, row, chunkOffsets.length)
    if (runs.at(row, 2) !== runs.at(0, 2))
      refuse('A track that changes its sample description is not supported')
    for (let chunk = first; chunk < next && sample < sizes.length; chunk += 1)
      sample = placeChunk(chunkOffsets[chunk] ?? 0, sample, runs.at(row, 1))
  }
  if (sample < sizes.length) refuse('The stsc and stco boxes place too few samples')
  return { offsets, descriptionIndex: runs.count === 0 ? 1 : runs.at(0, 2) }

  function placeChunk(chunkOffset: number, first: number, count: number): number {
    const end = Math.min(sizes.length, first + count)
    let offset = chunkOffset
    for (let index = first; index < end; index += 1) {
      offsets[index] = offset
      offset += sizes[index] ?? 0
    }
    return end
  }
}

/** The chunks of one `stsc` entry, from 0, up to where the next entry begins. */
function chunkSpan(runs: Rows, row: number, chunkCount: number): readonly [number, number] {
  const first = runs.at(row) - 1
  const next = row + 1 < runs.count ? runs.at(row + 1) - 1 : chunkCount
  const startsRight = row > 0 || first === 0
  if (!startsRight || next <= first || next > chunkCount || runs.at(row, 1) === 0)
    refuse('The stsc box does not fit the chunks of its track')
  return [first, next]
}

function readChunkOffsets(stbl: readonly Box[], maxRows: number): Float64Array {
  const long = find(stbl, 'co64')?.payload
  const rows = long
    ? readRows(long, { name: 'co64', columns: 2, maxRows })
    : readRows(need(stbl, 'stco'), { name: 'stco', columns: 1, maxRows })
  const view = long && viewOf(long)
  const offsets = new Float64Array(rows.count)
  for (let chunk = 0; chunk < rows.count; chunk += 1)
    offsets[chunk] = view ? unsigned64(view, fullBoxBytes + 4 + chunk * 8) : rows.at(chunk)
  return offsets
}

function checkExtent(offsets: Float64Array, sizes: Uint32Array, fileSizeBytes: number): void {
  for (let sample = 0; sample < sizes.length; sample += 1)
    if ((offsets[sample] ?? 0) + (sizes[sample] ?? 0) > fileSizeBytes)
      refuse(`The file is cut off: sample ${sample + 1} of a track lies beyond its end`)
}
