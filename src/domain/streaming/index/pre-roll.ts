import { presentedAt, type StreamIndex, type Track } from './stream-index.ts'

/**
 * Videos that were cut between two key frames begin with frames that are only decoded. Players built
 * on Media Source Extensions throw away what has a negative time, the key frame among it, and then
 * show nothing until the next one. So every track of every size is moved by as much as the first key
 * frame of any of them lies before the start, and those frames are shown.
 */
export function withoutPreRoll<S extends { readonly index: StreamIndex }>(
  sources: readonly S[],
): readonly S[] {
  const starts = sources.flatMap(({ index }) =>
    index.video === undefined ? [] : presentedAt(index.video, 0),
  )
  const seconds = -Math.min(0, ...starts)
  if (seconds === 0) return sources
  return sources.map((source) => {
    const { video, audio } = source.index
    const index = {
      video: video && later(video, seconds),
      audio: audio.map((track) => later(track, seconds)),
    }
    return { ...source, index }
  })
}

/** Of frames less is hidden; what is left over, and sound, of which nothing more is shown, is delayed. */
function later<T extends Track>(track: T, seconds: number): T {
  const { samples, editStart, kind } = track
  const units = Math.round(seconds * track.timescale)
  const shown = kind === 'video' ? Math.min(units, editStart) : 0
  const decodeTimes = samples.decodeTimes.map((time) => time + units - shown)
  return { ...track, editStart: editStart - shown, samples: { ...samples, decodeTimes } }
}
