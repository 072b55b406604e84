import { durationOf, endOf, type VideoTrack } from './stream-index.ts'

/** Durations that differ by less are one duration, written in a timescale that does not divide it. */
const roundingShare = 0.1

/**
 * Frames a second: the mean where all last equally long, else as many as the densest second has
 * (FRAME-RATE is a maximum, RFC 8216 §4.3.4.2).
 */
export function frameRateOf(track: VideoTrack): number {
  const { samples, timescale } = track
  const durations = Array.from({ length: samples.count }, (_, sample) =>
    durationOf(samples, sample),
  )
  // The last one may be anything: some writers do not know it.
  const regular = durations.length > 1 ? durations.slice(0, -1) : durations
  let least = Infinity
  let most = 0
  for (const duration of regular) {
    least = Math.min(least, duration)
    most = Math.max(most, duration)
  }
  const isConstant = most - least <= Math.max(1, most * roundingShare)
  if (!isConstant || most === 0) return densestSecond(track)
  return (timescale * regular.length) / regular.reduce((sum, duration) => sum + duration, 0)
}

function densestSecond(track: VideoTrack): number {
  const { decodeTimes, count } = track.samples
  let most = 0
  let first = 0
  for (let last = 0; last < count; last += 1) {
    while ((decodeTimes[last] ?? 0) - (decodeTimes[first] ?? 0) >= track.timescale) first += 1
    most = Math.max(most, last - first + 1)
  }
  return endOf(track) < 1 ? most / endOf(track) : most
}
