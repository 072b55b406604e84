import { type Box, boxesIn, find, unsigned64, viewOf } from './boxes.ts'
import { refuse } from './byte-source.ts'

/** Which part of the media is presented, and when, in media units. */
export interface Edit {
  /** How much later than the movie the track starts. */
  readonly delay: number
  /** The composition time that is presented first. */
  readonly mediaStart: number
  /** The composition time at which the presentation ends, or infinity. */
  readonly mediaEnd: number
}

interface Timescales {
  readonly movie: number
  readonly media: number
}

const maxEntries = 1000

/**
 * Reads `edts`. Supported is what writers use: an empty edit that delays the track, then one span of
 * the media at normal speed (which may come in pieces that follow each other).
 */
export function readEdit(trak: readonly Box[], timescales: Timescales): Edit {
  const edts = find(trak, 'edts')?.payload
  const elst = edts && find(boxesIn(edts), 'elst')?.payload
  const entries = elst === undefined ? [] : readEntries(elst)
  const toMedia = (movieTime: number) => (movieTime * timescales.media) / timescales.movie
  const spans = entries.filter(({ mediaTime }) => mediaTime >= 0)
  const first = entries.findIndex(({ mediaTime }) => mediaTime >= 0)
  if (entries.length > 0 && first === -1) refuse('The edit list presents nothing of its track')
  if (spans.length < entries.length - Math.max(0, first))
    refuse('An edit list with a pause within the track is not supported')
  const delay = entries.slice(0, Math.max(0, first)).reduce((sum, entry) => sum + entry.duration, 0)
  return {
    delay: Math.round(toMedia(delay)),
    mediaStart: spans[0]?.mediaTime ?? 0,
    mediaEnd: endOf(spans, toMedia),
  }
}

interface Entry {
  /** In movie units; 0 for the rest of the media. */
  readonly duration: number
  /** In media units; -1 for an empty edit. */
  readonly mediaTime: number
}

function readEntries(elst: Uint8Array): readonly Entry[] {
  if (elst.length < 8) refuse('The elst box is too short')
  const view = viewOf(elst)
  const isLong = view.getUint8(0) === 1
  const entryBytes = isLong ? 20 : 12
  const count = view.getUint32(4)
  if (count > maxEntries || 8 + count * entryBytes > elst.length)
    refuse('The elst box is shorter than its count of entries')
  return Array.from({ length: count }, (_, index) =>
    readEntry(view, 8 + index * entryBytes, isLong),
  )
}

function readEntry(view: DataView, offset: number, isLong: boolean): Entry {
  const rate = view.getInt32(offset + (isLong ? 16 : 8))
  if (rate !== 0x10000) refuse('An edit list that changes the speed is not supported')
  const mediaTime = isLong ? Number(view.getBigInt64(offset + 8)) : view.getInt32(offset + 4)
  if (mediaTime < -1) refuse('The elst box has a time before the start of the media')
  return { duration: isLong ? unsigned64(view, offset) : view.getUint32(offset), mediaTime }
}

/** One movie unit is as exact as two spans can meet. */
function endOf(spans: readonly Entry[], toMedia: (movieTime: number) => number): number {
  let end = spans[0]?.mediaTime ?? 0
  for (const { mediaTime, duration } of spans) {
    if (Math.abs(mediaTime - end) > Math.ceil(toMedia(1)))
      refuse('An edit list of several separate parts is not supported')
    end = duration === 0 ? Infinity : mediaTime + toMedia(duration)
  }
  return spans.length === 0 ? Infinity : end
}
