import { color, decimalFrom, flag, integerFrom, integerOr, sides } from './parameter-values.ts'
import { overlay } from './overlay-value.ts'
import { parameter } from './parameter.ts'

/** What is done to the pixels in their places, in this order. */
export const lookParameters = {
  blur: parameter({
    name: 'blur',
    meaning: 'Gaussian blur; the standard deviation is half of it, in device pixels.',
    values: integerFrom(1, 250),
    leftOut: undefined,
    default: 'none',
    form: { label: 'Blur' },
  }),
  sharpen: parameter({
    name: 'sharpen',
    meaning: 'Strength of sharpening.',
    values: integerFrom(1, 10),
    leftOut: undefined,
    default: 'none',
    form: { label: 'Sharpen' },
  }),
  brightness: parameter({
    name: 'brightness',
    meaning: 'Multiplies the brightness.',
    values: decimalFrom(0, 4),
    leftOut: 1,
    default: '1',
    form: { label: 'Brightness', rest: 1, step: 0.05 },
  }),
  contrast: parameter({
    name: 'contrast',
    meaning: 'Multiplies the distance of every colour from mid-grey, after brightness.',
    values: decimalFrom(0, 4),
    leftOut: 1,
    default: '1',
    form: { label: 'Contrast', rest: 1, step: 0.05 },
  }),
  saturation: parameter({
    name: 'saturation',
    meaning: 'Multiplies how colourful it is: 0 is grey.',
    values: decimalFrom(0, 4),
    leftOut: 1,
    default: '1',
    form: { label: 'Saturation', rest: 1, step: 0.05 },
  }),
  isGrayscale: parameter({
    name: 'grayscale',
    meaning: 'Whether all colour is taken away, as with saturation=0.',
    values: flag,
    leftOut: false,
    default: '0',
    form: { label: 'Shades of grey', rest: 0 },
  }),
  tint: parameter({
    name: 'tint',
    meaning: 'Gives everything the hue of this colour, and leaves how light it is.',
    values: color,
    leftOut: undefined,
    default: 'none',
    form: { label: 'Tint', unset: 'fff, ff8800, black' },
  }),
  pixelate: parameter({
    name: 'pixelate',
    meaning:
      'Makes blocks of so many CSS pixels of the image; faces makes blocks of the faces alone that are found in it.',
    values: integerOr([2, 250], 'faces', /^(?:\d{1,3}|faces)$/u),
    leftOut: undefined,
    default: 'none',
    form: { label: 'Pixelate', unset: 'pixels, or faces' },
  }),
  overlay: parameter({
    name: 'overlay',
    meaning:
      'A stored image that is laid over it, such as a mark: where, how many percent of its width, how many percent opaque, how many CSS pixels from the sides; tile as the last word repeats it all over.',
    values: overlay,
    leftOut: undefined,
    default: 'none',
    form: { label: 'Overlay', unset: '/acme/v1/logos/mark.svg@southeast,20' },
  }),
  overlay2: parameter({
    name: 'overlay2',
    meaning: 'One more, over the one before.',
    values: overlay,
    leftOut: undefined,
    default: 'none',
    form: { label: 'Overlay 2', unset: '/acme/v1/logos/mark.svg@southeast,20' },
  }),
  overlay3: parameter({
    name: 'overlay3',
    meaning: 'One more, over the one before.',
    values: overlay,
    leftOut: undefined,
    default: 'none',
    form: { label: 'Overlay 3', unset: '/acme/v1/logos/mark.svg@southeast,20' },
  }),
  radius: parameter({
    name: 'radius',
    meaning:
      'Rounds the corners, in CSS pixels; max makes them as round as they can be: a square becomes a circle.',
    values: integerOr([1, 4096], 'max', /^(?:\d{1,4}|max)$/u),
    leftOut: undefined,
    default: 'none',
    form: { label: 'Round corners', unset: 'pixels, or max' },
  }),
  background: parameter({
    name: 'bg',
    meaning: 'The colour behind what is transparent, and of what is added around the image.',
    values: color,
    leftOut: undefined,
    default: 'none; white where the format has no transparency',
    form: { label: 'Background', unset: 'fff, ff8800, black' },
  }),
  padding: parameter({
    name: 'pad',
    meaning: 'CSS pixels that are added around the finished image, outside of w and h.',
    values: sides,
    leftOut: undefined,
    default: 'none',
    form: { label: 'Padding', unset: '20 or 10,20 or 1,2,3,4' },
  }),
} as const
