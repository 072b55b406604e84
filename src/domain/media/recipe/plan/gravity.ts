import type { MediaFacts } from '../../../../ports/media/media-facts-store.ts'
import type { Box, Face, Point, Size } from '../../../../ports/media/renderer.ts'
import type { Focus } from './fits.ts'
import type { Recipe } from '../recipe.ts'

/** What is known of an image, and where the owner of an asset with its bytes says the subject is. */
export interface FocusedFacts extends MediaFacts {
  readonly focalPoint: Point | undefined
}

type Gravity = Recipe['gravity']

export interface ChosenFocus {
  readonly focus: Focus
  /** How the place was chosen, for those who wonder; `undefined` where it was plainly asked for. */
  readonly note: 'focus-owner' | 'focus-face' | 'focus-saliency' | 'focus-center' | undefined
}

const center: Point = { x: 0.5, y: 0.5 }

const pointByGravity: Readonly<Record<Exclude<Gravity, 'face' | 'auto'>, Point>> = {
  center,
  north: { x: 0.5, y: 0 },
  northeast: { x: 1, y: 0 },
  east: { x: 1, y: 0.5 },
  southeast: { x: 1, y: 1 },
  south: { x: 0.5, y: 1 },
  southwest: { x: 0, y: 1 },
  west: { x: 0, y: 0.5 },
  northwest: { x: 0, y: 0 },
}

/** Whether the place is found in the image, not named by the caller. */
export const isFound = (gravity: Gravity): gravity is 'face' | 'auto' =>
  gravity === 'face' || gravity === 'auto'

/** The owner's word first, then faces (for `face`), then what draws the eye, then the middle. */
export function chooseFocus(
  gravity: Gravity,
  { focalPoint, analysis }: Pick<FocusedFacts, 'focalPoint' | 'analysis'>,
): ChosenFocus {
  if (!isFound(gravity)) return { focus: () => pointByGravity[gravity], note: undefined }
  if (focalPoint) return { focus: () => focalPoint, note: 'focus-owner' }
  if (analysis === undefined) return { focus: () => center, note: 'focus-center' }
  if (gravity === 'face' && analysis.faces.length > 0)
    return { focus: (share) => faceFocus(analysis.faces, share), note: 'focus-face' }
  return { focus: () => analysis.saliency.point, note: 'focus-saliency' }
}

/** The middle of all faces where the crop can hold them together; else the most prominent one. */
export function faceFocus(faces: readonly Face[], share: Size): Point {
  const all = unionOf(faces)
  if (all.width <= share.width && all.height <= share.height) return middleOf(all)
  const [first] = faces.toSorted((a, b) => prominence(b) - prominence(a))
  return first ? middleOf(first) : center
}

const prominence = ({ score, width, height }: Face) => score * width * height

export function unionOf(boxes: readonly Box[]): Box {
  const left = Math.min(...boxes.map((box) => box.left))
  const top = Math.min(...boxes.map((box) => box.top))
  const right = Math.max(...boxes.map((box) => box.left + box.width))
  const bottom = Math.max(...boxes.map((box) => box.top + box.height))
  return { left, top, width: right - left, height: bottom - top }
}

const middleOf = ({ left, top, width, height }: Box): Point => ({
  x: left + width / 2,
  y: top + height / 2,
})
