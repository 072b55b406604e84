import { keyFrameBefore } from './choose-key-frame.ts'
import type { FrameFormat, KeyFrames } from './frame-format.ts'

export interface Sized {
  readonly width: number
  readonly height: number
}

/** Small images of a video at even distances, which stand in rows on one sprite. */
export interface Thumbnails {
  readonly tile: Sized
  readonly columns: number
  /** The key frames that stand there, in their order. */
  readonly places: readonly number[]
  /** From when to when each is shown, in seconds; one after another, from the start to the end. */
  readonly spans: readonly Span[]
}

export interface Span {
  readonly from: number
  readonly to: number
  /** Which of the places. */
  readonly index: number
}

/** Raised when the same video would have others, or they would stand elsewhere. */
export const thumbnailsVersion = 1
const maxThumbnails = 64
const columns = 8
const longestSide = 160
const leastSeconds = 1
/** Of all frames that are decoded for one image: 64 of 1080p, 15 of 4K. */
const maxDecodedPixels = 134_217_728
const fewest = 4

/** The same file always has the same ones: they are found by its tables alone. */
export function planThumbnails(frames: KeyFrames): Thumbnails {
  const most = affordable(frames.format, maxThumbnails)
  const end = Math.max(frames.durationSeconds, 0.001)
  const seconds = Math.max(end / most, Math.min(leastSeconds, end))
  const places: number[] = []
  const spans: Span[] = []
  for (let count = 0; count * seconds < end && count < most; count += 1) {
    const place = keyFrameBefore(frames, (count + 0.5) * seconds)
    const to = count === most - 1 ? end : Math.min(end, (count + 1) * seconds)
    const last = spans.pop()
    if (last !== undefined && places.at(-1) === place) spans.push({ ...last, to })
    else {
      if (last !== undefined) spans.push(last)
      spans.push({ from: count * seconds, to, index: places.push(place) - 1 })
    }
  }
  return { tile: fitted(shownSize(frames.format), longestSide), columns, places, spans }
}

const framesPerSecond = 3

/** Key frames from all over a video, and how long each is shown so that all take `seconds`. */
export function planPreview(frames: KeyFrames, seconds: number) {
  const most = affordable(frames.format, seconds * framesPerSecond)
  const places = Array.from({ length: most }, (_, part) =>
    keyFrameBefore(frames, ((part + 0.5) / most) * frames.durationSeconds),
  )
  const distinct = [...new Set(places)]
  return { places: distinct, delayMs: Math.round((seconds * 1000) / distinct.length) }
}

const affordable = ({ width, height }: FrameFormat, wanted: number): number =>
  Math.max(
    Math.min(fewest, wanted),
    Math.min(wanted, Math.floor(maxDecodedPixels / Math.max(1, width * height))),
  )

/** As it is seen, after rotation. */
export const shownSize = ({ width, height, rotation }: FrameFormat): Sized =>
  rotation % 180 === 0 ? { width, height } : { width: height, height: width }

/** Not enlarged. */
export function fitted({ width, height }: Sized, side: number): Sized {
  const scale = Math.min(1, side / Math.max(width, height, 1))
  return {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  }
}
