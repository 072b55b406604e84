import type { Face } from '../../../ports/media/renderer.ts'
import type { RawImage } from '../analysis/raw-image.ts'
import type { FaceNet } from './face-net.ts'
import type { Grid } from './layer-grids.ts'

/** Sizes of faces the net starts from, in cells of its grid. */
const anchors = [
  [1.603231, 2.094468],
  [6.041143, 7.080126],
  [2.882459, 3.518061],
  [4.266906, 5.178857],
  [9.041765, 10.66308],
] as const
const valuesPerAnchor = 5
/** What the net takes as neither light nor dark, for red, green and blue. */
const meanColor = [117.001, 114.697, 97.404] as const
const minScore = 0.5
/** Two boxes that share more than this are one face. */
const maxOverlap = 0.4

/**
 * Faces by the tiny detector of face-api: a small net that looks once (after YOLO v2). `side` is the square
 * it looks at; the image must not be longer.
 */
export function findFaces(image: RawImage, side: number, net: FaceNet): Face[] {
  const cells = net.run(squareOf(image, side))
  const scale = { x: side / image.width, y: side / image.height }
  const candidates = readCells(cells, scale).toSorted((a, b) => b.score - a.score)
  const faces: Face[] = []
  for (const face of candidates)
    if (faces.every((other) => overlap(face, other) < maxOverlap)) faces.push(face)
  return faces.map(clip)
}

/** The image in the upper left of a black square, with values around zero. */
function squareOf({ pixels, width, height, channels }: RawImage, side: number): Grid {
  const values = new Float32Array(side * side * 3)
  for (let y = 0; y < side; y += 1)
    for (let x = 0; x < side; x += 1)
      for (let channel = 0; channel < 3; channel += 1) {
        const isInside = x < width && y < height
        const value = isInside ? (pixels[(y * width + x) * channels + channel] ?? 0) : 0
        values[(y * side + x) * 3 + channel] = (value - (meanColor[channel] ?? 0)) / 255
      }
  return { side, channels: 3, values }
}

interface Scale {
  readonly x: number
  readonly y: number
}

function readCells(cells: Grid, scale: Scale): Face[] {
  const faces: Face[] = []
  for (let place = 0; place < cells.side * cells.side; place += 1)
    for (const anchor of anchors.keys()) {
      const face = readCell(cells, { place, anchor, scale })
      if (face.score > minScore) faces.push(face)
    }
  return faces
}

interface Cell {
  readonly place: number
  readonly anchor: number
  readonly scale: Scale
}

function readCell({ side, channels, values }: Grid, { place, anchor, scale }: Cell): Face {
  const start = place * channels + anchor * valuesPerAnchor
  const [x = 0, y = 0, w = 0, h = 0, s = 0] = values.subarray(start, start + valuesPerAnchor)
  const [anchorWidth, anchorHeight] = anchors[anchor] ?? anchors[0]
  const width = ((Math.exp(w) * anchorWidth) / side) * scale.x
  const height = ((Math.exp(h) * anchorHeight) / side) * scale.y
  const left = (((place % side) + sigmoid(x)) / side) * scale.x - width / 2
  const top = ((Math.floor(place / side) + sigmoid(y)) / side) * scale.y - height / 2
  return { left, top, width, height, score: sigmoid(s) }
}

const sigmoid = (value: number): number => 1 / (1 + Math.exp(-value))

/** The shared part of two boxes, of all that they cover. */
function overlap(a: Face, b: Face): number {
  const width = Math.min(a.left + a.width, b.left + b.width) - Math.max(a.left, b.left)
  const height = Math.min(a.top + a.height, b.top + b.height) - Math.max(a.top, b.top)
  const shared = Math.max(0, width) * Math.max(0, height)
  return shared / (a.width * a.height + b.width * b.height - shared)
}

/** What lies outside the image is cut off, and places are rounded: no more is known of them. */
function clip({ left, top, width, height, score }: Face): Face {
  const [x, y] = [Math.max(0, left), Math.max(0, top)]
  return {
    left: round(x),
    top: round(y),
    width: round(Math.min(1, left + width) - x),
    height: round(Math.min(1, top + height) - y),
    score: round(score),
  }
}

const round = (value: number): number => Math.round(value * 10_000) / 10_000
