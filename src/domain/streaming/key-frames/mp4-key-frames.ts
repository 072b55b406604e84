import { boxesIn, find, fourCharacters, viewOf } from '../mp4/boxes.ts'
import { type ByteSource, refuse } from '../mp4/byte-source.ts'
import { readMovie, type SourceTrack } from '../mp4/movie.ts'
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

/** Throws `UnstreamableMediaError` where the file has no key frame, or is broken. */
export async function mp4KeyFrames(source: ByteSource): Promise<KeyFrames | undefined> {
  const tracks = (await readMovie(source, imagesAlone)).filter(({ tables }) => tables.count > 0)
  const track = tracks.find((each) => codingOf(each) !== undefined)
  const coding = track && codingOf(track)
  if (track === undefined || coding === undefined) return undefined
  const { tables, timescale, edit } = track
  const marked = tables.syncSamples ?? Uint32Array.from({ length: tables.count }, (_, i) => i)
  if (marked.length === 0) refuse('The pictures have no key frame')
  const shown = [...marked.subarray(0, maxKeyFrames)].map((sample) => {
    const shownAt = (tables.decodeTimes[sample] ?? 0) + (tables.compositionOffsets?.[sample] ?? 0)
    return { sample, seconds: Math.max(0, (shownAt - edit.mediaStart + edit.delay) / timescale) }
  })
  const inOrder = shown.toSorted((a, b) => a.seconds - b.seconds)
  const end = endOf(track) / timescale
  const sampleAt = (place: number) => inOrder[place]?.sample ?? 0
  return {
    format: formatOf(track, coding),
    seconds: inOrder.map(({ seconds }) => seconds),
    durationSeconds: Math.max(end, inOrder.at(-1)?.seconds ?? 0),
    sizeOf: async (place) => tables.sizes[sampleAt(place)] ?? 0,
    async read(place) {
      const sample = sampleAt(place)
      return new Uint8Array(
        await source.read(tables.offsets[sample] ?? 0, tables.sizes[sample] ?? 0),
      )
    },
  }
}

/** What is presented ends as much later than it is decoded as it begins. */
const endOf = ({ tables, edit }: SourceTrack): number =>
  Math.min(
    (tables.decodeTimes[tables.count] ?? 0) + (tables.compositionOffsets?.[0] ?? 0),
    edit.mediaEnd,
  ) -
  edit.mediaStart +
  edit.delay

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
