import type { Passage } from '../../src/domain/assistant/knowledge/passage.ts'

interface Schema {
  readonly type?: string
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly default?: unknown
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: Schema
}

interface DescribedOperation {
  readonly tags?: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[]
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: {
    readonly description?: string
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>
  }
}

/** What is read of an OpenAPI document. */
export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>
}

/** The interface as facts: each operation, and each of its parameters and fields that is explained. */
export const operationPassages = ({ paths }: Description): readonly Passage[] =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => {
      const name = `${method.toUpperCase()} ${path}`
      const [tag = ''] = operation.tags ?? []
      return textsOf(name, operation).map((text) => ({
        title: `Interface › ${operation.summary}`,
        url: `/api/docs#tag/${tag}/${method.toUpperCase()}${path}`,
        text,
      }))
    }),
  )

function textsOf(name: string, operation: DescribedOperation): readonly string[] {
  const { summary, description, parameters = [], requestBody } = operation
  const names = parameters.map((parameter) => `\`${parameter.name}\``).join(', ')
  const about = [
    `\`${name}\`: ${summary}.`,
    description,
    names === '' ? undefined : `Parameters: ${names}.`,
    credentialsOf(operation),
    requestBody?.description && `The body: ${requestBody.description}.`,
  ]
  return [
    about.filter(Boolean).join(' '),
    ...parameters.flatMap((parameter) => valueTexts(name, parameter.name, parameter)),
    ...Object.values(requestBody?.content ?? {}).flatMap(({ schema }) =>
      Object.entries(schema.properties ?? {}).flatMap(([field, own]) =>
        valueTexts(name, field, { description: own.description, schema: own }),
      ),
    ),
  ]
}

function credentialsOf({ security = [] }: DescribedOperation): string {
  if (security.length === 0) return 'Needs no key.'
  const each = security.flatMap((scheme) =>
    Object.entries(scheme).map(([name, [scope]]) =>
      scope === undefined ? name : `${name} with \`${scope}\``,
    ),
  )
  return `Needs ${each.join(' or ')}.`
}

interface Value {
  readonly description?: string | undefined
  readonly schema: Schema
}

function valueTexts(operation: string, name: string, value: Value): readonly string[] {
  const { schema } = value
  const facts = [value.description ?? schema.description, boundsOf(schema)].filter(Boolean)
  return facts.length === 0 ? [] : [`\`${name}\` of \`${operation}\`: ${facts.join('; ')}.`]
}

function boundsOf(schema: Schema): string {
  const facts: string[] = []
  if (schema.enum) facts.push(`one of ${schema.enum.map(String).join(', ')}`)
  const [min, max] = [schema.minimum, schema.maximum]
  if (min !== undefined && max !== undefined) facts.push(`from ${min} to ${max}`)
  if (schema.maxLength !== undefined) facts.push(`at most ${schema.maxLength} characters`)
  if (schema.maxItems !== undefined) facts.push(`at most ${schema.maxItems} items`)
  if (['string', 'number', 'boolean'].includes(typeof schema.default))
    facts.push(`default ${String(schema.default)}`)
  return facts.join('; ')
}
