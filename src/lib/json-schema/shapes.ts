import { isNumber, isObject, isText } from './schema-values.ts'

/** What a keyword may say. */
export interface Shape {
  /** What is wrong with the keyword's own value. */
  readonly check?: (value: unknown) => string | undefined
  /** The schemas in it, with where they are. */
  readonly schemasIn?: (value: unknown) => readonly (readonly [place: string, schema: unknown])[]
}

const must =
  (isRight: (value: unknown) => boolean, why: string) =>
  (value: unknown): string | undefined =>
    isRight(value) ? undefined : why

const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText)
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0

const anything: Shape = {}
const number: Shape = { check: must(isNumber, 'must be a number') }
const count: Shape = { check: must(isCount, 'must be a whole number from 0') }
const text: Shape = { check: must(isText, 'must be a text') }
const oneSchema: Shape = { schemasIn: (value) => [['', value]] }
const schemaList: Shape = {
  check: must((value) => Array.isArray(value) && value.length > 0, 'must be a list of schemas'),
  schemasIn: (value) => (value as unknown[]).map((each, index) => [`/${index}`, each]),
}
const schemaMap: Shape = {
  check: must(isObject, 'must be an object of schemas'),
  schemasIn: (value) => Object.entries(value as object).map(([name, each]) => [`/${name}`, each]),
}
const types = ['null', 'boolean', 'object', 'array', 'number', 'integer', 'string']
const isType = (value: unknown): boolean => types.includes(value as string)

/** Every keyword there may be: another one would be passed over in silence. */
export const shapes: Readonly<Record<string, Shape>> = {
  $schema: text,
  $id: text,
  $comment: text,
  $ref: text,
  $defs: schemaMap,
  title: text,
  description: text,
  default: anything,
  examples: anything,
  deprecated: anything,
  readOnly: anything,
  type: {
    check: must(
      (value) => isType(value) || (Array.isArray(value) && value.length > 0 && value.every(isType)),
      `must be one of ${types.join(', ')}`,
    ),
  },
  enum: { check: must((value) => Array.isArray(value) && value.length > 0, 'must be a list') },
  const: anything,
  minimum: number,
  maximum: number,
  exclusiveMinimum: number,
  exclusiveMaximum: number,
  multipleOf: { check: must((value) => isNumber(value) && value > 0, 'must be a number above 0') },
  minLength: count,
  maxLength: count,
  pattern: text,
  format: text,
  minItems: count,
  maxItems: count,
  uniqueItems: { check: must((value) => typeof value === 'boolean', 'must be true or false') },
  items: oneSchema,
  prefixItems: schemaList,
  contains: oneSchema,
  minProperties: count,
  maxProperties: count,
  required: { check: must(isTexts, 'must be a list of names') },
  properties: schemaMap,
  patternProperties: schemaMap,
  additionalProperties: oneSchema,
  propertyNames: oneSchema,
  dependentRequired: {
    check: must(
      (value) => isObject(value) && Object.values(value).every(isTexts),
      'must be an object of lists of names',
    ),
  },
  allOf: schemaList,
  anyOf: schemaList,
  oneOf: schemaList,
  ...Object.fromEntries(['not', 'if', 'then', 'else'].map((name) => [name, oneSchema])),
}
