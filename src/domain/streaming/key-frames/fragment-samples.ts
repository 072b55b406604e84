import {
  type Box,
  boxesIn,
  fileBoxes,
  type FileBox,
  find,
  need,
  unsigned64,
  viewOf,
} from '../mp4/boxes.ts'
import { type ByteSource, refuse } from '../mp4/byte-source.ts'

/** Where a sample lies, and when it is shown; times are in units of its track. */
export interface PlacedSample {
  readonly offset: number
  readonly sizeBytes: number
  readonly decodedAt: number
  readonly shownAt: number
  readonly endsAt: number
  readonly isKey: boolean
}

interface Defaults {
  readonly duration: number
  readonly sizeBytes: number
  readonly flags: number
}

/** A `traf` box in its file. */
interface TrackFragment {
  readonly boxes: readonly Box[]
  readonly defaults: Defaults
  /** What offsets count from where nothing else is said. */
  readonly base: number
  /** When its first sample is decoded. */
  readonly start: number
}

/** Half a second each, of some fourteen hours. */
const maxFileBoxes = 200_000
const maxFragmentBytes = 4 * 2 ** 20
const maxSamples = 2_000_000
const isNotSync = 0x10000

/**
 * The samples of a track in the fragments of a movie (ISO/IEC 14496-12 §8.8), in the order of the file.
 * `moov` is what the movie box holds. Nothing but the fragments' own tables is read.
 */
export async function* fragmentSamples(
  source: ByteSource,
  moov: readonly Box[],
  track: number,
): AsyncGenerator<PlacedSample> {
  const defaults = defaultsIn(boxesIn(need(moov, 'mvex')), track)
  let time = 0
  let count = 0
  for await (const { boxes, base } of trackFragments(source, track)) {
    const start = decodeTimeOf(boxes) ?? time
    for (const sample of samplesOf({ boxes, base, start, defaults })) {
      count += 1
      if (count > maxSamples) refuse('The file has too many samples')
      time = sample.decodedAt + (sample.endsAt - sample.shownAt)
      yield sample
    }
  }
}

async function* trackFragments(source: ByteSource, track: number) {
  for await (const box of fileBoxes(source, maxFileBoxes))
    if (box.type === 'moof') yield* await trackFragmentsIn(source, box, track)
}

/** TrackExtendsBox (§8.8.3). */
function defaultsIn(mvex: readonly Box[], track: number): Defaults {
  const trex = mvex.find(
    ({ type, payload }) =>
      type === 'trex' && payload.length >= 24 && viewOf(payload).getUint32(4) === track,
  )
  if (trex === undefined) return { duration: 0, sizeBytes: 0, flags: 0 }
  const view = viewOf(trex.payload)
  return { duration: view.getUint32(12), sizeBytes: view.getUint32(16), flags: view.getUint32(20) }
}

async function trackFragmentsIn(source: ByteSource, moof: FileBox, track: number) {
  const { start, payloadStart, end } = moof
  if (end - payloadStart > maxFragmentBytes) refuse('A moof box is over 4 MiB')
  const bytes = (await source.read(payloadStart, end - payloadStart)).slice()
  return boxesIn(bytes)
    .filter(({ type }) => type === 'traf')
    .map(({ payload }) => boxesIn(payload))
    .filter((boxes) => viewOf(need(boxes, 'tfhd', 8)).getUint32(4) === track)
    .map((boxes) => ({ boxes, base: start }))
}

/** TrackFragmentBaseMediaDecodeTimeBox (§8.8.12). */
function decodeTimeOf(traf: readonly Box[]): number | undefined {
  const tfdt = find(traf, 'tfdt')?.payload
  if (tfdt === undefined) return undefined
  const isLong = tfdt[0] === 1
  if (tfdt.length < (isLong ? 12 : 8)) refuse('The tfdt box is too short')
  return isLong ? unsigned64(viewOf(tfdt), 4) : viewOf(tfdt).getUint32(4)
}

/** Numbers one after another, each where its bit is set among the flags of the box. */
function fieldsOf(name: string, payload: Uint8Array, from: number) {
  const view = viewOf(payload)
  const flags = view.getUint32(0) & 0xff_ffff
  let at = from
  const next = (bytes: 4 | 8): number => {
    if (at + bytes > payload.length) refuse(`The ${name} box is too short`)
    at += bytes
    return bytes === 8 ? unsigned64(view, at - 8) : view.getUint32(at - 4)
  }
  return {
    next: () => next(4),
    optional: (bit: number, bytes: 4 | 8 = 4) => ((flags & bit) === 0 ? undefined : next(bytes)),
  }
}

/** TrackFragmentHeaderBox (§8.8.7): what holds where a run says nothing else. */
function headerOf({ boxes, base, defaults }: Omit<TrackFragment, 'start'>) {
  const fields = fieldsOf('tfhd', need(boxes, 'tfhd', 8), 8)
  const named = fields.optional(0x1, 8)
  fields.optional(0x2)
  return {
    base: named ?? base,
    duration: fields.optional(0x8) ?? defaults.duration,
    sizeBytes: fields.optional(0x10) ?? defaults.sizeBytes,
    flags: fields.optional(0x20) ?? defaults.flags,
  }
}

/** TrackRunBox (§8.8.8); a run without a place of its own follows the one before. */
function* samplesOf(fragment: TrackFragment): Generator<PlacedSample> {
  const header = headerOf(fragment)
  const next = { at: header.base, decodedAt: fragment.start }
  for (const { type, payload } of fragment.boxes)
    if (type === 'trun')
      for (const sample of runSamples(payload, header, next)) {
        next.at = sample.offset + sample.sizeBytes
        next.decodedAt = sample.decodedAt + (sample.endsAt - sample.shownAt)
        yield sample
      }
}

function* runSamples(
  trun: Uint8Array,
  header: ReturnType<typeof headerOf>,
  next: { readonly at: number; readonly decodedAt: number },
): Generator<PlacedSample> {
  if (trun.length < 8) refuse('The trun box is too short')
  const fields = fieldsOf('trun', trun, 4)
  const count = fields.next()
  if (count > maxSamples) refuse('The trun box has too many samples')
  const named = fields.optional(0x1)
  const firstFlags = fields.optional(0x4)
  let { at, decodedAt } = next
  // It is signed, though no writer needs that.
  if (named !== undefined) at = header.base + (named | 0)
  if (at < 0) refuse('The trun box leads out of the file')
  for (let index = 0; index < count; index += 1) {
    const sample = nextSample(fields, header)
    const flags = (index === 0 ? firstFlags : undefined) ?? sample.flags
    const shownAt = decodedAt + sample.shift
    const { duration, sizeBytes } = sample
    const isKey = (flags & isNotSync) === 0
    yield { offset: at, sizeBytes, decodedAt, shownAt, endsAt: shownAt + duration, isKey }
    at += sizeBytes
    decodedAt += duration
  }
}

const nextSample = (fields: ReturnType<typeof fieldsOf>, header: ReturnType<typeof headerOf>) => ({
  duration: fields.optional(0x100) ?? header.duration,
  sizeBytes: fields.optional(0x200) ?? header.sizeBytes,
  flags: fields.optional(0x400) ?? header.flags,
  shift: (fields.optional(0x800) ?? 0) | 0,
})
