import { SchemaError } from '../../../lib/json-schema/json-schema.ts'
import type { BlobStore } from '../../../ports/content/blob-store.ts'
import type { Manifest } from '../../../ports/records/manifest.ts'
import { type Actor, requireZone } from '../../access/actor.ts'
import { invalid, zoneNotFound } from '../../errors.ts'
import type { Committer } from '../committer.ts'
import { requireWritableZone } from '../write-guards.ts'
import { faultOfFields, parseFieldSchema } from './field-schema.ts'
import { fieldsPath } from './sidecar-paths.ts'

export interface FieldsOfZone {
  /** A JSON Schema as it is stored; `undefined` where the zone's fields may be anything. */
  readonly schema: unknown
  /** Why what git brought is left out, where it is: then the fields may be anything too. */
  readonly fault: string | undefined
}

/** What each zone wants the own fields of its assets to be. */
export interface ZoneFields {
  of(zone: string, actor: Actor): FieldsOfZone
  /**
   * Asked of what is said from then on. What was said before stays, whether it fits or not. Refuses what
   * is no schema, saying where and why.
   */
  set(zone: string, schema: unknown, actor: Actor): Promise<FieldsOfZone>
}

interface Dependencies {
  readonly blobs: Pick<BlobStore, 'receive'>
  readonly published: Pick<Manifest, 'zone'>
  readonly publisher: Committer
}

/** What can be read of them alone. */
export const createFieldsShown = ({
  published,
}: Pick<Dependencies, 'published'>): Pick<ZoneFields, 'of'> => ({
  of(zone, actor) {
    requireZone(actor, zone)
    const record = published.zone(zone)
    if (record === undefined) throw zoneNotFound(zone)
    const { fields } = record
    if (fields === undefined) return { schema: undefined, fault: undefined }
    const fault = faultOfFields(fields)
    return { schema: fault === undefined ? JSON.parse(fields) : undefined, fault }
  },
})

export function createZoneFields({ blobs, published, publisher }: Dependencies): ZoneFields {
  const { of } = createFieldsShown({ published })
  return {
    of,
    async set(zone, schema, actor) {
      const before = of(zone, actor)
      const text = `${JSON.stringify(schema, undefined, 2)}\n`
      requireSchema(text)
      await using incoming = await blobs.receive(new TextEncoder().encode(text))
      const blob = await incoming.keepLazily()
      await publisher.commit(
        {
          action: 'zone.fields',
          target: zone,
          subject: `Set the fields of ${zone}`,
          actor,
          meta: {
            before: { fields: (published.zone(zone)?.fields ?? '').slice(0, maxAuditedLength) },
            after: { fields: text.slice(0, maxAuditedLength) },
          },
        },
        async (tree) => {
          await requireWritableZone(tree, zone)
          const isSame = before.fault === undefined && published.zone(zone)?.fields === text
          return isSame ? undefined : [{ kind: 'put', path: fieldsPath(zone), blob }]
        },
      )
      return of(zone, actor)
    },
  }
}

/** More is in the commits. */
const maxAuditedLength = 1_500

function requireSchema(text: string): void {
  try {
    parseFieldSchema(text)
  } catch (cause) {
    if (!(cause instanceof SchemaError)) throw cause
    throw invalid('body', `must be a JSON Schema: ${cause.message}`, cause)
  }
}
