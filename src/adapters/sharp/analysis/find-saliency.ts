import type { Box, Face, ImageAnalysis, Point } from '../../../ports/media/renderer.ts'
import { type Oklab, oklabOf } from './oklch.ts'
import { fitWithin, type RawImage, smaller } from './raw-image.ts'

const mapSide = 96
/** The square that is looked for, as a part of the shorter side. */
const windowShare = 0.6
const windowSteps = 24
/** What a window at the very edge loses against one in the middle. */
const edgePenalty = 0.35
const weights = { edges: 0.5, contrast: 1, skin: 0.25, face: 4 } as const

interface Lumas {
  readonly width: number
  readonly height: number
  readonly lumas: Float64Array
}

/** How much each pixel draws the eye, as sums from the upper left corner. */
interface SaliencyMap {
  readonly width: number
  readonly height: number
  readonly scores: Float64Array
  readonly sums: Float64Array
}

/**
 * The square that has most of what draws the eye: colours unlike the rest of the image (Achanta et
 * al. 2009), edges, skin, and faces found before.
 */
export async function findSaliency(
  image: RawImage,
  faces: readonly Face[],
): Promise<ImageAnalysis['saliency']> {
  const map = scoreMap(await smaller(image, fitWithin(image, mapSide)), faces)
  const window = bestWindow(map)
  const { x, y } = centerOf(map, window)
  return {
    point: { x: round(x / map.width), y: round(y / map.height) },
    box: {
      left: round(window.left / map.width),
      top: round(window.top / map.height),
      width: round(window.width / map.width),
      height: round(window.height / map.height),
    },
  }
}

function scoreMap(image: RawImage, faces: readonly Face[]): SaliencyMap {
  const { width, height } = image
  const mean = meanColor(image)
  const lumas = { width, height, lumas: lumasOf(image) }
  const scores = new Float64Array(width * height)
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const [red, green, blue, alpha] = colorAt(image, x, y)
      const contrast = unlikeness(oklabOf(red, green, blue), mean) * weights.contrast
      const skin = skinLikeness(red, green, blue) * weights.skin
      const edges = edgesAt(lumas, x, y) * weights.edges
      const face = faceScore(faces, x / width, y / height)
      scores[y * width + x] = (contrast ** 2 + skin + edges + face) * (alpha / 255)
    }
  return { width, height, scores, sums: sumsOf(scores, width, height) }
}

function meanColor(image: RawImage): Oklab {
  const { width, height } = image
  const sums: [number, number, number, number] = [0, 0, 0, 0]
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const [red, green, blue, alpha] = colorAt(image, x, y)
      const { lightness, a, b } = oklabOf(red, green, blue)
      sums[0] += lightness * alpha
      sums[1] += a * alpha
      sums[2] += b * alpha
      sums[3] += alpha
    }
  const total = Math.max(1, sums[3])
  return { lightness: sums[0] / total, a: sums[1] / total, b: sums[2] / total }
}

/** Colour counts for more than light: so many times. */
const colorWeight = 3

const unlikeness = (one: Oklab, other: Oklab): number =>
  Math.hypot(
    one.lightness - other.lightness,
    colorWeight * (one.a - other.a),
    colorWeight * (one.b - other.b),
  )

/** Beyond the edge as at the edge. */
function edgesAt({ width, height, lumas }: Lumas, x: number, y: number): number {
  const place = y * width + x
  const at = (beside: number): number => lumas[beside] ?? 0
  const around =
    at(x === 0 ? place : place - 1) +
    at(x === width - 1 ? place : place + 1) +
    at(y === 0 ? place : place - width) +
    at(y === height - 1 ? place : place + width)
  return Math.abs(at(place) - around / 4)
}

type Color = readonly [red: number, green: number, blue: number, alpha: number]

/** Channels from 0 to 255; beyond the edge as at the edge. */
function colorAt({ pixels, width, height, channels }: RawImage, x: number, y: number): Color {
  const column = Math.min(width - 1, Math.max(0, x))
  const row = Math.min(height - 1, Math.max(0, y))
  const start = (row * width + column) * channels
  const alpha = channels === 4 ? pixels[start + 3] : undefined
  return [pixels[start] ?? 0, pixels[start + 1] ?? 0, pixels[start + 2] ?? 0, alpha ?? 255]
}

/** Each is asked for five times. */
function lumasOf(image: RawImage): Float64Array {
  const { width, height } = image
  const lumas = new Float64Array(width * height)
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const [red, green, blue, alpha] = colorAt(image, x, y)
      const luma = ((0.2126 * red + 0.7152 * green + 0.0722 * blue) * alpha) / 255 ** 2
      lumas[y * width + x] = luma
    }
  return lumas
}

/** The direction that human skin of every tone has in colour space. */
const skinDirection = [0.78, 0.57, 0.44] as const
/** What is darker has no colour to speak of. */
const minSkinLength = 80

function skinLikeness(red: number, green: number, blue: number): number {
  const length = Math.hypot(red, green, blue)
  if (length < minSkinLength) return 0
  const [r, g, b] = skinDirection
  const distance = Math.hypot(red / length - r, green / length - g, blue / length - b)
  return Math.max(0, 1 - distance / 0.2)
}

const faceScore = (faces: readonly Face[], x: number, y: number): number =>
  faces.some(
    ({ left, top, width, height }) => x >= left && x < left + width && y >= top && y < top + height,
  )
    ? weights.face
    : 0

/** Sums of all scores above and left of each corner (Crow's summed-area table). */
function sumsOf(scores: Float64Array, width: number, height: number): Float64Array {
  const sums = new Float64Array((width + 1) * (height + 1))
  for (let y = 0; y < height; y += 1) {
    let row = 0
    for (let x = 0; x < width; x += 1) {
      row += scores[y * width + x] ?? 0
      sums[(y + 1) * (width + 1) + x + 1] = (sums[y * (width + 1) + x + 1] ?? 0) + row
    }
  }
  return sums
}

function sumIn({ width, sums }: SaliencyMap, { left, top, width: w, height: h }: Box): number {
  const at = (x: number, y: number) => sums[y * (width + 1) + x] ?? 0
  return at(left + w, top + h) - at(left, top + h) - at(left + w, top) + at(left, top)
}

function bestWindow(map: SaliencyMap): Box {
  const { width, height } = map
  const side = Math.max(1, Math.round(Math.min(width, height) * windowShare))
  let best: Box = { left: 0, top: 0, width: side, height: side }
  let bestScore = -1
  for (const top of stepsTo(height - side))
    for (const left of stepsTo(width - side)) {
      const window = { left, top, width: side, height: side }
      const score = sumIn(map, window) * centrality(map, window)
      if (score <= bestScore) continue
      bestScore = score
      best = window
    }
  return best
}

/** Evenly from 0 to `last`, from the middle outward so that what is nowhere better stays there. */
function stepsTo(last: number): readonly number[] {
  const steps = Array.from({ length: windowSteps + 1 }, (_, step) =>
    Math.round((last * step) / windowSteps),
  )
  return [...new Set(steps)].toSorted((a, b) => Math.abs(a - last / 2) - Math.abs(b - last / 2))
}

function centrality({ width, height }: SaliencyMap, window: Box): number {
  const x = (window.left + window.width / 2) / width - 0.5
  const y = (window.top + window.height / 2) / height - 0.5
  return 1 - edgePenalty * Math.min(1, 2 * Math.hypot(x, y))
}

/** Where the weight of a window lies. */
function centerOf({ width, scores }: SaliencyMap, window: Box): Point {
  let [x, y, total] = [0, 0, 0]
  for (let row = window.top; row < window.top + window.height; row += 1)
    for (let column = window.left; column < window.left + window.width; column += 1) {
      const score = scores[row * width + column] ?? 0
      x += score * (column + 0.5)
      y += score * (row + 0.5)
      total += score
    }
  if (total > 0) return { x: x / total, y: y / total }
  return { x: window.left + window.width / 2, y: window.top + window.height / 2 }
}

const round = (value: number): number => Math.round(Math.min(1, value) * 10_000) / 10_000
