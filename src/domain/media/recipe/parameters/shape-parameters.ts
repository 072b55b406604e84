import {
  aspectRatio,
  flag,
  integerFrom,
  decimalFrom,
  shift,
  sourceSides,
} from './parameter-values.ts'
import { parameter } from './parameter.ts'
import { maxSide } from './size-parameters.ts'

/** What changes the box that `w` and `h` name, and what is shown in it. */
export const shapeParameters = {
  scale: parameter({
    name: 'scale',
    meaning: 'Multiplies w and h; without either, the size of the source, which it may enlarge.',
    values: decimalFrom(0.01, 10),
    leftOut: 1,
    default: '1',
    form: { label: 'Scale', rest: 1, step: 0.01 },
  }),
  aspectRatio: parameter({
    name: 'ar',
    meaning:
      'The shape of the box where one of w and h says how large it is; without either, the largest part of the source that has this shape, or with fit=contain what is added around all of it.',
    values: aspectRatio,
    leftOut: undefined,
    default: 'as the source, or as w and h say',
    form: { label: 'Aspect ratio', unset: '16:9, or 1.5' },
  }),
  minWidth: parameter({
    name: 'min_w',
    meaning:
      'The least width in CSS pixels, of what keeps its proportions and is not cut: what would be smaller is made larger in both directions.',
    values: integerFrom(1, maxSide),
    leftOut: undefined,
    default: 'any',
    form: { label: 'Width at least' },
  }),
  minHeight: parameter({
    name: 'min_h',
    meaning: 'The same of the height.',
    values: integerFrom(1, maxSide),
    leftOut: undefined,
    default: 'any',
    form: { label: 'Height at least' },
  }),
  mayEnlarge: parameter({
    name: 'enlarge',
    meaning:
      'Whether a source that is smaller than the box is enlarged. Where it is not, cover cuts the shape of the box out of it, contain shows it in its own size, and a box that ar gives its shape becomes no larger than it needs to be.',
    values: flag,
    leftOut: undefined,
    default: '1 where w and h are given or fit is; else 0',
    form: { label: 'May be enlarged', rest: 1 },
  }),
  offset: parameter({
    name: 'offset',
    meaning:
      'Moves what is kept when cropping, and the image when padding: to the right and down, in CSS pixels, as far as there is room.',
    values: shift,
    leftOut: undefined,
    default: '0,0',
    form: { label: 'Offset', unset: 'x,y in pixels' },
  }),
  zoom: parameter({
    name: 'zoom',
    meaning:
      'How close to the faces gravity=face goes where the box is filled: 0 shows as much around them as fits, 1 the faces alone.',
    values: decimalFrom(0, 1),
    leftOut: 0,
    default: '0',
    form: { label: 'Closeness to faces', rest: 0, step: 0.05 },
  }),
  cut: parameter({
    name: 'cut',
    meaning:
      'Takes so much away from the sides of the source, before all else. Not together with crop or trim.',
    values: sourceSides,
    leftOut: undefined,
    default: 'nothing is taken away',
    form: { label: 'Cut from the sides', unset: 'top,right,bottom,left' },
  }),
} as const
