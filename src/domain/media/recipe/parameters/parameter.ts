import type { z } from 'zod'

import type { Values } from './parameter-values.ts'

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
  /** What leaving it out is called, where there is a choice of words; what may be written, where there is none. */
  readonly unset?: string
  /** The words that are offered; the others can only be written. */
  readonly choices?: { readonly [Each in Word]?: string }
  /** The number that is shown while it is left out; one below the least, for none, where that is. */
  readonly rest?: number
  /** Where fractions of whole numbers are offered. */
  readonly step?: number
}

interface Row<Value, LeftOut> extends Pick<TransformParameter, 'name' | 'meaning' | 'default'> {
  readonly form: FormTexts<NoInfer<Value> & string>
  readonly values: Values<Value>
  /** What a recipe holds where the parameter is left out. */
  readonly leftOut: LeftOut
}

export const parameter = <Value, const LeftOut extends NoInfer<Value> | undefined>({
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
