import { isDeepStrictEqual } from 'node:util'

import { formats } from './formats.ts'
import { compilePattern, type LinearPattern } from './linear-pattern.ts'
import { PatternError } from './pattern-reader.ts'
import { keywords } from './keywords.ts'
import {
  type Checking,
  type Fault,
  isObject,
  type Schema,
  type SchemaObject,
} from './schema-values.ts'
import { type Shape, shapes } from './shapes.ts'

/** A JSON Schema (draft 2020-12) of somebody else: whatever it says, checking by it ends soon. */
export interface JsonSchema {
  /** What is wrong with `value`, a few of many; nothing where it is valid. */
  faultsOf(value: unknown): readonly Fault[]
}

/** What is no schema, or needs what is not there. The message says where and why. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError'
}

const maxDepth = 32
const maxSchemas = 1_000
/** About a millisecond or two. */
const maxSteps = 200_000
const maxFaults = 10

/** Throws a {@link SchemaError}. Every keyword is known, every reference leads somewhere inside. */
export function compileSchema(root: unknown): JsonSchema {
  const patterns = new Map<string, LinearPattern>()
  const references: string[] = []
  let count = 0

  function look(schema: unknown, place: string, depth: number): void {
    count += 1
    if (depth > maxDepth || count > maxSchemas)
      throw new SchemaError(`${place} is too large or deep`)
    if (typeof schema === 'boolean') return
    if (!isObject(schema)) throw new SchemaError(`${place} must be an object, true or false`)
    for (const [name, value] of Object.entries(schema)) {
      const shape = shapeOf(name, value, place)
      note(name, value, `${place}/${name}`)
      for (const [key, inner] of shape.schemasIn?.(value) ?? [])
        look(inner, `${place}/${name}${key}`, depth + 1)
    }
  }

  function note(name: string, value: unknown, place: string): void {
    if (name === '$ref') references.push(value as string)
    if (name === 'format' && !Object.hasOwn(formats, value as string))
      throw new SchemaError(`${place} must be one of ${Object.keys(formats).join(', ')}`)
    if (name === 'pattern') compile(value as string, place)
    if (name === 'patternProperties')
      for (const pattern of Object.keys(value as object)) compile(pattern, place)
  }

  function compile(source: string, place: string): void {
    try {
      patterns.set(source, compilePattern(source))
    } catch (error) {
      if (!(error instanceof PatternError)) throw error
      throw new SchemaError(`${place} ${error.message}`)
    }
  }

  look(root, '#', 0)
  const schemaByReference = new Map(references.map((each) => [each, resolve(root, each)]))
  return { faultsOf: (value) => check(root as Schema, value, { patterns, schemaByReference }) }
}

function shapeOf(name: string, value: unknown, place: string): Shape {
  const shape = Object.hasOwn(shapes, name) ? shapes[name] : undefined
  if (shape === undefined)
    throw new SchemaError(`${place} has the keyword ${name}, which is not known`)
  const wrong = shape.check?.(value)
  if (wrong !== undefined) throw new SchemaError(`${place}/${name} ${wrong}`)
  return shape
}

/** RFC 6901, within the schema itself and nowhere else. */
function resolve(root: unknown, reference: string): Schema {
  if (!reference.startsWith('#')) throw new SchemaError(`$ref "${reference}" must begin with #`)
  let found = root
  for (const token of reference.slice(1).split('/').slice(1)) {
    const name = decoded(token).replaceAll('~1', '/').replaceAll('~0', '~')
    found = isObject(found) && Object.hasOwn(found, name) ? found[name] : undefined
  }
  const isPointer = reference === '#' || reference.startsWith('#/')
  if (!isPointer || (typeof found !== 'boolean' && !isObject(found)))
    throw new SchemaError(`$ref "${reference}" leads nowhere`)
  return found
}

function decoded(token: string): string {
  try {
    return decodeURIComponent(token)
  } catch (cause) {
    throw new SchemaError(`$ref must be percent-encoded, and "${token}" is not`, { cause })
  }
}

interface Compiled {
  readonly patterns: ReadonlyMap<string, LinearPattern>
  readonly schemaByReference: ReadonlyMap<string, Schema>
}

class TooMuchError extends Error {
  override readonly name = 'TooMuchError'
}

/** Nothing in JSON is as deep as one that only refers to itself. */
const maxCheckDepth = 100

function check(root: Schema, whole: unknown, compiled: Compiled): readonly Fault[] {
  let steps = 0
  let depth = 0

  const spend = (count: number): void => {
    steps += count
    if (steps > maxSteps) throw new TooMuchError('takes too long to check')
  }

  function faultsOf(schema: Schema, value: unknown, place: string): readonly Fault[] {
    spend(1)
    if (typeof schema === 'boolean') return schema ? [] : [{ place, why: 'must not be there' }]
    depth += 1
    if (depth > maxCheckDepth)
      throw new TooMuchError('is checked by a schema that refers to itself')
    const found: Fault[] = []
    for (const name of Object.keys(schema)) {
      const keyword = Object.hasOwn(keywords, name) ? keywords[name] : undefined
      if (keyword === undefined || found.length >= maxFaults) continue
      spend(1)
      found.push(...keyword(checking(schema, value, place)))
    }
    depth -= 1
    return found.slice(0, maxFaults)
  }

  const checking = (schema: SchemaObject, value: unknown, place: string): Checking => ({
    schema,
    value,
    place,
    faultsOf,
    resolve: (reference) => compiled.schemaByReference.get(reference) ?? false,
    matches(pattern, text) {
      const compiledPattern = compiled.patterns.get(pattern)
      spend((compiledPattern?.size ?? 0) * (text.length + 1))
      return compiledPattern?.test(text) === true
    },
    isEqual(one, other) {
      spend(10)
      return isDeepStrictEqual(one, other)
    },
  })

  try {
    return faultsOf(root, whole, '')
  } catch (error) {
    if (!(error instanceof TooMuchError)) throw error
    return [{ place: '', why: error.message }]
  }
}
