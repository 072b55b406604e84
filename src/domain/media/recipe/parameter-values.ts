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
