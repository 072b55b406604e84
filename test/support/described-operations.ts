/** What the OpenAPI document says of a parameter, as far as tests ask. */
export interface DescribedParameter {
  readonly in: string
  readonly name: string
  readonly required?: boolean
  readonly example?: string | number
}

/** The same of an operation. */
export interface DescribedOperation {
  readonly method: string
  readonly path: string
  readonly operationId: string
  readonly parameters?: readonly DescribedParameter[]
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly example?: unknown }>>
  }
  readonly security: readonly Readonly<Record<string, unknown>>[]
  readonly responses: Readonly<Record<string, { readonly content?: object }>>
}

type Described = Omit<DescribedOperation, 'method' | 'path'>

/** All operations, as a client finds them that knows the document alone. */
export async function describedOperations(
  fetch: (path: string) => Promise<Response>,
): Promise<readonly DescribedOperation[]> {
  const document = (await (await fetch('/api/openapi.json')).json()) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  }
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, described]) => ({ ...described, method, path })),
  )
}

/** The path and the query with the examples of the parameters. What has none is left as the document has it. */
export function exampleUrlOf({ path, parameters = [] }: DescribedOperation): string {
  const query = new URLSearchParams()
  let filled = path
  for (const { in: place, name, example } of parameters) {
    if (example === undefined) continue
    if (place === 'path') filled = filled.replace(`{${name}}`, encodeURIComponent(String(example)))
    if (place === 'query') query.set(name, String(example))
  }
  return `${filled}?${query}`
}
