import { setImmediate } from 'node:timers/promises'

import type { BlobBytes } from '../../../ports/content/blob-store.ts'
import { type ByteSource, createByteSource, refuse } from '../mp4/byte-source.ts'
import {
  channelsOf,
  describeAudio,
  describeVideo,
  videoRangeOf,
  type CodecFacts,
} from '../mp4/codecs.ts'
import { findKeySamples } from '../mp4/key-samples.ts'
import { plainSoundEntry } from '../mp4/quicktime-sound.ts'
import { readMovie, type SourceTrack } from '../mp4/movie.ts'
import type { SampleTables } from '../mp4/sample-tables.ts'
import {
  endOf,
  type AudioTrack,
  type Samples,
  type StreamIndex,
  type VideoTrack,
} from './stream-index.ts'
import { viewOf } from '../mp4/boxes.ts'

const maxOffset = 2 ** 31 - 1
const maxSeconds = 24 * 60 * 60
const maxAudioTracks = 16

/**
 * Reads an MP4 into what packaging needs. Throws `UnstreamableMediaError` with the reason where the
 * file is broken, hostile, or of a kind that cannot be streamed as it is.
 */
export async function indexMedia(blob: BlobBytes): Promise<StreamIndex> {
  const source = createByteSource(blob)
  const tracks = (await readMovie(source)).filter(({ tables }) => tables.count > 0)
  const video = await pickVideo(source, tracks)
  await setImmediate()
  const audio = pickAudio(tracks)
  if (video === undefined && audio.length === 0) refuse('The file has neither pictures nor sound')
  for (const track of video === undefined ? audio : [video, ...audio]) checkDuration(endOf(track))
  return { video, audio }
}

function checkDuration(seconds: number): void {
  if (!(seconds > 0)) refuse('A track of the file has no duration')
  if (seconds > maxSeconds) refuse('A track of the file is longer than a day')
}

/** The first track of a supported format. A lone frame in any other format is a cover. */
async function pickVideo(
  source: ByteSource,
  tracks: readonly SourceTrack[],
): Promise<VideoTrack | undefined> {
  const videoTracks = tracks.filter(({ handler }) => handler === 'vide')
  for (const track of videoTracks) {
    if (track.sampleEntry.length < 86) refuse('The sample description is too short')
    const facts = describeVideo(track.sampleEntry)
    if (facts !== undefined) return videoTrack(source, track, facts)
  }
  const video = videoTracks.find(({ tables }) => tables.count > 1)
  return video && refuse(`Pictures in the format "${formatOf(video)}" cannot be streamed`)
}

async function videoTrack(
  source: ByteSource,
  track: SourceTrack,
  { codec, nalUnits }: CodecFacts,
): Promise<VideoTrack> {
  const keys = await findKeySamples(source, track.tables, nalUnits)
  const [first] = keys
  if (first === undefined) refuse('The pictures have no key frame at which playing could start')
  const size = displaySize(track)
  return {
    kind: 'video',
    codec,
    timescale: track.timescale,
    language: track.language,
    sampleEntry: track.sampleEntry,
    ...size,
    matrix: track.matrix,
    range: videoRangeOf(track.sampleEntry),
    ...timeline(track, { first: first ?? 0, keys }),
  }
}

/** A quarter turn in the matrix exchanges width and height. */
function displaySize({ width, height, matrix, sampleEntry }: SourceTrack) {
  const entry = viewOf(sampleEntry)
  const across = width || entry.getUint16(32)
  const down = height || entry.getUint16(34)
  const isTurned = viewOf(matrix).getInt32(0) === 0 && viewOf(matrix).getInt32(4) !== 0
  return isTurned ? { width: down, height: across } : { width: across, height: down }
}

function pickAudio(tracks: readonly SourceTrack[]): readonly AudioTrack[] {
  const sounds = tracks.filter(({ handler }) => handler === 'soun')
  if (sounds.length > maxAudioTracks)
    refuse(`The file has more than ${maxAudioTracks} sound tracks`)
  const audio = sounds.flatMap((track) => audioTrack(track) ?? [])
  const [unsupported] = sounds
  if (unsupported !== undefined && audio.length === 0)
    refuse(`Sound in the format "${formatOf(unsupported)}" cannot be streamed`)
  return audio
}

function audioTrack(track: SourceTrack): AudioTrack | undefined {
  if (track.sampleEntry.length < 36) refuse('The sample description is too short')
  const sampleEntry = plainSoundEntry(track.sampleEntry)
  const facts = describeAudio(sampleEntry)
  return (
    facts && {
      kind: 'audio',
      codec: facts.codec,
      timescale: track.timescale,
      language: track.language,
      sampleEntry,
      channels: facts.channels ?? channelsOf(sampleEntry),
      ...timeline(track, { first: 0, keys: undefined }),
    }
  )
}

const formatOf = ({ sampleEntry }: SourceTrack): string =>
  Buffer.from(sampleEntry.subarray(4, 8))
    .toString('latin1')
    .replaceAll(/[^\w -]/gu, '?')

interface Cut {
  /** Samples before this one cannot be decoded. */
  readonly first: number
  readonly keys: Uint32Array | undefined
}

/**
 * Brings the samples to the movie's timeline. What an edit list cuts off behind is dropped, a delay is
 * added to the times; what it cuts off in front (the reorder delay of frames, the priming of sound)
 * stays an edit list, which players apply. Negative composition offsets become an edit list too: players
 * built on FFmpeg show frames late that have them.
 */
function timeline(
  { tables, edit }: SourceTrack,
  { first, keys }: Cut,
): { readonly editStart: number; readonly samples: Samples } {
  const end = presentedEnd(tables, edit.mediaEnd)
  if (end <= first) refuse('The edit list presents nothing of its track')
  const offsets = tables.compositionOffsets?.slice(first, end)
  const shift = -(offsets?.reduce((least, offset) => Math.min(least, offset), 0) ?? 0)
  return {
    editStart: edit.mediaStart + shift,
    samples: {
      count: end - first,
      offsets: tables.offsets.slice(first, end),
      sizes: tables.sizes.slice(first, end),
      decodeTimes: tables.decodeTimes.slice(first, end + 1).map((time) => time + edit.delay),
      compositionOffsets: offsets && raised(offsets, shift),
      keySamples: keys?.filter((key) => key < end).map((key) => key - first),
    },
  }
}

function raised(offsets: Int32Array, shift: number): Int32Array | undefined {
  if (offsets.some((offset) => offset + shift > maxOffset))
    refuse('The pictures are shown too long after they are decoded')
  const raisedOffsets = offsets.map((offset) => offset + shift)
  return raisedOffsets.some((offset) => offset !== 0) ? raisedOffsets : undefined
}

/** A player that ignores the end of an edit list must find nothing after it. */
function presentedEnd(tables: SampleTables, mediaEnd: number): number {
  let end = tables.count
  while (end > 0 && compositionTime(tables, end - 1) >= mediaEnd) end -= 1
  return end
}

const compositionTime = (tables: SampleTables, sample: number): number =>
  (tables.decodeTimes[sample] ?? 0) + (tables.compositionOffsets?.[sample] ?? 0)
