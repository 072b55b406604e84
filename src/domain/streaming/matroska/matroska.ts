import { type ByteSource, refuse } from '../mp4/byte-source.ts'
import { type Block, blocksIn, clusterId } from './clusters.ts'
import {
  childOf,
  type Element,
  elementAt,
  elementsIn,
  floatIn,
  type HeldElement,
  numberIn,
} from './ebml.ts'
import { type MatroskaTrack, videoTrackOf } from './track.ts'

/** What is known of a Matroska or WebM file before any of its frames is read. */
export interface MatroskaFile {
  readonly track: MatroskaTrack
  /** Seconds of one unit of time. */
  readonly unitSeconds: number
  /** 0 where the file does not say. */
  readonly durationSeconds: number
  readonly firstCluster: number
  /** Where the segment ends. */
  readonly end: number
  /** Where clusters with key frames begin, in the order of time; none where the file has no list. */
  readonly cues: readonly Cue[]
}

export interface Cue {
  /** In units of time. */
  readonly time: number
  readonly cluster: number
}

// RFC 9559 §5.1
const ebmlHeader = 0x1a45dfa3
const segmentId = 0x18538067
const seekHead = 0x114d9b74
const seek = 0x4dbb
const seekId = 0x53ab
const seekPosition = 0x53ac
const info = 0x1549a966
const timestampScale = 0x2ad7b1
const duration = 0x4489
const tracks = 0x1654ae6b
const cuesId = 0x1c53bb6b
const cuePoint = 0xbb
const cueTime = 0xb3
const cuePositions = 0xb7
const cueTrack = 0xf7
const cueCluster = 0xf1

const usualScale = 1_000_000
const nanosecondsPerSecond = 1e9
const maxHeadBytes = 4 * 2 ** 20
const maxCueBytes = 16 * 2 ** 20
const maxTopElements = 4096

export const looksLikeMatroska = (bytes: Uint8Array): boolean =>
  bytes.length >= 4 && numberIn(bytes.subarray(0, 4)) === ebmlHeader

/**
 * Reads everything but frames; `undefined` where it has no images in a format that is known. Throws
 * `UnstreamableMediaError` where it is no such file, or broken.
 */
export async function readMatroska(source: ByteSource): Promise<MatroskaFile | undefined> {
  const segment = await segmentOf(source)
  const end = Math.min(segment.end, source.sizeBytes)
  const head = await readHead(source, segment.dataStart, end)
  if (head.tracks === undefined) return refuse('The file has no tracks')
  if (head.firstCluster === undefined) return refuse('The file has no frames')
  const track = videoTrackOf(head.tracks)
  if (track === undefined) return undefined
  const facts = elementsIn(head.info ?? new Uint8Array())
  const scale = numberIn(childOf(facts, timestampScale) ?? new Uint8Array()) || usualScale
  const unitSeconds = scale / nanosecondsPerSecond
  const cues =
    head.cues ?? (await readCuesAt(source, { head: head.seekHead, base: segment.dataStart, end }))
  return {
    track,
    unitSeconds,
    durationSeconds: finite(floatIn(childOf(facts, duration) ?? new Uint8Array()) * unitSeconds),
    firstCluster: head.firstCluster,
    end,
    cues: cuesOf(cues, { track: track.number, base: segment.dataStart }),
  }
}

/** The first key frame at or after where a cue leads. */
export async function keyBlockAt(
  source: ByteSource,
  { track, end }: MatroskaFile,
  { cluster, time }: Cue,
): Promise<Block | undefined> {
  for await (const block of blocksIn(source, { from: cluster, to: end, track: track.number }))
    if (block.isKey && block.time >= time) return block
  return undefined
}

const finite = (seconds: number): number => (Number.isFinite(seconds) && seconds > 0 ? seconds : 0)

async function segmentOf(source: ByteSource): Promise<Element> {
  const header = await elementAt(source, 0)
  if (header?.id !== ebmlHeader) return refuse('The file is not a WebM')
  const segment = await elementAt(source, header.end)
  if (segment?.id !== segmentId) return refuse('The file has no segment: it is cut off')
  return segment
}

interface Head {
  readonly seekHead: Uint8Array | undefined
  readonly info: Uint8Array | undefined
  readonly tracks: Uint8Array | undefined
  readonly cues: Uint8Array | undefined
  readonly firstCluster: number | undefined
}

/** Up to the first cluster, which comes after all that is needed to read it. */
async function readHead(source: ByteSource, from: number, to: number): Promise<Head> {
  const dataById = new Map<number, Uint8Array>()
  let firstCluster: number | undefined
  let offset = from
  for (let count = 0; offset < to && count < maxTopElements; count += 1) {
    const element = await elementAt(source, offset)
    if (element === undefined) break
    if (element.id === clusterId) {
      firstCluster = element.start
      break
    }
    if (element.end > to) break
    if (wantedIds.has(element.id) && !dataById.has(element.id))
      dataById.set(element.id, await dataOf(source, element))
    offset = element.end
  }
  return {
    firstCluster,
    seekHead: dataById.get(seekHead),
    info: dataById.get(info),
    tracks: dataById.get(tracks),
    cues: dataById.get(cuesId),
  }
}

const wantedIds: ReadonlySet<number> = new Set([seekHead, info, tracks, cuesId])

async function dataOf(source: ByteSource, { id, dataStart, end }: Element): Promise<Uint8Array> {
  const most = id === cuesId ? maxCueBytes : maxHeadBytes
  if (end - dataStart > most) return refuse('The head of the file is too large')
  return (await source.read(dataStart, end - dataStart)).slice()
}

interface Place {
  readonly head: Uint8Array | undefined
  readonly base: number
  readonly end: number
}

/** The list of key frames mostly lies at the end; the seek head says where. */
async function readCuesAt(source: ByteSource, { head, base, end }: Place): Promise<Uint8Array> {
  const nothing = new Uint8Array()
  const entry = elementsIn(head ?? nothing)
    .filter(({ id }) => id === seek)
    .map(({ data }) => elementsIn(data))
    .find((children) => numberIn(childOf(children, seekId) ?? nothing) === cuesId)
  const position = entry && childOf(entry, seekPosition)
  if (position === undefined) return nothing
  const element = await elementAt(source, Math.min(base + numberIn(position), source.sizeBytes))
  if (element?.id !== cuesId || element.end > end) return nothing
  return await dataOf(source, element)
}

function cuesOf(
  bytes: Uint8Array,
  { track, base }: { readonly track: number; readonly base: number },
): readonly Cue[] {
  return elementsIn(bytes)
    .filter(({ id }) => id === cuePoint)
    .flatMap(({ data }) => cueOf(elementsIn(data), track))
    .map(({ time, cluster }) => ({ time, cluster: base + cluster }))
    .toSorted((a, b) => a.time - b.time)
}

function cueOf(point: readonly HeldElement[], track: number): readonly Cue[] {
  const time = childOf(point, cueTime)
  const positions = point
    .filter(({ id }) => id === cuePositions)
    .map(({ data }) => elementsIn(data))
    .find((each) => numberIn(childOf(each, cueTrack) ?? new Uint8Array()) === track)
  const cluster = positions && childOf(positions, cueCluster)
  if (time === undefined || cluster === undefined) return []
  return [{ time: numberIn(time), cluster: numberIn(cluster) }]
}
