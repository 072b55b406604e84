import type { Box, Point, Size } from '../../../../ports/media/renderer.ts'
import type { Recipe } from '../recipe.ts'

/** How an image is mirrored and then turned clockwise. Half a turn is mirroring both ways. */
export interface Orientation {
  readonly flip: 'h' | 'v' | 'hv' | undefined
  readonly rotate: 90 | 270 | undefined
}

export function orientationOf({ flip, rotate }: Pick<Recipe, 'flip' | 'rotate'>): Orientation {
  const isHalf = rotate === '180'
  const isFlipped = (way: 'h' | 'v') => isMirrored(flip, way) !== isHalf
  const ways = `${isFlipped('h') ? 'h' : ''}${isFlipped('v') ? 'v' : ''}` as const
  return {
    flip: ways === '' ? undefined : ways,
    rotate: rotate === '90' ? 90 : rotate === '270' ? 270 : undefined,
  }
}

/**
 * How an image that is shown upright is mirrored and turned to lie as its pixels are stored, by its EXIF
 * orientation (Exif 2.32 §4.6.4, tag 0x0112); `undefined` where it lies so.
 */
export const asStored = (exifOrientation: number): Orientation | undefined =>
  storedByExif[exifOrientation]

const storedByExif: Readonly<Record<number, Orientation>> = {
  2: { flip: 'h', rotate: undefined },
  3: { flip: 'hv', rotate: undefined },
  4: { flip: 'v', rotate: undefined },
  5: { flip: 'h', rotate: 270 },
  6: { flip: undefined, rotate: 270 },
  7: { flip: 'h', rotate: 90 },
  8: { flip: undefined, rotate: 90 },
}

const isMirrored = (flip: Orientation['flip'], way: 'h' | 'v'): boolean =>
  flip?.includes(way) === true

/** A size before or after the turn; turning back is the same. */
export const turnedSize = (size: Size, { rotate }: Orientation): Size =>
  rotate === undefined ? size : { width: size.height, height: size.width }

/** Where a place of the source is in the mirrored and turned image. */
export function turnedPoint({ x, y }: Point, { flip, rotate }: Orientation): Point {
  const mirrored = { x: isMirrored(flip, 'h') ? 1 - x : x, y: isMirrored(flip, 'v') ? 1 - y : y }
  if (rotate === 90) return { x: 1 - mirrored.y, y: mirrored.x }
  return rotate === 270 ? { x: mirrored.y, y: 1 - mirrored.x } : mirrored
}

/** The same of a box, in shares of the image. */
export function turnedBox({ left, top, width, height }: Box, orientation: Orientation): Box {
  const one = turnedPoint({ x: left, y: top }, orientation)
  const other = turnedPoint({ x: left + width, y: top + height }, orientation)
  return {
    left: Math.min(one.x, other.x),
    top: Math.min(one.y, other.y),
    width: Math.abs(one.x - other.x),
    height: Math.abs(one.y - other.y),
  }
}
