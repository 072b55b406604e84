/** The part of JSON Schema that the service's schemas make use of. */
export interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly description?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly items?: JsonSchema
  readonly prefixItems?: readonly JsonSchema[]
  readonly minItems?: number
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: JsonSchema | false
}

/** A schema as a TypeScript type. */
export function typeOf(schema: JsonSchema): string {
  const { type, anyOf, oneOf } = schema
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  const choices = anyOf ?? oneOf
  if (choices !== undefined) return choices.map(typeOf).join(' | ')
  if (schema.enum !== undefined) return schema.enum.map((each) => JSON.stringify(each)).join(' | ')
  if (Array.isArray(type))
    return type.map((each: string) => typeOf({ ...schema, type: each })).join(' | ')
  if (type === 'array') return arrayOf(schema)
  if (type === 'object') return objectOf(schema)
  return primitives[String(type)] ?? 'unknown'
}

/** A member with its description before it. */
export const withDescription = (description: string | undefined, member: string): string =>
  description === undefined ? member : `/** ${description.replaceAll('*/', '* /')} */\n${member}`

const primitives: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
}

function arrayOf({ items, prefixItems, minItems }: JsonSchema): string {
  if (prefixItems === undefined) return `(${typeOf(items ?? {})})[]`
  const needed = minItems ?? prefixItems.length
  const members = prefixItems.map((each, place) =>
    place < needed ? typeOf(each) : `(${typeOf(each)})?`,
  )
  return `[${members.join(', ')}]`
}

function objectOf({ properties = {}, required = [], additionalProperties }: JsonSchema): string {
  const members = Object.entries(properties).map(([name, schema]) => {
    const key = /^[A-Za-z_]\w*$/u.test(name) ? name : JSON.stringify(name)
    const mark = required.includes(name) ? '' : '?'
    return withDescription(schema.description, `${key}${mark}: ${typeOf(schema)}`)
  })
  if (additionalProperties === undefined || additionalProperties === false)
    return members.length === 0 ? 'object' : `{\n${members.join('\n')}\n}`
  // Known members and any others: the others can only be unknown.
  const other = members.length === 0 ? typeOf(additionalProperties) : 'unknown'
  return `{\n${[...members, `[name: string]: ${other}`].join('\n')}\n}`
}
