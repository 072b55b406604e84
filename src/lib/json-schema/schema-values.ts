export type SchemaObject = Readonly<Record<string, unknown>>
export type Schema = SchemaObject | boolean

export interface Fault {
  /** `/size/width`; the value itself is `''`. */
  readonly place: string
  /** Completes a sentence: `must be a number`. */
  readonly why: string
}

/** One keyword of a schema, to be asked of a value. */
export interface Checking {
  readonly schema: SchemaObject
  readonly value: unknown
  readonly place: string
  readonly faultsOf: (schema: Schema, value: unknown, place: string) => readonly Fault[]
  readonly resolve: (reference: string) => Schema
  readonly matches: (pattern: string, text: string) => boolean
  readonly isEqual: (one: unknown, other: unknown) => boolean
}

export const isObject = (value: unknown): value is SchemaObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const isNumber = (value: unknown): value is number => typeof value === 'number'
export const isText = (value: unknown): value is string => typeof value === 'string'
