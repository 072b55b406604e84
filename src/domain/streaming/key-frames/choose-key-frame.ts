import type { KeyFrames } from './frame-format.ts'

/** The last key frame at or before `seconds`: the first one before there is any, the last one beyond the end. */
export function keyFrameBefore({ seconds: times }: KeyFrames, seconds: number): number {
  let low = 0
  let high = times.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((times[middle] ?? Infinity) <= seconds + tolerance) low = middle + 1
    else high = middle
  }
  return Math.max(0, low - 1)
}

/** Times are asked for in thousandths. */
const tolerance = 0.0005

/** Where what a video is about is on screen, mostly. */
const tellingShare = 0.1
const candidates = 8
/** What is black, white or faded takes a few bytes. */
const emptyShare = 0.25

/**
 * The key frame that stands for the video where nobody says when: the one at a tenth of it, or, where
 * that has under a quarter of the bytes of the largest of the next eight, the first of them that has more.
 */
export async function tellingKeyFrame(frames: KeyFrames): Promise<number> {
  const first = keyFrameBefore(frames, frames.durationSeconds * tellingShare)
  const places = frames.seconds.slice(first, first + candidates).map((_, index) => first + index)
  const sizes: number[] = []
  for (const place of places) sizes.push(await frames.sizeOf(place))
  const least = Math.max(...sizes) * emptyShare
  return first + sizes.findIndex((size) => size >= least)
}
