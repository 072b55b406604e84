import { invalid } from '../../errors.ts'
import {
  defaultQuality,
  type Fit,
  fits,
  gravities,
  type Gravity,
  maxSide,
  requestedFormats,
  type WantedFormat,
  wantedFormatOf,
} from './recipe-values.ts'

/** What has been read so far. `dpr` is folded into the lengths at the end. */
export interface RecipeDraft {
  readonly width?: number
  readonly height?: number
  readonly fit?: Fit
  readonly gravity?: Gravity
  readonly dpr: number
  readonly format?: WantedFormat
  readonly quality?: number
  readonly blur?: number
  readonly sharpen?: number
  readonly isAnimated?: boolean
}

/** One parameter of a transform: everything the parser, its refusals and the documentation need. */
export interface RecipeParameter {
  readonly name: string
  readonly meaning: string
  /** Completes `… must be`. */
  readonly range: string
  /** The same for programs, as JSON Schema. */
  readonly schema: ValueSchema
  /** For people. */
  readonly default: string
  readonly apply: (draft: RecipeDraft, text: string) => RecipeDraft
}

interface ParameterSpec<Value> extends Pick<RecipeParameter, 'name' | 'meaning' | 'default'> {
  readonly values: Values<Value>
  readonly set: (value: Value) => Partial<RecipeDraft>
}

/** As much of JSON Schema as describes a parameter. */
type ValueSchema =
  | { readonly type: 'integer' | 'number'; readonly minimum: number; readonly maximum: number }
  | { readonly type: 'string'; readonly enum: readonly string[] }

interface Values<Value> {
  readonly range: string
  readonly schema: ValueSchema
  /** `undefined` for text that is none of them. */
  readonly parse: (text: string) => Value | undefined
}

const parameter = <Value>({
  name,
  meaning,
  values: { range, schema, parse },
  set,
  ...rest
}: ParameterSpec<Value>): RecipeParameter => ({
  name,
  meaning,
  range,
  schema,
  default: rest.default,
  apply(draft, text) {
    const value = parse(text)
    if (value === undefined) throw invalid(name, `must be ${range}`)
    return { ...draft, ...set(value) }
  },
})

const integerFrom = (min: number, max: number): Values<number> => ({
  range: `an integer from ${min} to ${max}`,
  schema: { type: 'integer', minimum: min, maximum: max },
  parse: (text) => inRange(/^\d{1,9}$/u.test(text) ? Number(text) : Number.NaN, min, max),
})

const decimalFrom = (min: number, max: number): Values<number> => ({
  range: `a number from ${min} to ${max} with at most 3 decimals`,
  schema: { type: 'number', minimum: min, maximum: max },
  parse: (text) => inRange(/^\d{1,9}(?:\.\d{1,3})?$/u.test(text) ? Number(text) : NaN, min, max),
})

const inRange = (value: number, min: number, max: number) =>
  value >= min && value <= max ? value : undefined

const oneOf = <Value extends string>(words: readonly Value[]): Values<Value> => ({
  range: `one of ${words.join(', ')}`,
  schema: { type: 'string', enum: words },
  parse: (text) => words.find((word) => word === text),
})

const flag: Values<boolean> = {
  range: '0 or 1',
  schema: { type: 'integer', minimum: 0, maximum: 1 },
  parse: (text) => ({ '0': false, '1': true })[text],
}

/** In the order in which they are read and documented. */
export const recipeParameters: readonly RecipeParameter[] = [
  parameter({
    name: 'w',
    meaning: 'Width in CSS pixels.',
    values: integerFrom(1, maxSide),
    default: 'follows h; else the width of the source',
    set: (width) => ({ width }),
  }),
  parameter({
    name: 'h',
    meaning: 'Height in CSS pixels.',
    values: integerFrom(1, maxSide),
    default: 'follows w; else the height of the source',
    set: (height) => ({ height }),
  }),
  parameter({
    name: 'dpr',
    meaning: 'Device pixels to a CSS pixel: w and h are multiplied by it.',
    values: decimalFrom(1, 4),
    default: '1',
    set: (dpr) => ({ dpr }),
  }),
  parameter({
    name: 'fit',
    meaning:
      'How the picture meets the box: cover fills it and crops, contain shows all and pads, fill stretches, inside is the largest that fits, outside the smallest that covers. Without it, one given side never enlarges.',
    values: oneOf(fits),
    default: 'cover',
    set: (fit) => ({ fit }),
  }),
  parameter({
    name: 'gravity',
    meaning:
      'What stays when cropping, and where the picture lies when padding: a side or corner, the faces, or what draws the eye.',
    values: oneOf(gravities),
    default: 'center',
    set: (gravity) => ({ gravity }),
  }),
  parameter({
    name: 'format',
    meaning:
      'The encoding; auto chooses by the Accept header. svg is the drawing as it is stored, where there is one.',
    values: oneOf(requestedFormats),
    default: 'auto',
    set: (format) => ({ format: wantedFormatOf(format) }),
  }),
  parameter({
    name: 'q',
    meaning:
      'Quality on the scale of JPEG; other formats are set to look the same. Not for png and gif.',
    values: integerFrom(1, 100),
    default: `${defaultQuality}, less with Save-Data: on`,
    set: (quality) => ({ quality }),
  }),
  parameter({
    name: 'blur',
    meaning: 'Gaussian blur; the standard deviation is half of it, in device pixels.',
    values: integerFrom(1, 250),
    default: 'none',
    set: (blur) => ({ blur }),
  }),
  parameter({
    name: 'sharpen',
    meaning: 'Strength of sharpening.',
    values: integerFrom(1, 10),
    default: 'none',
    set: (sharpen) => ({ sharpen }),
  }),
  parameter({
    name: 'anim',
    meaning: 'Whether a moving picture stays one where the format can hold it.',
    values: flag,
    default: '1',
    set: (isAnimated) => ({ isAnimated }),
  }),
]

/** The table of all parameters, as Markdown. */
export function recipeTable(): string {
  const rows = recipeParameters.map(
    ({ name, range, meaning, ...rest }) =>
      `| \`${name}\` | ${range} | ${rest.default} | ${meaning} |`,
  )
  return ['| parameter | range | default | meaning |', '| --- | --- | --- | --- |', ...rows].join(
    '\n',
  )
}
