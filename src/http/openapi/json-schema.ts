import { z } from 'zod'

/** As much of JSON Schema as is looked into here. */
export interface JsonSchema {
  readonly type?: unknown
  readonly description?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
}

/** JSON Schema 2020-12 of a value as it is sent to us (`input`), or as we send it (`output`). */
export function schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    reused: 'inline',
    override: ({ zodSchema, jsonSchema }) => {
      // A format says it in a word; and a number that is spelt in a query is described as a number.
      if (jsonSchema.format !== undefined || jsonSchema.type !== 'string') delete jsonSchema.pattern
      // A flag is spelt as a word in a query; the words are no booleans.
      if (jsonSchema.type === 'boolean') delete jsonSchema.enum
      // Answers may gain members at any time.
      if (io === 'output' && jsonSchema.additionalProperties === false)
        delete jsonSchema.additionalProperties
      // Left out by the library where text is made into something else.
      const standard = z.globalRegistry.get(zodSchema)?.['default']
      if (standard !== undefined) jsonSchema.default = standard
    },
  })
  return rest as JsonSchema
}
