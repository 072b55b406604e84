import {
  compileSchema,
  type JsonSchema,
  SchemaError,
} from '../../../lib/json-schema/json-schema.ts'
import type { AssetMetadata } from '../../../ports/records/asset-metadata.ts'
import { invalid } from '../../errors.ts'

/** The text of `fields.json`; and what is not longer in it may be a schema. */
export const maxFieldsBytes = 32 * 2 ** 10

/** What a zone wants its own fields to be. Throws a {@link SchemaError} that says why it is none. */
export function parseFieldSchema(text: string): JsonSchema {
  if (Buffer.byteLength(text) > maxFieldsBytes)
    throw new SchemaError(`it has more than ${maxFieldsBytes} bytes`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new SchemaError('it is no JSON', { cause })
  }
  return compileSchema(value)
}

/** Why a file of fields is left out, where it is. */
export function faultOfFields(text: string): string | undefined {
  try {
    parseFieldSchema(text)
    return undefined
  } catch (error) {
    if (error instanceof SchemaError) return error.message
    throw error
  }
}

/** Refuses own fields that are not as the zone wants them. A schema that is none wants nothing. */
export function requireFields({ custom }: AssetMetadata, schema: JsonSchema | undefined): void {
  if (custom === undefined || schema === undefined) return
  const [first, ...more] = schema.faultsOf(custom)
  if (first === undefined) return
  const others = more.length > 0 ? ` (and ${more.length} more)` : ''
  throw invalid('Custom', `${first.place === '' ? '' : `${first.place} `}${first.why}${others}`)
}
