import type { z } from 'zod'

import { decimalFrom, flag, integerFrom, oneOf, type Values } from './parameter-values.ts'

/** One parameter of a transform: all that reading, refusing, describing and a form need to know of it. */
export interface TransformParameter<Value = unknown> {
  /** In the query. */
  readonly name: string
  readonly meaning: string
  /** Completes `… must be`. */
  readonly range: string
  /** From the text of a query, or from none. */
  readonly schema: z.ZodType<Value, string | undefined>
  /** The value as it is written in a query. */
  readonly written: z.ZodType
  /** For people. */
  readonly default: string
  readonly form: FormTexts
}

/** How a form asks for it. */
export interface FormTexts<Word extends string = string> {
  readonly label: string
  /** What leaving it out is called, where there is a choice of words. */
  readonly unset?: string
  /** The words that are offered; the others can only be written. */
  readonly choices?: { readonly [Each in Word]?: string }
  /** The number that is shown while it is left out; one below the least, for none, where that is. */
  readonly rest?: number
}

interface Row<Value, LeftOut> extends Pick<TransformParameter, 'name' | 'meaning' | 'default'> {
  readonly form: FormTexts<NoInfer<Value> & string>
  readonly values: Values<Value>
  /** What a recipe holds where the parameter is left out. */
  readonly leftOut: LeftOut
}

const parameter = <Value, const LeftOut extends NoInfer<Value> | undefined>({
  values: { range, schema, written },
  leftOut,
  ...row
}: Row<Value, LeftOut>): TransformParameter<Value | LeftOut> => ({
  ...row,
  range,
  written,
  schema: schemaOf(schema, leftOut),
})

/** A default that the type cannot follow: whether there is one decides what comes out. */
const schemaOf = <Value, LeftOut>(
  schema: z.ZodType<Value, string>,
  leftOut: LeftOut,
): z.ZodType<Value | LeftOut, string | undefined> =>
  (leftOut === undefined ? schema.optional() : schema.default(leftOut as never)) as z.ZodType<
    Value | LeftOut,
    string | undefined
  >

export const maxSide = 8192
export const defaultQuality = 80

/**
 * Every parameter, by the member of a recipe that it becomes, in the order in which they are read and
 * documented.
 */
export const transformParameters = {
  width: parameter({
    name: 'w',
    meaning: 'Width in CSS pixels.',
    values: integerFrom(1, maxSide),
    leftOut: undefined,
    default: 'follows h; else the width of the source',
    form: { label: 'Width' },
  }),
  height: parameter({
    name: 'h',
    meaning: 'Height in CSS pixels.',
    values: integerFrom(1, maxSide),
    leftOut: undefined,
    default: 'follows w; else the height of the source',
    form: { label: 'Height' },
  }),
  dpr: parameter({
    name: 'dpr',
    meaning: 'Device pixels to a CSS pixel: w and h are multiplied by it.',
    values: decimalFrom(1, 4),
    leftOut: 1,
    default: '1',
    form: { label: 'Density', rest: 1 },
  }),
  /** Where it is left out, it is as `cover`, but one given side never enlarges. */
  fit: parameter({
    name: 'fit',
    meaning:
      'How the image meets the box: cover fills it and crops, contain shows all and pads, fill stretches, inside is the largest that fits, outside the smallest that covers. Without it, one given side never enlarges.',
    values: oneOf(['cover', 'contain', 'fill', 'inside', 'outside']),
    leftOut: undefined,
    default: 'cover',
    form: {
      label: 'Fit',
      unset: 'As it comes',
      choices: {
        cover: 'Cover: fill the box, crop',
        contain: 'Contain: show all, pad',
        fill: 'Fill: stretch',
        inside: 'Inside: largest that fits',
        outside: 'Outside: smallest that covers',
      },
    },
  }),
  gravity: parameter({
    name: 'gravity',
    meaning:
      'What stays when cropping, and where the image lies when padding: a side or corner, the faces, or what draws the eye.',
    values: oneOf([
      'center',
      'face',
      'auto',
      'north',
      'northeast',
      'east',
      'southeast',
      'south',
      'southwest',
      'west',
      'northwest',
    ]),
    leftOut: 'center',
    default: 'center',
    form: {
      label: 'Keep in view',
      unset: 'Centre',
      choices: {
        auto: 'What draws the eye',
        face: 'Faces',
        north: 'Top',
        northeast: 'Top right',
        east: 'Right',
        southeast: 'Bottom right',
        south: 'Bottom',
        southwest: 'Bottom left',
        west: 'Left',
        northwest: 'Top left',
      },
    },
  }),
  flip: parameter({
    name: 'flip',
    meaning:
      'Mirrors the image before all else: h left to right, v upside down, hv both. Sides that gravity names are those of the mirrored image.',
    values: oneOf(['h', 'v', 'hv']),
    leftOut: undefined,
    default: 'none',
    form: {
      label: 'Mirror',
      unset: 'Not at all',
      choices: { h: 'Left to right', v: 'Upside down', hv: 'Both' },
    },
  }),
  /** As callers spell it: whatever metadata lists as available is among the words. */
  format: parameter({
    name: 'format',
    meaning:
      'The encoding; auto chooses by the Accept header. svg is the SVG as it is stored, where there is one.',
    values: oneOf(['webp', 'avif', 'png', 'jpeg', 'jpg', 'gif', 'svg', 'auto']),
    leftOut: 'auto',
    default: 'auto',
    form: {
      label: 'Format',
      unset: 'Best the browser takes',
      choices: { avif: 'AVIF', webp: 'WEBP', jpeg: 'JPEG', png: 'PNG' },
    },
  }),
  /** Where it is left out, it also follows what the client says about saving data. */
  quality: parameter({
    name: 'q',
    meaning:
      'Quality on the scale of JPEG; other formats are set to look the same. Not for png and gif.',
    values: integerFrom(1, 100),
    leftOut: undefined,
    default: `${defaultQuality}, less with Save-Data: on`,
    form: { label: 'Quality', rest: defaultQuality },
  }),
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
  isAnimated: parameter({
    name: 'anim',
    meaning: 'Whether an animated image stays so where the format can hold it.',
    values: flag,
    leftOut: true,
    default: '1',
    form: { label: 'Animated images stay so', rest: 1 },
  }),
}

export const allTransformParameters: readonly TransformParameter[] =
  Object.values(transformParameters)
