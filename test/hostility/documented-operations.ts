import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** As much of a JSON Schema as requests are made by. */
export interface ValueSchema {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly ValueSchema[]
  readonly items?: ValueSchema
  readonly properties?: Readonly<Record<string, ValueSchema>>
  readonly required?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header' | 'cookie'
  readonly required: boolean
  readonly schema: ValueSchema
  readonly example?: unknown
}

export interface Body {
  readonly mediaType: string
  readonly schema: ValueSchema
  readonly example?: unknown
}

/** What is known of whatever was asked. */
export interface OperationKind {
  readonly id: string
  /** How it may be answered. */
  readonly statuses: ReadonlySet<string>
}

export interface Documented extends OperationKind {
  readonly method: string
  /** With parameters in braces. */
  readonly path: string
  readonly parameters: readonly Parameter[]
  readonly bodies: readonly Body[]
}

interface OperationObject {
  readonly operationId: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, Omit<Body, 'mediaType'>>> }
  readonly responses: Readonly<Record<string, unknown>>
}

interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>
}

const file = join(import.meta.dir, '..', '..', 'docs', 'openapi.json')

/** Every operation as the description of the interface has it. */
export function documentedOperations(): readonly [Documented, ...Documented[]] {
  const { paths } = JSON.parse(readFileSync(file, 'utf8')) as OpenApiDocument
  const [first, ...others] = Object.entries(paths).flatMap(([path, byMethod]) =>
    Object.entries(byMethod).map(([method, operation]) => documented(path, method, operation)),
  )
  if (first === undefined) throw new Error('The description of the interface is empty')
  return [first, ...others]
}

const documented = (path: string, method: string, operation: OperationObject): Documented => ({
  id: operation.operationId,
  method: method.toUpperCase(),
  path,
  parameters: operation.parameters ?? [],
  bodies: Object.entries(operation.requestBody?.content ?? {}).map(([mediaType, body]) => ({
    mediaType,
    ...body,
  })),
  statuses: new Set(Object.keys(operation.responses)),
})
