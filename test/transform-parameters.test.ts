import { expect, test } from 'bun:test'

import { allTransformParameters } from '../src/domain/media/recipe/transform-parameters.ts'
import { openApiDocument } from '../src/http/openapi/openapi.ts'
import { allOperations } from '../src/planes/operations.ts'

const page = await Bun.file(new URL('../docs/transforms.md', import.meta.url)).text()
const { paths } = openApiDocument({
  operations: allOperations,
  webhooks: [],
  planes: {},
}) as {
  readonly paths: Readonly<
    Record<string, { readonly get: { readonly parameters: readonly Described[] } }>
  >
}
interface Described {
  readonly name: string
  readonly schema: {
    readonly type: string
    readonly enum?: readonly string[]
    readonly pattern?: string
    readonly anyOf?: readonly { readonly minimum?: number }[]
  }
}

/** What the document has to say of values that are described so. */
function expectedOf(range: string, schema: Described['schema'] | undefined) {
  if (range.startsWith('one of ')) {
    const words = range.slice('one of '.length).split(', ')
    return { type: 'string', enum: words }
  }
  if (schema?.pattern !== undefined) return { type: 'string' }
  return { minimum: expect.any(Number) as number, maximum: expect.any(Number) as number }
}

for (const { name, range, schema } of allTransformParameters)
  test(`${name} is documented, and described to programs by the values that it takes`, () => {
    const described = paths['/api/transform']?.get.parameters.find((each) => each.name === name)

    expect(page.split('\n').filter((line) => line.startsWith(`| \`${name}\` `))).toEqual([
      expect.stringContaining(range) as string,
    ])
    const plainest = described?.schema.anyOf?.[0] ?? described?.schema
    expect(plainest).toMatchObject(expectedOf(range, described?.schema))
    for (const word of described?.schema.enum ?? [])
      expect(schema.safeParse(word).success).toBe(true)
  })
