import { type Box, boxesIn, find, fourCharacters, viewOf } from '../mp4/boxes.ts'
import { type ByteSource, refuse } from '../mp4/byte-source.ts'
import { readMovieBoxes, readTracks, type SourceTrack } from '../mp4/movie.ts'
import { fragmentSamples, type PlacedSample } from './fragment-samples.ts'
import type { FrameCodec, FrameFormat, KeyFrames } from './frame-format.ts'

interface Coding {
  readonly codec: FrameCodec
  /** The box that configures the decoder, where it needs one. */
  readonly box?: string
}

const codingByType: Readonly<Record<string, Coding>> = {
  avc1: { codec: 'h264', box: 'avcC' },
  avc3: { codec: 'h264', box: 'avcC' },
  hvc1: { codec: 'hevc', box: 'hvcC' },
  hev1: { codec: 'hevc', box: 'hvcC' },
  av01: { codec: 'av1', box: 'av1C' },
  vp08: { codec: 'vp8' },
  vp09: { codec: 'vp9' },
  jpeg: { codec: 'jpeg' },
  mjpa: { codec: 'jpeg' },
}

/** Where the boxes begin within a sample entry (ISO/IEC 14496-12 §12.1.3), its own header counted. */
const entryBytes = 86
const maxKeyFrames = 100_000

/**
 * Of a movie in fragments (ISO/IEC 14496-12 §8.8) too. Throws `UnstreamableMediaError` where the file has no
 * key frame, or is broken.
 */
export async function mp4KeyFrames(source: ByteSource): Promise<KeyFrames | undefined> {
  const moov = await readMovieBoxes(source)
  const isFragmented = find(moov, 'mvex') !== undefined
  const tracks = await readTracks(source, moov, imagesAlone)
  const track = tracks.find(
    (each) => codingOf(each) !== undefined && (isFragmented || each.tables.count > 0),
  )
  const coding = track && codingOf(track)
  if (track === undefined || coding === undefined) return undefined
  const own = track.tables.count > 0 ? listedIn(track) : { keys: [], end: 0 }
  const { keys, end } = isFragmented ? await withFragments(source, { moov, track, own }) : own
  if (keys.length === 0) refuse('The pictures have no key frame')
  const toSeconds = (time: number) =>
    Math.max(0, (time - track.edit.mediaStart + track.edit.delay) / track.timescale)
  const inOrder = keys.toSorted((a, b) => a.shownAt - b.shownAt)
  const at = (place: number) => inOrder[place] ?? { offset: 0, sizeBytes: 0 }
  return {
    format: formatOf(track, coding),
    seconds: inOrder.map(({ shownAt }) => toSeconds(shownAt)),
    durationSeconds: Math.max(
      toSeconds(Math.min(end, track.edit.mediaEnd)),
      toSeconds(inOrder.at(-1)?.shownAt ?? 0),
    ),
    sizeOf: async (place) => at(place).sizeBytes,
    async read(place) {
      const { offset, sizeBytes } = at(place)
      return new Uint8Array(await source.read(offset, sizeBytes))
    },
  }
}

type KeySample = Pick<PlacedSample, 'offset' | 'sizeBytes' | 'shownAt'>

interface Listed {
  readonly keys: readonly KeySample[]
  /** When the last sample ends, in units of the track. */
  readonly end: number
}

/** What is presented ends as much later than it is decoded as it begins. */
function listedIn({ tables }: SourceTrack): Listed {
  const marked = tables.syncSamples ?? Uint32Array.from({ length: tables.count }, (_, i) => i)
  const keys = [...marked.subarray(0, maxKeyFrames)].map((sample) => ({
    offset: tables.offsets[sample] ?? 0,
    sizeBytes: tables.sizes[sample] ?? 0,
    shownAt: (tables.decodeTimes[sample] ?? 0) + (tables.compositionOffsets?.[sample] ?? 0),
  }))
  const end = (tables.decodeTimes[tables.count] ?? 0) + (tables.compositionOffsets?.[0] ?? 0)
  return { keys, end }
}

interface Fragmented {
  readonly moov: readonly Box[]
  readonly track: SourceTrack
  /** What the movie box itself lists. */
  readonly own: Listed
}

async function withFragments(
  source: ByteSource,
  { moov, track, own }: Fragmented,
): Promise<Listed> {
  const keys = [...own.keys]
  let { end } = own
  for await (const sample of fragmentSamples(source, moov, track.id)) {
    end = Math.max(end, sample.endsAt)
    if (sample.isKey) keys.push(sample)
    if (keys.length >= maxKeyFrames) break
  }
  return { keys, end }
}

const imagesAlone: ReadonlySet<string> = new Set(['vide'])

function codingOf({ sampleEntry }: SourceTrack): Coding | undefined {
  const type = fourCharacters(sampleEntry, 4)
  return sampleEntry.length >= entryBytes && Object.hasOwn(codingByType, type)
    ? codingByType[type]
    : undefined
}

function formatOf({ sampleEntry, matrix }: SourceTrack, { codec, box }: Coding): FrameFormat {
  const boxes = boxesIn(sampleEntry.subarray(entryBytes))
  const configuration = box === undefined ? new Uint8Array() : find(boxes, box)?.payload
  if (configuration === undefined) return refuse(`The ${box} box is missing`)
  const colour = find(boxes, 'colr')?.payload
  const entry = viewOf(sampleEntry)
  return {
    codec,
    configuration,
    width: entry.getUint16(32),
    height: entry.getUint16(34),
    rotation: rotationOf(matrix),
    colour:
      colour && colour.length >= 11 && fourCharacters(colour, 0) === 'nclx' ? colour : undefined,
  }
}

/** Cameras turn by quarters; what is turned otherwise is shown as it is coded (ISO/IEC 14496-12 §8.3.2). */
function rotationOf(matrix: Uint8Array): FrameFormat['rotation'] {
  const view = viewOf(matrix)
  const [a, b] = [view.getInt32(0), view.getInt32(4)]
  if (a === 0 && b !== 0) return b > 0 ? 90 : 270
  return a < 0 && b === 0 && view.getInt32(16) < 0 ? 180 : 0
}
