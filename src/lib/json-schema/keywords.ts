import { formats } from './formats.ts'
import {
  type Checking,
  type Fault,
  isNumber,
  isObject,
  isText,
  type Schema,
  type SchemaObject,
} from './schema-values.ts'

type Keyword = (checking: Checking) => readonly Fault[]

/** Of values of one kind; others pass. */
const of =
  <T>(isOf: (value: unknown) => value is T, name: string) =>
  (check: (value: T, limit: never) => boolean, why: (limit: string) => string): Keyword =>
  ({ schema, value, place }) => {
    const limit = schema[name]
    if (!isOf(value) || check(value, limit as never)) return []
    return [{ place, why: why(String(limit)) }]
  }

const lengthOf = (value: string): number => Array.from(value).length
const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)
const sizeOf = (value: SchemaObject): number => Object.keys(value).length

const isOfType: Readonly<Record<string, (value: unknown) => boolean>> = {
  null: (value) => value === null,
  boolean: (value) => typeof value === 'boolean',
  object: isObject,
  array: isList,
  number: isNumber,
  integer: Number.isInteger,
  string: isText,
}

const below = (place: string, name: string | number): string => `${place}/${name}`

/** What each keyword asks of a value (JSON Schema Validation, 2020-12). Those left out only tell something. */
export const keywords: Readonly<Record<string, Keyword>> = {
  type({ schema, value, place }) {
    const wanted = [schema['type']].flat() as string[]
    const isOne = wanted.some((type) => isOfType[type]?.(value) === true)
    return isOne ? [] : [{ place, why: `must be of type ${wanted.join(' or ')}` }]
  },
  enum({ schema, value, place, isEqual }) {
    const isOne = (schema['enum'] as unknown[]).some((each) => isEqual(each, value))
    return isOne ? [] : [{ place, why: 'must be one of those that are allowed' }]
  },
  const: ({ schema, value, place, isEqual }) =>
    isEqual(schema['const'], value) ? [] : [{ place, why: 'must be what it always is' }],
  minimum: of(isNumber, 'minimum')(
    (value, least) => value >= least,
    (least) => `must be at least ${least}`,
  ),
  maximum: of(isNumber, 'maximum')(
    (value, most) => value <= most,
    (most) => `must be at most ${most}`,
  ),
  exclusiveMinimum: of(isNumber, 'exclusiveMinimum')(
    (value, least) => value > least,
    (least) => `must be above ${least}`,
  ),
  exclusiveMaximum: of(isNumber, 'exclusiveMaximum')(
    (value, most) => value < most,
    (most) => `must be below ${most}`,
  ),
  multipleOf: of(isNumber, 'multipleOf')(
    (value, unit) => Number.isInteger(Number((value / unit).toPrecision(12))),
    (unit) => `must be a multiple of ${unit}`,
  ),
  minLength: of(isText, 'minLength')(
    (value, least) => lengthOf(value) >= least,
    (least) => `must have at least ${least} characters`,
  ),
  maxLength: of(isText, 'maxLength')(
    (value, most) => lengthOf(value) <= most,
    (most) => `must have at most ${most} characters`,
  ),
  format: of(isText, 'format')(
    (value, format) => formats[format]?.(value) === true,
    (format) => `must be of the format ${format}`,
  ),
  pattern: ({ schema, value, place, matches }) =>
    !isText(value) || matches(schema['pattern'] as string, value)
      ? []
      : [{ place, why: `must match ${String(schema['pattern'])}` }],
  minItems: of(isList, 'minItems')(
    (value, least) => value.length >= least,
    (least) => `must have at least ${least} items`,
  ),
  maxItems: of(isList, 'maxItems')(
    (value, most) => value.length <= most,
    (most) => `must have at most ${most} items`,
  ),
  uniqueItems({ schema, value, place, isEqual }) {
    if (schema['uniqueItems'] !== true || !isList(value)) return []
    const isTwice = value.some((one, index) =>
      value.slice(index + 1).some((other) => isEqual(one, other)),
    )
    return isTwice ? [{ place, why: 'must not have an item twice' }] : []
  },
  prefixItems({ schema, value, place, faultsOf }) {
    const schemas = schema['prefixItems'] as Schema[]
    if (!isList(value)) return []
    return value
      .slice(0, schemas.length)
      .flatMap((each, index) => faultsOf(schemas[index] ?? true, each, below(place, index)))
  },
  items({ schema, value, place, faultsOf }) {
    if (!isList(value)) return []
    const first = ((schema['prefixItems'] as unknown[] | undefined) ?? []).length
    return value
      .slice(first)
      .flatMap((each, index) =>
        faultsOf(schema['items'] as Schema, each, below(place, first + index)),
      )
  },
  contains({ schema, value, place, faultsOf }) {
    const isThere =
      !isList(value) ||
      value.some((each) => faultsOf(schema['contains'] as Schema, each, place).length === 0)
    return isThere ? [] : [{ place, why: 'must have an item of those that are asked for' }]
  },
  minProperties: of(isObject, 'minProperties')(
    (value, least) => sizeOf(value) >= least,
    (least) => `must have at least ${least} members`,
  ),
  maxProperties: of(isObject, 'maxProperties')(
    (value, most) => sizeOf(value) <= most,
    (most) => `must have at most ${most} members`,
  ),
  required: ({ schema, value, place }) =>
    isObject(value) ? missing(schema['required'] as string[], value, place) : [],
  dependentRequired({ schema, value, place }) {
    if (!isObject(value)) return []
    return Object.entries(schema['dependentRequired'] as Record<string, string[]>).flatMap(
      ([name, others]) => (Object.hasOwn(value, name) ? missing(others, value, place) : []),
    )
  },
  properties: ({ schema, value, place, faultsOf }) =>
    Object.entries(schema['properties'] as Record<string, Schema>).flatMap(([name, each]) =>
      isObject(value) && Object.hasOwn(value, name)
        ? faultsOf(each, value[name], below(place, name))
        : [],
    ),
  patternProperties({ schema, value, place, matches, faultsOf }) {
    if (!isObject(value)) return []
    return Object.entries(schema['patternProperties'] as Record<string, Schema>).flatMap(
      ([pattern, each]) =>
        Object.entries(value).flatMap(([name, member]) =>
          matches(pattern, name) ? faultsOf(each, member, below(place, name)) : [],
        ),
    )
  },
  additionalProperties({ schema, value, place, matches, faultsOf }) {
    if (!isObject(value)) return []
    const named = (schema['properties'] as SchemaObject | undefined) ?? {}
    const patterns = Object.keys((schema['patternProperties'] as object | undefined) ?? {})
    return Object.entries(value).flatMap(([name, member]) =>
      Object.hasOwn(named, name) || patterns.some((pattern) => matches(pattern, name))
        ? []
        : faultsOf(schema['additionalProperties'] as Schema, member, below(place, name)),
    )
  },
  propertyNames: ({ schema, value, place, faultsOf }) =>
    Object.keys(isObject(value) ? value : {}).flatMap((name) =>
      faultsOf(schema['propertyNames'] as Schema, name, below(place, name)),
    ),
  $ref: ({ schema, value, place, faultsOf, resolve }) =>
    faultsOf(resolve(schema['$ref'] as string), value, place),
  allOf: ({ schema, value, place, faultsOf }) =>
    (schema['allOf'] as Schema[]).flatMap((each) => faultsOf(each, value, place)),
  anyOf({ schema, value, place, faultsOf }) {
    const isOne = (schema['anyOf'] as Schema[]).some(
      (each) => faultsOf(each, value, place).length === 0,
    )
    return isOne ? [] : [{ place, why: 'must be as at least one of several schemas says' }]
  },
  oneOf({ schema, value, place, faultsOf }) {
    const valid = (schema['oneOf'] as Schema[]).filter(
      (each) => faultsOf(each, value, place).length === 0,
    )
    return valid.length === 1
      ? []
      : [{ place, why: 'must be as exactly one of several schemas says' }]
  },
  not: ({ schema, value, place, faultsOf }) =>
    faultsOf(schema['not'] as Schema, value, place).length > 0
      ? []
      : [{ place, why: 'must not be as it is' }],
  if({ schema, value, place, faultsOf }) {
    const isSo = faultsOf(schema['if'] as Schema, value, place).length === 0
    const next = schema[isSo ? 'then' : 'else'] as Schema | undefined
    return next === undefined ? [] : faultsOf(next, value, place)
  },
}

const missing = (names: readonly string[], value: SchemaObject, place: string): readonly Fault[] =>
  names
    .filter((name) => !Object.hasOwn(value, name))
    .map((name) => ({ place: below(place, name), why: 'is required' }))
