import { z } from 'zod'

/** The values that a parameter may have: how text becomes one of them, and how that is described. */
export interface Values<Value> {
  /** Completes `… must be`. */
  readonly range: string
  /** From the text of a query to the value. */
  readonly schema: z.ZodType<Value, string>
  /** The value as it is written in a query. For descriptions. */
  readonly written: z.ZodType
}

export function integerFrom(min: number, max: number): Values<number> {
  const written = z.int().min(min).max(max)
  return {
    range: `an integer from ${min} to ${max}`,
    schema: numberOf(/^\d{1,9}$/u, written),
    written,
  }
}

export function decimalFrom(min: number, max: number): Values<number> {
  const written = z.number().min(min).max(max)
  return {
    range: `a number from ${min} to ${max} with at most 3 decimals`,
    schema: numberOf(/^\d{1,9}(?:\.\d{1,3})?$/u, written),
    written,
  }
}

/** Plain digits alone: no signs, exponents or blanks, which `Number` would take. */
const numberOf = (syntax: RegExp, values: z.ZodNumber): z.ZodType<number, string> =>
  z.string().regex(syntax).transform(Number).pipe(values)

export function oneOf<const Word extends string>(words: readonly Word[]): Values<Word> {
  const schema = z.enum(words)
  return { range: `one of ${words.join(', ')}`, schema, written: schema }
}

export const flag: Values<boolean> = {
  range: '0 or 1',
  schema: z.enum(['0', '1']).transform((text) => text === '1'),
  written: z.int().min(0).max(1),
}

/** Text of one form. The pattern is linear, and bounds the length. */
const textOf = <Value>(
  range: string,
  pattern: RegExp,
  read: (text: string) => Value,
): Values<Value> => {
  const written = z.string().regex(pattern)
  return { range, schema: written.transform(read), written }
}

/** `#rrggbb`, lower case, of what {@link color} takes. */
export function readColor(text: string): string {
  if (text === 'white' || text === 'black') return text === 'white' ? '#ffffff' : '#000000'
  const digits = text.toLowerCase()
  return `#${digits.length === 6 ? digits : digits.replaceAll(/./gu, '$&$&')}`
}

/** `#rrggbb`, lower case. */
export const color: Values<string> = textOf(
  'a colour of 3 or 6 hex digits, or black or white',
  /^(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6}|black|white)$/u,
  readColor,
)

/** A place from 0 (left, top) to 1 (right, bottom). */
export const place: Values<{ readonly x: number; readonly y: number }> = textOf(
  'two numbers from 0 to 1 with at most 3 decimals, as in 0.5,0.25',
  /^(?:0(?:\.\d{1,3})?|1(?:\.0{1,3})?),(?:0(?:\.\d{1,3})?|1(?:\.0{1,3})?)$/u,
  (text) => {
    const [x = 0, y = 0] = text.split(',').map(Number)
    return { x, y }
  },
)

const anyRatio = textOf(
  'two numbers with a colon between them, or one number, from 0.05 to 20, as in 16:9 or 1.5',
  /^\d{1,4}(?:\.\d{1,3})?(?::\d{1,4}(?:\.\d{1,3})?)?$/u,
  (text) => {
    const [width = 0, height = 1] = text.split(':').map(Number)
    return width / height
  },
)

/** Width by height, as a number. */
export const aspectRatio: Values<number> = {
  ...anyRatio,
  schema: anyRatio.schema.refine((ratio) => ratio >= 0.05 && ratio <= 20, {
    error: `must be ${anyRatio.range}`,
  }),
}

/** A way to the right and down. */
export const shift: Values<{ readonly x: number; readonly y: number }> = textOf(
  'two integers from -9999 to 9999, as in -20,40',
  /^-?\d{1,4},-?\d{1,4}$/u,
  (text) => {
    const [x = 0, y = 0] = text.split(',').map(Number)
    return { x, y }
  },
)

/** A length in pixels of the source, or a share of it. */
export interface SourceLength {
  readonly value: number
  readonly isPercent: boolean
}

export type SourceBox = readonly [
  left: SourceLength,
  top: SourceLength,
  width: SourceLength,
  height: SourceLength,
]

/** A box in the source: left, top, width, height; or width and height alone. */
export const sourceBox: Values<SourceBox | SourceExtent> = textOf(
  'left,top,width,height or width,height in pixels of the source, or with p behind a number in percent of it',
  /^(?:(?:\d{1,5}(?:\.\d{1,3})?[p%]?,){2})?\d{1,5}(?:\.\d{1,3})?[p%]?,\d{1,5}(?:\.\d{1,3})?[p%]?$/u,
  (text) => {
    const [left, top, width, height] = text.split(',').map(sourceLength)
    if (width === undefined) return [left ?? none, top ?? none]
    return [left ?? none, top ?? none, width, height ?? none]
  },
)

/** What is taken away from a source at its sides, in the order of CSS. */
export const sourceSides: Values<SourceBox> = textOf(
  '1, 2 or 4 lengths in pixels of the source, or with p behind a number in percent of it, as CSS orders them: top,right,bottom,left',
  /^\d{1,5}(?:\.\d{1,3})?[p%]?(?:,\d{1,5}(?:\.\d{1,3})?[p%]?(?:,\d{1,5}(?:\.\d{1,3})?[p%]?,\d{1,5}(?:\.\d{1,3})?[p%]?)?)?$/u,
  (text) => {
    const [top = none, right = top, bottom = top, left = right] = text.split(',').map(sourceLength)
    return [top, right, bottom, left]
  },
)

/** Of which only the size is said, and the place is found. */
export type SourceExtent = readonly [width: SourceLength, height: SourceLength]

const none: SourceLength = { value: 0, isPercent: false }

const sourceLength = (text: string): SourceLength => ({
  value: Number.parseFloat(text),
  isPercent: /[p%]$/u.test(text),
})

/** Lengths at the four sides, in the order of CSS. */
export type Sides = readonly [top: number, right: number, bottom: number, left: number]

export const sides: Values<Sides> = textOf(
  '1, 2 or 4 lengths from 0 to 2000, as CSS orders them: top,right,bottom,left',
  /^(?:[01]?\d{1,3}|2000)(?:,(?:[01]?\d{1,3}|2000)(?:,(?:[01]?\d{1,3}|2000),(?:[01]?\d{1,3}|2000))?)?$/u,
  (text) => {
    const [top = 0, right = top, bottom = top, left = right] = text.split(',').map(Number)
    return [top, right, bottom, left]
  },
)

export interface Border {
  readonly widths: Sides
  /** `#rrggbb` */
  readonly color: string
}

/** Widths at the sides, and behind them the colour. */
export const bordered: Values<Border> = textOf(
  '1, 2 or 4 widths from 0 to 999, as CSS orders them, and behind them a colour of 3 or 6 hex digits, or black or white, as in 4,ff8800',
  /^\d{1,3},(?:\d{1,3},(?:\d{1,3},\d{1,3},)?)?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6}|black|white)$/u,
  (text) => {
    const at = text.lastIndexOf(',')
    const [top = 0, right = top, bottom = top, left = right] = text
      .slice(0, at)
      .split(',')
      .map(Number)
    return { widths: [top, right, bottom, left], color: readColor(text.slice(at + 1)) }
  },
)

/** The border that is taken away. */
export interface TrimValue {
  /** How much of 255 a pixel of it may differ. */
  readonly threshold: number
  /** `#rrggbb`; that of the left upper corner where left out. */
  readonly color?: string
  /** In which directions as much is taken away on both sides. */
  readonly equal?: 'h' | 'v' | 'hv'
}

export const trimming: Values<TrimValue> = textOf(
  'an integer from 1 to 255, and behind it a colour, and h, v or hv, as far as they are wanted, as in 10,fff,hv',
  /^(?:[1-9]\d?|1\d\d|2[0-4]\d|25[0-5])(?:,(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6}|black|white)?(?:,(?:h|v|hv))?)?$/u,
  (text) => {
    const [threshold, ground = '', equal] = text.split(',')
    return {
      threshold: Number(threshold),
      ...(ground !== '' && { color: readColor(ground) }),
      ...(equal !== undefined && { equal: equal as 'h' | 'v' | 'hv' }),
    }
  },
)

/** Formats of sources, each once. */
export const formats: Values<ReadonlySet<string>> = textOf(
  'one or more of jpeg, png, webp, gif, avif, svg, with commas between them',
  /^(?:jpeg|png|webp|gif|avif|svg)(?:,(?:jpeg|png|webp|gif|avif|svg)){0,5}$/u,
  (text) => new Set(text.split(',')),
)

/** A number, or `auto` in its place. */
export const orAuto = ({ range, schema, written }: Values<number>): Values<number | 'auto'> => ({
  range: `${range}, or auto`,
  schema: z.union([z.literal('auto'), schema]),
  written: z.union([written, z.literal('auto')]),
})

/** An integer, or one word in its place; `pattern` has both. */
export const integerOr = <const Word extends string>(
  [min, max]: readonly [min: number, max: number],
  word: Word,
  pattern: RegExp,
): Values<number | Word> => {
  const integers = integerFrom(min, max)
  return {
    range: `${integers.range}, or ${word}`,
    schema: z.union([z.literal(word), integers.schema]),
    written: z.string().regex(pattern),
  }
}
