import { bordered, decimalFrom, flag, integerFrom } from './parameter-values.ts'
import { parameter } from './parameter.ts'

/** Further changes to the colours of pixels, and the edge around them. */
export const toneParameters = {
  gamma: parameter({
    name: 'gamma',
    meaning:
      'Raises every channel to the power of 1 / gamma: more than 1 lifts what is between black and white, less lowers it.',
    values: decimalFrom(0.1, 10),
    leftOut: 1,
    default: '1',
    form: { label: 'Gamma', rest: 1, step: 0.05 },
  }),
  hue: parameter({
    name: 'hue',
    meaning: 'Turns every colour by so many degrees, as CSS hue-rotate does.',
    values: integerFrom(0, 359),
    leftOut: 0,
    default: '0',
    form: { label: 'Hue', rest: 0 },
  }),
  sepia: parameter({
    name: 'sepia',
    meaning: 'Makes it brown like an old photograph, by so many percent, as CSS sepia does.',
    values: integerFrom(0, 100),
    leftOut: 0,
    default: '0',
    form: { label: 'Sepia', rest: 0 },
  }),
  isInverted: parameter({
    name: 'invert',
    meaning: 'Whether every colour becomes its opposite, after all other changes of colour.',
    values: flag,
    leftOut: false,
    default: '0',
    form: { label: 'Inverted', rest: 0 },
  }),
  opacity: parameter({
    name: 'opacity',
    meaning: 'How opaque the image is, in percent, before bg is laid behind it.',
    values: integerFrom(1, 100),
    leftOut: 100,
    default: '100',
    form: { label: 'Opacity', rest: 100 },
  }),
  border: parameter({
    name: 'border',
    meaning: 'An edge of one colour around everything, outside of w, h and pad, in CSS pixels.',
    values: bordered,
    leftOut: undefined,
    default: 'none',
    form: { label: 'Border', unset: '4,ff8800' },
  }),
} as const
