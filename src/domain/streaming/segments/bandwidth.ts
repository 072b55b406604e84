import { fragmentHeaderBytes, payloadBytes } from './fragment.ts'
import type { Segment } from './cutting.ts'
import type { Track } from '../index/stream-index.ts'

/** In bits per second, boxes included, as playlists declare them (RFC 8216 §4.3.4.2). */
export interface Bandwidth {
  readonly peak: number
  readonly average: number
}

interface SizedSegment {
  readonly sizeBytes: number
  readonly duration: number
}

export function bandwidthOf(
  track: Track,
  segments: readonly Segment[],
  targetDuration: number,
): Bandwidth {
  const sized = segments.map((segment) => ({
    sizeBytes: fragmentHeaderBytes(track, segment) + payloadBytes(track.samples, segment),
    duration: segment.duration,
  }))
  const average = rateOf(sized)
  return { peak: Math.max(average, peakOf(sized, targetDuration)), average }
}

/** The sum where several are played at once. */
export const together = (...parts: readonly Bandwidth[]): Bandwidth => ({
  peak: parts.reduce((sum, { peak }) => sum + peak, 0),
  average: parts.reduce((sum, { average }) => sum + average, 0),
})

/** What suffices for any one of them. */
export const anyOf = (choices: readonly Bandwidth[]): Bandwidth => ({
  peak: Math.max(0, ...choices.map(({ peak }) => peak)),
  average: Math.max(0, ...choices.map(({ average }) => average)),
})

const rateOf = (segments: readonly SizedSegment[]): number => {
  const seconds = segments.reduce((sum, { duration }) => sum + duration, 0)
  const bytes = segments.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  return Math.ceil((8 * bytes) / seconds)
}

/** The largest rate of segments in a row that last 0.5 to 1.5 target durations (RFC 8216 §4.1). */
function peakOf(segments: readonly SizedSegment[], targetDuration: number): number {
  let peak = 0
  for (let first = 0; first < segments.length; first += 1) {
    let bytes = 0
    let seconds = 0
    for (let last = first; last < segments.length; last += 1) {
      bytes += segments[last]?.sizeBytes ?? 0
      seconds += segments[last]?.duration ?? 0
      if (seconds > 1.5 * targetDuration) break
      if (seconds >= 0.5 * targetDuration) peak = Math.max(peak, (8 * bytes) / seconds)
    }
  }
  return Math.ceil(peak)
}
