import sharp, { type Sharp } from 'sharp'

import type { OutputSpec } from '../../../ports/media/renderer.ts'
import { allowOnly } from '../open-source.ts'
import type { Frames } from '../pipeline/frames.ts'
import { encode } from './encoders.ts'
import { type Luma, similarityOf } from './similarity.ts'

/** What is tried, of which three are at most: nothing lower is good, and nothing higher is better. */
const qualities = [45, 52, 59, 66, 73, 80, 87, 95] as const

/** A sample has so many pieces each way, of so many pixels. */
const pieces = 3
const pieceSide = 128

/**
 * The lowest quality in which a sample of the image keeps the similarity that is wanted, nothing below the
 * lowest that is tried; the highest of them where none does. Pieces stand for the whole: a try costs what a small image does.
 */
export async function qualityFor(frames: Frames, output: OutputSpec): Promise<number> {
  const { similarity = 0 } = output
  const sample = sampleOf(frames)
  const luma = await lumaOf(open(sample))
  allowOnly(output.format)
  const tried = new Map<number, number>()
  let [low, high] = [0, qualities.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    const quality = qualities[middle] ?? output.quality
    const encoded = await encode(open(sample), { ...output, quality }, {}).toBuffer()
    const found = similarityOf(luma, await lumaOf(sharp(encoded)))
    tried.set(quality, found)
    if (found >= similarity) high = middle
    else low = middle + 1
  }
  const enough = qualities[high] ?? output.quality
  return Math.min(between(tried, [qualities[high - 1], enough], similarity), output.quality)
}

/** Between two that were tried, the lower of which was not enough, as if a line led from one to the other. */
function between(
  tried: ReadonlyMap<number, number>,
  [tooLow, enough]: readonly [tooLow: number | undefined, enough: number],
  similarity: number,
): number {
  const [from, to] = [tried.get(tooLow ?? 0), tried.get(enough)]
  if (tooLow === undefined || from === undefined || to === undefined || to <= from) return enough
  const share = (similarity - from) / (to - from)
  return Math.min(enough, Math.max(tooLow + 1, Math.ceil(tooLow + share * (enough - tooLow))))
}

type Sample = Omit<Frames, 'frames'>

const open = ({ pixels, width, height, channels }: Sample): Sharp =>
  sharp(pixels, { raw: { width, height, channels } })

async function lumaOf(image: Sharp): Promise<Luma> {
  const { data, info } = await image
    .flatten({ background: '#ffffff' })
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, values: data }
}

/** Pieces of the first frame, spread over it; all of it where it is small. */
function sampleOf({ pixels, width, height, channels }: Frames): Sample {
  const [columns, rows] = [spansOf(width), spansOf(height)]
  const size = { width: lengthOf(columns), height: lengthOf(rows) }
  const sample = new Uint8Array(size.width * size.height * channels)
  let to = 0
  for (const [top, bottom] of rows)
    for (let y = top; y < bottom; y += 1)
      for (const [left, right] of columns) {
        const row = y * width
        sample.set(pixels.subarray((row + left) * channels, (row + right) * channels), to)
        to += (right - left) * channels
      }
  return { ...size, channels, pixels: sample }
}

type Span = readonly [from: number, to: number]

function spansOf(length: number): readonly Span[] {
  if (length <= pieces * pieceSide) return [[0, length]]
  return Array.from({ length: pieces }, (_, index) => {
    const from = Math.floor((index * (length - pieceSide)) / (pieces - 1))
    return [from, from + pieceSide] as const
  })
}

const lengthOf = (spans: readonly Span[]): number =>
  spans.reduce((sum, [from, to]) => sum + to - from, 0)
