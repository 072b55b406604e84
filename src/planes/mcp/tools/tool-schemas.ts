import { type JsonSchema, schemaOf } from '../../../http/openapi/json-schema.ts'
import type { Operation, ResponseSpec } from '../../../http/operation.ts'

/** Said by tools in their own words, or of no use to an agent. */
const neverOffered = ['dry_run', 'dryRun', 'DryRun', 'preview', 'format', 'tail'] as const

interface Offered {
  /** Members of the operation that the tool does not have. */
  readonly without?: readonly string[]
  /** Members that the tool has besides. */
  readonly also?: Readonly<Record<string, JsonSchema>>
}

/** What a tool takes: path, query and JSON body of its operation as one object. */
export function inputSchemaOf(
  { path, params, query, body }: Operation,
  { without = [], also = {} }: Offered,
): JsonSchema {
  const inPath = [...path.matchAll(/\{(\w+)\}/gu)].map(([, name = '']) => name)
  const parts = [params, query, body?.kind === 'json' ? body.schema : undefined].flatMap((each) =>
    each === undefined ? [] : [branchesOf(schemaOf(each, 'input'))],
  )
  const left: ReadonlySet<string> = new Set([...neverOffered, ...without])
  const properties = Object.fromEntries(
    [
      ...inPath.map((name) => [name, { type: 'string' }] as const),
      ...parts.flat().flatMap(({ properties: members = {} }) => Object.entries(members)),
    ].filter(([name]) => !left.has(name)),
  )
  const required = [
    ...inPath,
    // Of alternatives no member is needed by all.
    ...parts.flatMap((part) => (part.length === 1 ? (part[0]?.required ?? []) : [])),
  ].filter((name) => !left.has(name))
  return closed({ ...properties, ...also }, required)
}

/** What a tool responds with, as an object; other members may come with time. */
export function outputSchemaOf(
  { responses }: Operation,
  also: Readonly<Record<string, JsonSchema>> = {},
): JsonSchema {
  const found = Object.entries(responses as Record<string, ResponseSpec>).find(
    ([status, { schema }]) => status.startsWith('2') && schema !== undefined,
  )
  if (found?.[1].schema === undefined) throw new Error('the operation responds without JSON')
  const schema = schemaOf(found[1].schema, 'output')
  const { properties } = schema
  if (properties === undefined) return { ...schema, type: 'object' }
  return { ...schema, type: 'object', properties: { ...properties, ...also } }
}

interface Alternatives extends JsonSchema {
  readonly anyOf?: readonly JsonSchema[]
}

const branchesOf = (schema: Alternatives): readonly JsonSchema[] => schema.anyOf ?? [schema]

export const closed = (
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[] = [],
): JsonSchema =>
  ({
    type: 'object',
    properties,
    required: [...new Set(required)],
    additionalProperties: false,
  }) as JsonSchema
