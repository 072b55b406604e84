import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server'

import type { JsonSchema } from '../../http/openapi/json-schema.ts'

/**
 * A JSON Schema as the package takes one. It is shown as it is and checks only that there is an object: the
 * interface checks each call against the schema that this one was made of, and says what is wrong.
 */
export const givenSchema = (
  schema: JsonSchema,
): StandardSchemaWithJSON<Readonly<Record<string, unknown>>> => ({
  '~standard': {
    version: 1,
    vendor: 'sedge',
    validate: (value) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? { value: value as Readonly<Record<string, unknown>> }
        : { issues: [{ message: 'must be an object' }] },
    jsonSchema: {
      input: () => schema as Record<string, unknown>,
      output: () => schema as Record<string, unknown>,
    },
  },
})
