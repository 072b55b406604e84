import { type JsonSchema, SchemaError } from '../../../lib/json-schema/json-schema.ts'
import type { Log } from '../../../lib/log.ts'
import type { BlobStore } from '../../../ports/content/blob-store.ts'
import type { Put, Tree } from '../../../ports/content/content-store.ts'
import type { AssetMetadata } from '../../../ports/records/asset-metadata.ts'
import type { Manifest } from '../../../ports/records/manifest.ts'
import {
  maxFieldsBytes,
  parseFieldSchema,
  requireFields,
} from '../../content/metadata/field-schema.ts'
import { SidecarError } from '../../content/metadata/sidecar.ts'
import { fieldsPath } from '../../content/metadata/sidecar-paths.ts'
import { ServiceError } from '../../errors.ts'
import { bytesOfPut } from './bytes-of-put.ts'

interface Dependencies {
  readonly tree: Pick<Tree, 'read'>
  readonly blobs: Pick<BlobStore, 'read'>
  readonly published: Pick<Manifest, 'zone'>
  readonly log: Pick<Log, 'warn'>
}

export interface Fields {
  readonly text: string
  /** `undefined` where the text is no schema: then the fields may be anything. */
  readonly schema: JsonSchema | undefined
}

/** What zones want their own fields to be once a commit is in; read where it is asked for. */
export function fieldsOfCommit(
  putByZone: ReadonlyMap<string, Put | undefined>,
  dependencies: Dependencies,
) {
  const { tree, blobs, published, log } = dependencies
  const known = new Map<string, Promise<Fields | undefined>>()

  async function read(zone: string): Promise<Fields | undefined> {
    const text = await textOf(zone)
    return text === undefined ? undefined : { text, schema: compile(text, zone) }
  }

  async function textOf(zone: string): Promise<string | undefined> {
    if (putByZone.has(zone)) return await putText(putByZone.get(zone))
    const record = published.zone(zone)
    if (record !== undefined) return record.fields
    // It came before the zone that it is for.
    const bytes = await tree.read(fieldsPath(zone))
    return bytes && textIn(bytes)
  }

  async function putText(put: Put | undefined): Promise<string | undefined> {
    if (put === undefined) return undefined
    // Of a huge one the beginning is enough to see that it is none.
    if (put.blob.sizeBytes > maxFieldsBytes) return ' '.repeat(maxFieldsBytes + 1)
    return textIn((await bytesOfPut(put, blobs)) ?? new Uint8Array())
  }

  function compile(text: string, zone: string): JsonSchema | undefined {
    try {
      return parseFieldSchema(text)
    } catch (error) {
      if (!(error instanceof SchemaError)) throw error
      const isNew = putByZone.has(zone)
      if (isNew) log.warn('the fields of a zone are left out', { zone, why: error.message })
      return undefined
    }
  }

  return {
    of(zone: string): Promise<Fields | undefined> {
      const fields = known.get(zone) ?? read(zone)
      known.set(zone, fields)
      return fields
    },
  }
}

const textIn = (bytes: Uint8Array): string => new TextDecoder().decode(bytes).replaceAll('\0', '')

/** Throws a {@link SidecarError} where own fields are not as the zone wants them. */
export function requireCustom(metadata: AssetMetadata, fields: Fields | undefined): void {
  try {
    requireFields(metadata, fields?.schema)
  } catch (error) {
    throw error instanceof ServiceError ? new SidecarError(error.message) : error
  }
}
