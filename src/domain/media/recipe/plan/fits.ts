import type { Box, Point, Size, TransformJob } from '../../../../ports/media/renderer.ts'
import type { Recipe } from '../recipe.ts'

/** Where every pixel of the result comes from. */
export type Layout = Pick<TransformJob, 'resize' | 'crop' | 'canvas'>

/** Chooses the place to keep, told how much of the scaled image the crop can hold (0 to 1 a side). */
export type Focus = (share: Size) => Point

/** How an image of one size meets a box. */
export interface Meeting {
  readonly box: Size
  readonly source: Size
  readonly focus: Focus
  readonly mayEnlarge: boolean
  /** Whether the box says a shape, and may be made smaller in it. */
  readonly isShape: boolean
}

type Fit = NonNullable<Recipe['fit']>

export const layOutByFit: Readonly<Record<Fit, (meeting: Meeting) => Layout>> = {
  fill: ({ box, source, mayEnlarge }) => ({ resize: mayEnlarge ? box : smallerOf(box, source) }),
  inside: ({ box, source, mayEnlarge }) => ({ resize: inside(box, source, mayEnlarge) }),
  outside: ({ box, source, mayEnlarge }) => ({ resize: outside(box, source, mayEnlarge) }),
  'scale-down': ({ box, source }) => ({ resize: inside(box, source, false) }),
  contain: layContained,
  cover: layCovering,
  crop(meeting) {
    const resize = outside(meeting.box, meeting.source, false)
    return cropTo(smallerOf(meeting.box, resize), resize, meeting.focus)
  },
  auto: (meeting) =>
    isWide(meeting.box) === isWide(meeting.source)
      ? layCovering(meeting)
      : layOutByFit.inside(meeting),
}

function layContained({ box, source, focus, mayEnlarge, isShape }: Meeting): Layout {
  const resize = inside(box, source, mayEnlarge)
  const needed = isShape && !mayEnlarge ? Math.max(shareOf(resize, box), 0) : 1
  return pad(needed < 1 ? scaleBy(box, needed) : box, resize, focus)
}

/** The largest share that the inner size has of a side. */
const shareOf = (inner: Size, outer: Size): number =>
  Math.max(inner.width / outer.width, inner.height / outer.height)

function layCovering({ box, source, focus, mayEnlarge }: Meeting): Layout {
  const scale = coveringScale(box, source)
  if (mayEnlarge || scale <= 1) return cropTo(box, outside(box, source, true), focus)
  return cropTo(smallerOf(scaleBy(box, 1 / scale), source), source, focus)
}

/** The largest of the same proportions that fits. Rounding must not go over the box. */
function inside(box: Size, source: Size, mayEnlarge: boolean): Size {
  if (!mayEnlarge && holds(box, source)) return source
  const scale = Math.min(box.width / source.width, box.height / source.height)
  return smallerOf(box, scaleBy(source, scale))
}

const holds = (box: Size, { width, height }: Size): boolean =>
  width <= box.width && height <= box.height

const coveringScale = (box: Size, source: Size): number =>
  Math.max(box.width / source.width, box.height / source.height)

/** The smallest of the same proportions that covers. Rounding must not leave a gap. */
function outside(box: Size, source: Size, mayEnlarge: boolean): Size {
  const scale = coveringScale(box, source)
  if (!mayEnlarge && scale >= 1) return source
  const { width, height } = scaleBy(source, scale)
  return { width: Math.max(box.width, width), height: Math.max(box.height, height) }
}

function cropTo(box: Size, resize: Size, focus: Focus): Layout {
  if (isSameSize(box, resize)) return { resize }
  const share = { width: box.width / resize.width, height: box.height / resize.height }
  const { x, y } = focus(share)
  const crop: Box = {
    ...box,
    left: startAround(x, box.width, resize.width),
    top: startAround(y, box.height, resize.height),
  }
  return { resize, crop }
}

function pad(box: Size, resize: Size, focus: Focus): Layout {
  if (isSameSize(box, resize)) return { resize }
  const { x, y } = focus({ width: 1, height: 1 })
  const left = Math.round((box.width - resize.width) * x)
  const top = Math.round((box.height - resize.height) * y)
  return { resize, canvas: { size: box, left, top } }
}

/** Puts the middle of a window at `at` (0 to 1), or as near as the window stays inside. */
export const startAround = (at: number, window: number, whole: number): number =>
  Math.round(Math.min(whole - window, Math.max(0, at * whole - window / 2)))

export const scaleBy = (size: Size, scale: number): Size => ({
  width: Math.max(1, Math.round(size.width * scale)),
  height: Math.max(1, Math.round(size.height * scale)),
})

export const smallerOf = (a: Size, b: Size): Size => ({
  width: Math.min(a.width, b.width),
  height: Math.min(a.height, b.height),
})

const isWide = ({ width, height }: Size): boolean => width >= height
const isSameSize = (a: Size, b: Size): boolean => a.width === b.width && a.height === b.height
