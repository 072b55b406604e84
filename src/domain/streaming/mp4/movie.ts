import { setImmediate } from 'node:timers/promises'

import { type Box, boxesIn, fileBoxes, find, fourCharacters, need, viewOf } from './boxes.ts'
import { type ByteSource, refuse } from './byte-source.ts'
import { readEdit, type Edit } from './edit-list.ts'
import { readSampleTables, type SampleTables } from './sample-tables.ts'

/** A track as its file describes it, before it is prepared for streaming. */
export interface SourceTrack {
  /** By which fragments name it. */
  readonly id: number
  /** `vide`, `soun` or whatever else the handler box says. */
  readonly handler: string
  /** As displayed before rotation, whole pixels; 0 for sound. */
  readonly width: number
  readonly height: number
  readonly matrix: Uint8Array
  readonly timescale: number
  readonly language: string
  readonly edit: Edit
  readonly sampleEntry: Uint8Array
  readonly tables: SampleTables
}

const maxMovieBytes = 32 * 2 ** 20
/** Offsets in what is written have 32 bits. */
const maxSourceBytes = 2 ** 32 - 1
const maxTracks = 32
/**
 * Of all tracks together: more than an hour of 25 frames and 47 frames of sound a second. Each costs
 * 28 bytes of memory for as long as its video is played.
 */
const maxSamples = 300_000

/** Reads the `moov` box, wherever in the file it is, and nothing of the samples. */
export async function readMovie(
  source: ByteSource,
  handlers: ReadonlySet<string> = playedHandlers,
): Promise<readonly SourceTrack[]> {
  const moov = await readMovieBoxes(source)
  if (find(moov, 'mvex')) refuse('The file is already fragmented: store a plain MP4')
  return await readTracks(source, moov, handlers)
}

/** What the `moov` box holds. */
export async function readMovieBoxes(source: ByteSource): Promise<readonly Box[]> {
  if (source.sizeBytes > maxSourceBytes) refuse('The file is over 4 GiB')
  return boxesIn(await readMovieBox(source))
}

/** Of a movie in fragments the tracks have few samples, or none: most are with the fragments. */
export async function readTracks(
  source: ByteSource,
  moov: readonly Box[],
  handlers: ReadonlySet<string>,
): Promise<readonly SourceTrack[]> {
  const movieTimescale = timescaleOf(need(moov, 'mvhd'), 'mvhd')
  const traks = moov.filter(({ type }) => type === 'trak')
  if (traks.length > maxTracks) refuse(`The file has more than ${maxTracks} tracks`)
  let samplesLeft = maxSamples
  let bytesLeft = source.sizeBytes
  const tracks: SourceTrack[] = []
  for (const trak of traks.map(({ payload }) => boxesIn(payload))) {
    if (!isPlayed(trak, handlers)) continue
    tracks.push(readTrack(trak))
    await setImmediate()
  }
  return tracks

  function readTrack(trak: readonly Box[]): SourceTrack {
    const mdia = boxesIn(need(trak, 'mdia'))
    const stbl = boxesIn(need(boxesIn(need(mdia, 'minf')), 'stbl'))
    const mdhd = need(mdia, 'mdhd')
    const timescale = timescaleOf(mdhd, 'mdhd')
    const tables = readSampleTables(stbl, {
      fileSizeBytes: source.sizeBytes,
      samples: samplesLeft,
      sampleBytes: bytesLeft,
    })
    samplesLeft -= tables.count
    bytesLeft -= tables.totalBytes
    return {
      handler: handlerOf(mdia),
      ...geometryOf(need(trak, 'tkhd')),
      timescale,
      language: languageOf(mdhd),
      edit: readEdit(trak, { movie: movieTimescale, media: timescale }),
      sampleEntry: sampleEntryOf(need(stbl, 'stsd', 8), tables.descriptionIndex),
      tables,
    }
  }
}

/** Chapter titles, time codes and hints are tracks too; nothing of them is read. */
const playedHandlers: ReadonlySet<string> = new Set(['vide', 'soun'])

function isPlayed(trak: readonly Box[], handlers: ReadonlySet<string>): boolean {
  const mdia = find(trak, 'mdia')
  return mdia !== undefined && handlers.has(handlerOf(boxesIn(mdia.payload)))
}

const handlerOf = (mdia: readonly Box[]): string => fourCharacters(need(mdia, 'hdlr', 12), 8)

async function readMovieBox(source: ByteSource): Promise<Uint8Array> {
  const start = source.sizeBytes < 8 ? undefined : await source.read(0, 8)
  if (start === undefined || !firstTypes.has(fourCharacters(start, 4)))
    refuse('The file is not an MP4')
  for await (const { type, payloadStart, end } of fileBoxes(source)) {
    if (type !== 'moov') continue
    if (end - payloadStart > maxMovieBytes) refuse('The moov box is over 32 MiB')
    // A copy: the source's window moves on.
    return (await source.read(payloadStart, end - payloadStart)).slice()
  }
  return refuse('The file has no moov box: it is cut off')
}

const firstTypes: ReadonlySet<string> = new Set([
  'ftyp',
  'moov',
  'mdat',
  'free',
  'skip',
  'wide',
  'pnot',
  'styp',
  'uuid',
])

/** `mvhd` and `mdhd` begin alike: version, two dates of 4 or 8 bytes, then the timescale. */
function timescaleOf(payload: Uint8Array, name: string): number {
  const offset = datesEnd(payload)
  if (payload.length < offset + 12) refuse(`The ${name} box is too short`)
  const timescale = viewOf(payload).getUint32(offset)
  return timescale === 0 ? refuse(`The ${name} box has a timescale of zero`) : timescale
}

const isLong = (payload: Uint8Array): boolean => payload[0] === 1
const datesEnd = (payload: Uint8Array): number => 4 + (isLong(payload) ? 16 : 8)

/** ISO 639-2, three letters in five bits each, as the shortest tag of BCP 47. */
function languageOf(mdhd: Uint8Array): string {
  const offset = datesEnd(mdhd) + 4 + (isLong(mdhd) ? 8 : 4)
  if (offset + 2 > mdhd.length) refuse('The mdhd box is too short')
  const packed = viewOf(mdhd).getUint16(offset)
  const letters = [10, 5, 0].map((shift) => 0x60 + ((packed >> shift) & 0x1f))
  const code = String.fromCharCode(...letters)
  return /^[a-z]{3}$/u.test(code) ? (Intl.getCanonicalLocales(code)[0] ?? 'und') : 'und'
}

function geometryOf(tkhd: Uint8Array): Pick<SourceTrack, 'id' | 'width' | 'height' | 'matrix'> {
  const offset = datesEnd(tkhd) + (isLong(tkhd) ? 16 : 12) + 16
  if (tkhd.length < offset + 44) refuse('The tkhd box is too short')
  const view = viewOf(tkhd)
  return {
    id: view.getUint32(datesEnd(tkhd)),
    matrix: tkhd.slice(offset, offset + 36),
    width: Math.round(view.getUint32(offset + 36) / 0x10000),
    height: Math.round(view.getUint32(offset + 40) / 0x10000),
  }
}

function sampleEntryOf(stsd: Uint8Array, index: number): Uint8Array {
  const entry = boxesIn(stsd.subarray(8))[index - 1]
  if (entry === undefined) return refuse('The stsd box has no description of the samples')
  if (entry.payload.length < 28) refuse('The sample description is too short')
  return entry.whole.slice()
}
