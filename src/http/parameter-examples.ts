import type { Operation } from './operation.ts'

/** As much of an OpenAPI document as is changed here. */
interface Document {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, Described>>>>
}

interface Described {
  readonly parameters?: readonly Parameter[]
}

interface Parameter {
  readonly in: string
  readonly name: string
  example?: unknown
}

/** Writes the examples of parameters into the document: at schemas they would be lost where types are converted. */
export function addParameterExamples(document: object, operations: readonly Operation[]): void {
  const { paths } = document as Document
  for (const { path, method, example } of operations) {
    if (example === undefined) continue
    addExamples(paths?.[path]?.[method]?.parameters ?? [], { ...example.params, ...example.query })
  }
}

function addExamples(
  parameters: readonly Parameter[],
  values: Readonly<Record<string, unknown>>,
): void {
  for (const parameter of parameters)
    if (parameter.in !== 'header' && Object.hasOwn(values, parameter.name))
      parameter.example = values[parameter.name]
}
