import { firstAtLeast, type SampleSpan } from './fragment.ts'
import {
  endOf,
  presentedAt,
  type AudioTrack,
  type Track,
  type VideoTrack,
} from '../index/stream-index.ts'

/** A segment of a track: its samples, and which part of the movie it shows, in seconds. */
export interface Segment extends SampleSpan {
  readonly start: number
  readonly duration: number
}

const targetSeconds = 6
/** One frame has slightly different times in files with different timescales. */
const toleranceSeconds = 0.002
/** Sound often ends a few frames after its video; that is no segment of its own. */
const shortestSeconds = 0.1
const iframeSpacingSeconds = 0.5
const maxIframes = 10_000

/**
 * When the segments of each video begin, in seconds, without the first: at key frames that all videos
 * have, so that a player can change between them at any segment. Videos whose key frames meet too
 * seldom are cut each for itself.
 */
export function cutTimes(videos: readonly VideoTrack[]): readonly (readonly number[])[] {
  const end = Math.max(...videos.map(endOf))
  const keys = videos.map(keyTimes)
  const own = keys.map((times) => everySixSeconds(times, end))
  const [first = [], ...others] = keys
  const shared = first.filter((time) => others.every((times) => has(times, time)))
  const common = everySixSeconds(shared, end)
  const bearable = Math.max(2 * targetSeconds, ...own.map((cuts) => longest(cuts, end)))
  return longest(common, end) <= bearable ? videos.map(() => common) : own
}

const keyTimes = (track: VideoTrack): readonly number[] =>
  Array.from(track.samples.keySamples ?? [], (sample) => presentedAt(track, sample))

function has(times: readonly number[], time: number): boolean {
  const found = times[firstAtLeast(times, time - toleranceSeconds)]
  return found !== undefined && found <= time + toleranceSeconds
}

/** Of `times`, which ascend, those that are nearest to six seconds after the one before. */
function everySixSeconds(times: readonly number[], end: number): readonly number[] {
  const cuts: number[] = []
  let previous = 0
  for (const [index, time] of times.entries()) {
    const next = times[index + 1] ?? end
    const ideal = previous + targetSeconds
    const isNearest = Math.abs(time - ideal) <= Math.abs(next - ideal)
    if (time - toleranceSeconds <= previous || !isNearest) continue
    cuts.push(time)
    previous = time
  }
  return cuts
}

const longest = (cuts: readonly number[], end: number): number =>
  [...cuts, end].reduce((most, cut, index) => Math.max(most, cut - (cuts[index - 1] ?? 0)), 0)

/** The first segment starts with the movie even where the track starts later, so that lists agree. */
export function videoSegments(track: VideoTrack, cuts: readonly number[]): readonly Segment[] {
  const keys = track.samples.keySamples ?? new Uint32Array()
  const times = keyTimes(track)
  const firsts = cuts.flatMap((cut) => keys[firstAtLeast(times, cut - toleranceSeconds)] ?? [])
  return segmentsFrom(track, firsts)
}

/** Cut where the video is, and every six seconds where there is none. */
export function audioSegments(track: AudioTrack, cuts: readonly number[]): readonly Segment[] {
  const { decodeTimes } = track.samples
  const all = [...cuts]
  const end = endOf(track)
  for (let cut = (cuts.at(-1) ?? 0) + targetSeconds; cut < end; cut += targetSeconds) all.push(cut)
  if (end - (all.at(-1) ?? 0) < shortestSeconds) all.pop()
  const firsts = all.map((cut) =>
    firstAtLeast(decodeTimes, Math.floor(cut * track.timescale) + track.editStart),
  )
  return segmentsFrom(track, firsts)
}

/** `firsts` ascend; one that would make an empty segment is passed over. */
function segmentsFrom(track: Track, firsts: readonly number[]): readonly Segment[] {
  const { count } = track.samples
  const starts = [0]
  for (const first of firsts) if (first > (starts.at(-1) ?? 0) && first < count) starts.push(first)
  const end = endOf(track)
  return starts.map((from, index) => {
    const to = starts[index + 1]
    const start = index === 0 ? 0 : presentedAt(track, from)
    const duration = (to === undefined ? end : presentedAt(track, to)) - start
    return { from, to: to ?? count, start, duration }
  })
}

/** Single key frames for fast forward and rewind; each lasts until the next. */
export function iframeSegments(track: VideoTrack): readonly Segment[] {
  const end = endOf(track)
  const kept = spacedKeys(track, end)
  const startOf = (sample: number) => Math.max(0, presentedAt(track, sample))
  return kept.map((from, index) => {
    const start = index === 0 ? 0 : startOf(from)
    const next = kept[index + 1]
    return {
      from,
      to: from + 1,
      start,
      duration: (next === undefined ? end : startOf(next)) - start,
    }
  })
}

/** Of the key frames before time 0, which are only decoded, the last stands for the start. */
function spacedKeys(track: VideoTrack, end: number): readonly number[] {
  const spacing = Math.max(iframeSpacingSeconds, end / maxIframes)
  const kept: number[] = []
  let previous = -Infinity
  for (const key of track.samples.keySamples ?? []) {
    const time = presentedAt(track, key)
    if (time <= 0) kept.length = 0
    const isLast = kept.length > 0 && end - time < spacing
    if (isLast || (kept.length > 0 && time - previous < spacing - toleranceSeconds)) continue
    kept.push(key)
    previous = Math.max(0, time)
  }
  return kept
}
